// Interlace: reading numbers and lists from a user's text
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/text.h"

#include <charconv>

#include "interlace/core/error.h"

namespace interlace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    std::size_t begin = 0;
    for (;;) {
        const std::size_t end = text.find(separator, begin);
        pieces.emplace_back(text.substr(begin, end - begin));
        if (end == std::string_view::npos) return pieces;
        begin = end + 1;
    }
}

std::uint64_t parse_integer(std::string_view text, std::string_view what, std::uint64_t low,
                            std::uint64_t high) {
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || status != std::errc{} || end != text.data() + text.size() || value < low ||
        value > high)
        throw InputError(std::string(what) + " '" + std::string(text) + "'",
                         "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    return value;
}

}  // namespace interlace
