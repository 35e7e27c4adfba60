// Interlace: all that is wrong with a user's file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/problems.h"

#include <string_view>

#include "interlace/core/error.h"

namespace interlace {

void Problems::add(const std::string& what, std::size_t line) {
    if (count_++ < max_kept) kept_.push_back({line, what});
}

std::vector<std::string> Problems::first() const {
    std::vector<std::string> texts;
    for (const auto& [line, what] : kept_)
        texts.push_back(line == 0 ? what : "line " + std::to_string(line) + ": " + what);
    return texts;
}

void Problems::refuse(const std::string& path, const std::string& expected) const {
    constexpr std::string_view then = "; expected ";
    if (count_ == 0) return;
    if (count_ == 1) {
        const auto& [line, what] = kept_.front();
        const std::size_t own = what.find(then);
        const InputError error = own == std::string::npos
                                     ? InputError(what, expected)
                                     : InputError(what.substr(0, own), what.substr(own + then.size()));
        throw error.at(line == 0 ? path : path + ":" + std::to_string(line));
    }
    std::string all = std::to_string(count_) + " problems";
    const char* separator = ": ";
    for (const std::string& text : first()) {
        all += separator + text;
        separator = " | ";
    }
    if (count_ > max_kept) all += " | and " + std::to_string(count_ - max_kept) + " more";
    throw InputError(all, expected).at(path);
}

}  // namespace interlace
