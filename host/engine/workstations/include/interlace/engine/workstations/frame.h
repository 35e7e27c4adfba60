// Interlace: a piece of a message on its way
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/core/ids.h"

namespace interlace {

struct MessageFrame {
    std::uint32_t message;
    std::uint32_t bytes;  ///< on the wire
    NodeId from, to;
    std::uint32_t number;  ///< among those from `from` to `to`, where these have flows (Flows)
    bool last;             ///< of its message
    std::uint32_t index;   ///< in its message
};

}  // namespace interlace
