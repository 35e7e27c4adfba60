// Interlace: reading numbers and lists from a user's text, and what a text is known by
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/text.h"

#include <iconv.h>

#include <charconv>
#include <cmath>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

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

std::string_view before_colon(std::string_view name) {
    return name.substr(0, name.find(':'));
}

std::vector<std::string> file_names_in(const std::string& value) {
    std::vector<std::string> names = {value};
    const std::size_t first = value.find(':');
    if (first == std::string::npos) return names;
    names.push_back(value.substr(first + 1));
    const std::size_t last = value.rfind(':');
    if (last > first) names.push_back(value.substr(first + 1, last - first - 1));
    return names;
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::string utf8_of(std::string text) {
    if (!text.starts_with("\xff\xfe") && !text.starts_with("\xfe\xff")) return text;
    const iconv_t converter = ::iconv_open("UTF-8", "UTF-16");  // which takes the mark away
    std::string utf8(text.size() / 2 * 3, '\0');                // a unit of two bytes becomes three at most
    char* from = text.data();
    char* to = utf8.data();
    std::size_t left = text.size(), room = utf8.size();
    const bool converted = ::iconv(converter, &from, &left, &to, &room) != static_cast<std::size_t>(-1);
    ::iconv_close(converter);
    if (!converted)
        throw InputError("byte " + std::to_string(text.size() - left) + " is no UTF-16",
                         "UTF-8, or UTF-16 as its byte order mark says");
    utf8.resize(utf8.size() - room);
    return utf8;
}

std::uint64_t parse_integer(std::string_view text, std::string_view what, std::uint64_t low,
                            std::uint64_t high) {
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool zeros = text.size() > 1 && text.front() == '0';  // 010 is eight to C and to YAML 1.1
    if (text.empty() || status != std::errc{} || end != text.data() + text.size() || value < low ||
        value > high || zeros)
        throw InputError("cannot use " + std::string(what) + " '" + std::string(text) + "'",
                         "a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
                             (zeros ? ", without a 0 in front" : ""));
    return value;
}

double parse_number(std::string_view text, std::string_view what) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        throw InputError("cannot use " + std::string(what) + " '" + std::string(text) + "'", "a number");
    return value;
}

std::uint64_t parse_bytes(std::string_view text, std::string_view what) {
    constexpr std::pair<std::string_view, std::uint64_t> units[] = {
        {"KiB", 1024}, {"MiB", 1024 * 1024}, {"GiB", 1024 * 1024 * 1024},
        {"kB", 1000},  {"MB", 1'000'000},    {"GB", 1'000'000'000},
        {"B", 1}};
    std::uint64_t unit = 1;
    std::string_view number = text;
    for (const auto& [name, bytes] : units)
        if (text.ends_with(name)) {
            unit = bytes;
            number.remove_suffix(name.size());
            break;
        }
    try {
        return parse_integer(number, what, 0, (std::uint64_t{1} << 40U) / unit) * unit;
    } catch (const InputError&) {
        throw InputError("cannot use " + std::string(what) + " '" + std::string(text) + "'",
                         "bytes up to 1024 GiB, as in 65536, 64KiB (65536) or 64kB (64000)");
    }
}

std::string fingerprint(std::string_view text) {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits(text.data(), text.size()));
    std::string digits;
    for (const unsigned char byte : bytes.digest)
        for (const unsigned nibble : {byte / 16U, byte % 16U}) digits += "0123456789abcdef"[nibble];
    return digits;
}

}  // namespace interlace
