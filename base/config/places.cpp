// Interlace: where a file has what a run found wrong
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/config/places.h"

#include <fmt/format.h>

#include "interlace/core/one_line.h"

namespace interlace {
namespace {

/// The error that says `line`.
InputError error_of(const std::string& line) {
    constexpr std::string_view expected = "; expected ";
    const std::size_t at = line.find(expected);
    if (at == std::string::npos) return {line, "another value"};
    return {line.substr(0, at), line.substr(at + expected.size())};
}

}  // namespace

Place place_of(ConfigMap config, const std::string& path) {
    const std::size_t dot = path.find('.');
    const std::string key = path.substr(0, dot);
    if (dot == std::string::npos || !config.has(key) || !config.is_map(key)) return config.place(key);
    return place_of(config.map(key), path.substr(dot + 1));
}

InputError with_place(const ConfigMap& config, const std::string& file, const InputError& error) {
    const std::string what = error.what();
    for (const auto& [path, value] : ConfigMap(config).rest()) {
        const std::string override = one_line(fmt::format("--set {}={}", path, value)) + ": ";
        if (!what.starts_with(override)) continue;
        std::string rest = what.substr(override.size());
        const std::string key = path.substr(path.rfind('.') + 1) + ": ";  // which the place has, too
        if (rest.starts_with(key)) rest.erase(0, key.size());
        return error_of(rest).at(place_of(config, path));
    }
    if (const auto* value = dynamic_cast<const ValueError*>(&error))
        return error.at(place_of(config, value->path()));
    return error.at(file);
}

}  // namespace interlace
