// Interlace: what every target of libFuzzer shares
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "interlace/core/error.h"

/// libFuzzer calls this with everything that it makes up.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace interlace {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// The file with this content; the same name each time.
inline std::string file_with(const std::string& content) {
    static const std::string path = "/tmp/interlace-fuzz-" + std::to_string(::getpid());
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
    return path;
}

/// What a reader may end in: it has read, or it says what is wrong. Any other exception is a finding, as is
/// what the sanitizers see.
template <class Read>
int read_or_refuse(const Read& read) {
    try {
        read();
    } catch (const InputError&) {
        return 0;
    }
    return 0;
}

}  // namespace interlace
