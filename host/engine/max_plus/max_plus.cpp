// Interlace: when a program's packets arrive if nothing ever waits for room
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/max_plus/max_plus.h"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace interlace {

std::uint64_t max_plus_time(const Network& network, const Program& program, const HopTimes& times) {
    constexpr std::uint64_t never = UINT64_MAX;
    std::vector<std::uint64_t> held(std::size_t{network.node_count()} * program.packet_count(), never);
    const auto at = [&](NodeId node, PacketId packet) -> std::uint64_t& {
        return held[std::size_t{node} * program.packet_count() + packet];
    };
    std::fill_n(
        held.begin() + static_cast<std::ptrdiff_t>(std::size_t{program.source()} * program.packet_count()),
        program.packet_count(), 0);

    std::vector<std::uint32_t> next(program.lane_count(), 0);
    std::vector<std::uint64_t> free(program.lane_count(), 0);
    std::vector<std::vector<std::uint32_t>> lanes(network.node_count());  // that leave a node
    for (std::uint32_t lane = 0; lane < program.lane_count(); ++lane)
        lanes[network.origin(program.link(lane))].push_back(lane);

    // Arrivals in the order of time; a lane is looked at when it may have something to send.
    using Arrival = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;  // time, node, packet
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals;
    std::uint64_t sent = 0;
    const auto run = [&](std::uint32_t lane) {
        const NodeId node = network.origin(program.link(lane));
        const auto sends = program.sends(lane);
        for (; next[lane] < sends.size(); ++next[lane], ++sent) {
            const std::uint64_t since = at(node, sends[next[lane]]);
            if (since == never) return;
            const std::uint64_t start = std::max(since, free[lane]);
            free[lane] = start + std::max(times.packet, times.pace);
            const std::uint64_t latency = times.latency ? times.latency(program.link(lane)) : 0;
            arrivals.emplace(start + times.packet + times.overhead + latency,
                             network.target(program.link(lane)), sends[next[lane]]);
        }
    };
    for (const std::uint32_t lane : lanes[program.source()]) run(lane);
    std::uint64_t last = 0;
    while (!arrivals.empty()) {
        const auto [time, node, packet] = arrivals.top();
        arrivals.pop();
        last = time;
        if (at(NodeId{node}, PacketId{packet}) != never) continue;
        at(NodeId{node}, PacketId{packet}) = time;
        for (const std::uint32_t lane : lanes[node]) run(lane);
    }
    if (sent != program.send_count()) throw std::logic_error("a lane waits for a packet that never comes");
    return last;
}

}  // namespace interlace
