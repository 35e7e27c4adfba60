// Interlace: functions of shared libraries that are loaded when they are asked for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace interlace {

/// The address of a function, as a pointer of the type that is asked for.
class LoadedSymbol {
  public:
    explicit LoadedSymbol(void* address) : address_(address) {}
    template <class Function>
    operator Function*() const {
        return reinterpret_cast<Function*>(address_);
    }

  private:
    void* address_;
};

/// Of a library, as "libClp.so.1", or of one that it is linked to. The library stays loaded. Throws
/// InputError "cannot `purpose`: why", which expects `package`, where there is none, however often it is
/// called.
LoadedSymbol loaded_symbol(const char* library, const char* name, const std::string& purpose,
                           const std::string& package);

}  // namespace interlace
