// Interlace: functions of shared libraries that are loaded when they are asked for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/loaded_symbol.h"

#include <dlfcn.h>

#include "interlace/core/error.h"

namespace interlace {

LoadedSymbol loaded_symbol(const char* library, const char* name, const std::string& purpose,
                           const std::string& package) {
    void* const loaded = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void* const found = loaded == nullptr ? nullptr : ::dlsym(loaded, name);
    if (found == nullptr) {
        const char* const error = ::dlerror();  // null the second time
        throw InputError("cannot " + purpose + ": " +
                             (error == nullptr ? std::string(library) + " could not be loaded" : error),
                         package);
    }
    return LoadedSymbol(found);
}

}  // namespace interlace
