// Interlace: wrong input that is one value of an experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "interlace/core/error.h"

namespace interlace {

/// An error whose cause is the experiment's value at `path` ("broadcast.source"): whoever has read it from a
/// file can say where it stands.
class ValueError : public InputError {
  public:
    ValueError(const InputError& error, std::string path) : InputError(error), path_(std::move(path)) {}
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// What `action` returns; an InputError in it is one of the value at `path`, unless it says of which.
template <class Action>
decltype(auto) about(const char* path, const Action& action) {
    try {
        return action();
    } catch (const ValueError&) {
        throw;
    } catch (const InputError& error) {
        throw ValueError(error, path);
    }
}

}  // namespace interlace
