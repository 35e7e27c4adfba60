// Interlace: an all-to-all exchange on a torus in which all nodes do the same
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/exchange_schedule.h"

namespace interlace {

std::vector<TimedSend> all_sends(const Network& network, const ExchangeSchedule& schedule) {
    const Lattice& torus = network.lattice_for("an exchange by offsets");
    const std::uint32_t nodes = network.node_count();
    std::vector<NodeId> at(std::size_t{nodes} * schedule.chunks,
                           NodeId{0});  // [job]: of the packet of node 0
    std::vector<TimedSend> all;
    for (std::uint32_t step = 1; step <= schedule.steps(); ++step)
        for (std::uint32_t port = 0; port < schedule.ports; ++port) {
            const std::uint32_t job = schedule.job[std::size_t{step - 1} * schedule.ports + port];
            if (job == ExchangeSchedule::none) continue;
            const NodeId offset{job / schedule.chunks};
            for (std::uint32_t origin = 0; origin < nodes; ++origin) {
                const NodeId from = torus.translate(at[job], NodeId{0}, NodeId{origin});
                const std::uint32_t to = torus.translate(offset, NodeId{0}, NodeId{origin});
                all.push_back({step, from, network.neighbours(from)[port],
                               PacketId{(origin * nodes + to) * schedule.chunks + job % schedule.chunks}});
            }
            at[job] = network.neighbours(at[job])[port];
        }
    return all;
}

}  // namespace interlace
