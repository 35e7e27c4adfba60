// Interlace: enumerations by the names that users write
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <utility>

#include "interlace/core/error.h"

namespace interlace {

template <class Value, std::size_t count>
using Names = std::array<std::pair<const char*, Value>, count>;

/// The value that `text` names. Throws InputError that calls it `what` and lists the names.
template <class Value, std::size_t count>
Value value_of(const Names<Value, count>& names, const std::string& text, const std::string& what) {
    std::string known;
    for (const auto& [name, value] : names) {
        if (text == name) return value;
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    throw InputError(what + " '" + text + "'", known);
}

template <class Value, std::size_t count>
std::string name_of(const Names<Value, count>& names, Value value) {
    for (const auto& [name, known] : names)
        if (value == known) return name;
    return {};
}

}  // namespace interlace
