// Interlace: a user's text inside a message
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace interlace {

/// What one_line() keeps of a longer text, in bytes: its beginning and its end.
inline constexpr std::size_t line_begin = 3'000, line_end = 1'000;

/// `text` without its middle where it is longer than that, cut between UTF-8 characters.
inline std::string without_middle(std::string_view text) {
    if (text.size() <= line_begin + line_end) return std::string(text);
    const auto begins = [&](std::size_t at) {
        while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80) --at;
        return at;
    };
    const std::size_t first = begins(line_begin), second = begins(text.size() - line_end);
    return std::string(text.substr(0, first)) + " [... " + std::to_string(second - first) + " bytes ...] " +
           std::string(text.substr(second));
}

/// The text with control characters as C writes them (a line feed as \n, others as \x1b), so that it stays on
/// one line and a terminal shows it; without_middle().
inline std::string one_line(std::string_view long_text) {
    constexpr std::string_view digits = "0123456789abcdef";
    const std::string text = without_middle(long_text);
    std::string line;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '\n')
            line += "\\n";
        else if (code < 0x20 || code == 0x7f)
            line += {'\\', 'x', digits[code >> 4U], digits[code & 15U]};
        else
            line += c;
    }
    return line;
}

}  // namespace interlace
