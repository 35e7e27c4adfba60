// Interlace: window, time-out and buffer of the links of a fabric, for all engines (docs/links.md, section 6)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/machine/link_settings.h"

#include <algorithm>
#include <bit>

namespace interlace {
namespace {

/// Cycles after a frame's own on the wire until the link is told, and its sender can send another in its
/// place: docs/links.md, section 5, on the longest link.
std::uint32_t longest_round_trip(const Fabric& f) {
    std::uint32_t longest = 0;
    for (std::uint32_t v = 0; v < f.nodes; ++v)
        for (std::uint32_t p = 0; p < f.ports; ++p) {
            const FarPort far = f.to(v, p);
            if (far.linked())
                longest = std::max(longest, f.flit_delay(v, p) + f.credit_delay(far.node, far.port));
        }
    return longest + 4;
}

}  // namespace

LinkSettings link_settings(const Fabric& f) {
    const std::uint32_t round_trip = longest_round_trip(f);
    const std::uint32_t c = f.links.cycles_per_flit;
    const std::uint32_t enough = (round_trip + c - 1) / c;
    const std::uint32_t timeout = 4 * (round_trip + c);  // Fabric sees to it that this and the window fit
    return {.window = f.links.replay_flits > 0 ? f.links.replay_flits : enough,
            .cycles_per_flit = c,
            .timeout = timeout,
            .refresh = timeout / 4};
}

std::uint32_t link_buffer(const Fabric& f) {
    // Credits of the channels behind a link. A packet in an escape channel may give its slot back with its
    // head.
    const std::uint64_t escapes = f.adaptive() ? 2 : 0;
    const std::uint64_t flits =
        std::uint64_t{f.vcs} * f.parameters.vc_depth + escapes * f.parameters.packet_flits;
    return static_cast<std::uint32_t>(std::bit_ceil(std::clamp<std::uint64_t>(flits, 2, 32'768)));
}

}  // namespace interlace
