// Interlace: a user's text inside a message
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace interlace {

/// The text with control characters as C writes them (a line feed as \n, others as \x1b), so that it stays on
/// one line and a terminal shows it.
inline std::string one_line(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
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
