// Interlace: what a fabric's nodes have in their registers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/fabric/registers.h"

namespace interlace {

std::vector<std::pair<std::uint32_t, std::uint32_t>> common_registers(const Fabric& f) {
    const NodeParameters& p = f.parameters;
    const std::uint32_t coordinates =
        f.dimensions == 0
            ? 0
            : 1U | (f.wraps ? 2U : 0U) | (f.adaptive() ? 4U : 0U) | (f.by_coordinates() ? 8U : 0U);
    const std::uint32_t routing = coordinates | (p.turn_back ? 0U : 16U);
    const std::uint32_t service = (f.by_fullness() ? 1U << 21U : 0) | (f.by_hops() ? 1U << 22U : 0) |
                                  (f.by_level() ? p.round_robin_every << 24U : 0);
    const std::uint32_t slot = f.adaptive() || p.pipelined() ? p.packet_flits << 8U : 0;
    const std::uint32_t channels = f.adaptive()
                                       ? f.dynamic_channels() | f.escape_channel() << 4U |
                                             f.priority_channel() << 16U | (f.by_credits() ? 1U << 20U : 0)
                                       : 0;
    return {{Register::switching, static_cast<std::uint32_t>(p.switching)},
            {Register::vcs, f.all_channels()},
            {Register::vc_depth, p.vc_depth},
            {Register::reception_depth, p.reception_depth},
            {Register::receptions, f.layout},
            {Register::injection_depth, p.injection_depth},
            {Register::routing, routing},
            {Register::classes, f.classes()},
            {Register::cycles_per_flit, f.links.cycles_per_flit},
            {Register::adaptive, channels | slot | service}};
}

}  // namespace interlace
