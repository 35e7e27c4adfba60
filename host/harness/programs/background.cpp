// Interlace: unicast traffic under a program
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "background.h"

namespace interlace {

Background::Background(const Fabric& fabric, const TrafficOptions& options, Lanes& lanes,
                       const MadePacket& made)
    : lanes_(lanes),
      o_(options),
      packets_(fabric, options.mix, options.seed, made, lanes.packet_count()),
      generator_(fabric.nodes, options) {
    check_traffic(fabric, options);
}

void Background::make(std::uint64_t cycle) {
    generator_.make(cycle, [&](std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
        const TrafficPackets::Made made = packets_.make(from, to, flits, cycle);
        lanes_.enqueue_other(made.queue, made.packet);
    });
}

std::uint32_t Background::take(const std::vector<Reception>& receptions, std::uint64_t cycle) {
    std::uint32_t taken = 0;
    for (const Reception& reception : receptions) {
        if (lanes_.owns(reception.packet)) continue;
        packets_.take(reception, cycle);
        ++taken;
    }
    return taken;
}

}  // namespace interlace
