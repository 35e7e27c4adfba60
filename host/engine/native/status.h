// Interlace: the bits of status_o (docs/node.md, section 8)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace interlace::native {

enum Status : std::uint8_t {
    fine = 0,
    overflow = 1,
    malformed = 2,
    misrouted = 4,
    credit_error = 8,
    too_long = 16
};

}  // namespace interlace::native
