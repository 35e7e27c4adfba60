// Interlace: what is said to a user whose input is wrong
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/error.h"

#include <utility>

#include "interlace/core/one_line.h"

namespace interlace {

InputError::InputError(const std::string& problem, const std::string& expected)
    : std::runtime_error(one_line(problem + "; expected " + expected)), expected_(expected) {}

InputError::InputError(const std::string& line, std::string expected, Place place)
    : std::runtime_error(line), expected_(std::move(expected)), place_(std::move(place)) {}

InputError InputError::at(const std::string& place) const {
    return {(place.empty() ? "" : one_line(place) + ": ") + what(), expected_, place_};
}

InputError InputError::at(const Place& place) const {
    InputError error = at(place.text);
    if (error.place_.file.empty() && error.place_.key.empty())
        error.place_ = {"", place.file, place.line, place.key};
    return error;
}

}  // namespace interlace
