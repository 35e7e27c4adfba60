// Interlace: files that appear whole or not at all
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>

#include "interlace/core/error.h"

namespace interlace {

/// Lets `write` fill a file beside `path` and then moves it there, so that a failure leaves nothing
/// half-written.
inline void write_whole_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
    const std::string partial = path + ".part";
    std::ofstream out(partial);
    if (out) write(out);
    out.close();
    if (!out || std::rename(partial.c_str(), path.c_str()) != 0) {
        std::remove(partial.c_str());
        throw InputError("cannot write '" + path + "'", "a file in a folder that can be written to");
    }
}

}  // namespace interlace
