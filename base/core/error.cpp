// Interlace: what is said to a user whose input is wrong
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/error.h"

#include "interlace/core/one_line.h"

namespace interlace {

InputError::InputError(const std::string& problem, const std::string& expected)
    : std::runtime_error(one_line(problem + "; expected " + expected)) {}

InputError::InputError(const std::string& line) : std::runtime_error(line) {}

InputError InputError::at(const std::string& place) const {
    return InputError((place.empty() ? "" : one_line(place) + ": ") + what());
}

}  // namespace interlace
