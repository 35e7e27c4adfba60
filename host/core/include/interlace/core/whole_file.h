// Interlace: files that are read whole, and appear whole or not at all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "interlace/core/error.h"

namespace interlace {

/// All of a file; `expected` says what it should be ("a YAML file"). Throws InputError.
inline std::string read_whole_file(const std::string& path, const std::string& expected) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError("cannot read '" + path + "'", expected);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Lets `write` fill a file beside `path` and then moves it there, so that a failure leaves nothing
/// half-written. A link's file is the one that is meant; a device or pipe is written to as it is.
inline void write_whole_file(const std::string& name, const std::function<void(std::ostream&)>& write) {
    std::error_code ignored;
    const bool regular = std::filesystem::is_regular_file(name, ignored);
    const bool in_place = !regular && std::filesystem::exists(name, ignored);
    const std::string path = regular ? std::filesystem::canonical(name, ignored).string() : name;
    const std::string partial = in_place ? path : path + ".part";
    std::ofstream out(partial);
    if (out) write(out);
    out.close();
    if (!out || (!in_place && std::rename(partial.c_str(), path.c_str()) != 0)) {
        if (!in_place) std::remove(partial.c_str());
        throw InputError("cannot write '" + name + "'", "a file in a folder that can be written to");
    }
}

}  // namespace interlace
