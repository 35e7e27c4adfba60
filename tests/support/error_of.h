// Interlace: what an action throws, as text
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace interlace {

/// what() of the exception that `action` ends with, or "no error".
template <class Action>
std::string error_of(const Action& action) {
    try {
        action();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace interlace
