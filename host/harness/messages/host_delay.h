// Interlace: how late hosts know
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace interlace {

/// From a head's entering a link to the first cycle in which the host that wrote it, having seen that in the
/// credits of its injection queue, can write another one to be on the link as if it had known at once; and
/// from a packet's end on the last link to the first in which its host can answer likewise. Both go by the
/// two cycles from a host to the link (docs/node.md, section 7).
inline constexpr std::uint32_t host_delay = 3;
/// From a head on inj_flit_i to the link.
inline constexpr std::uint32_t host_to_link = 2;

}  // namespace interlace
