// Interlace: reading numbers and lists from a user's text, and what a text is known by
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace interlace {

/// The pieces of `text` between `separator`s; at least one, possibly empty.
std::vector<std::string> split(std::string_view text, char separator);

/// Of a name whose parameters stand behind a colon, as in "torus:8x8", the part before it; a name without is
/// all of it.
std::string_view before_colon(std::string_view name);
/// What may be the name of a file in a value such as "trace.csv", "graph:links.csv" or
/// "graph:links.csv:hosts=16": all of it, what stands behind its first colon, and of that what stands before
/// its last one.
std::vector<std::string> file_names_in(const std::string& value);

/// `text` without the mark U+FEFF that some editors and spreadsheets write in front of UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

/// UTF-16, which begins with a byte order mark, as UTF-8 without one; any other text as it is. Throws
/// InputError where it begins so and is no UTF-16.
std::string utf8_of(std::string text);

/// A whole number in [low, high], all of `text` and nothing else, without zeros in front. Throws InputError
/// that names `what`.
std::uint64_t parse_integer(std::string_view text, std::string_view what, std::uint64_t low,
                            std::uint64_t high);

/// A number, all of `text` and nothing else; not infinite. Throws InputError that names `what`.
double parse_number(std::string_view text, std::string_view what);

/// Bytes: "65536", "64KiB", "1MiB", "2GiB" (powers of 1024), "64kB", "1MB", "2GB" (of 1000). Throws
/// InputError that names `what`.
std::uint64_t parse_bytes(std::string_view text, std::string_view what);

/// What a text is known by: 32 hexadecimal digits, XXH3 of 128 bits.
std::string fingerprint(std::string_view text);

}  // namespace interlace
