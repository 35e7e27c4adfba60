// Interlace: an all-to-all exchange on a torus in which all nodes of a class do the same
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/exchange_schedule.h"

namespace interlace {

std::vector<TimedSend> all_sends(const Network& network, const ExchangeSchedule& schedule) {
    const Lattice& torus = network.lattice_for("an exchange by offsets");
    const std::uint32_t nodes = network.node_count();
    const std::uint32_t classes = schedule.classes();
    // [job]: how far its packets have come, as from node 0
    std::vector<NodeId> at(std::size_t{nodes} * schedule.chunks * classes, NodeId{0});
    std::vector<TimedSend> all;
    for (std::size_t i = 0; i < schedule.job.size(); ++i) {
        const std::uint32_t job = schedule.job[i];
        if (job == ExchangeSchedule::none) continue;
        const auto port = static_cast<std::uint32_t>(i % schedule.ports);
        const auto step = static_cast<std::uint32_t>(i / schedule.ports / classes + 1);
        const std::uint32_t packet = job / classes;
        for (std::uint32_t origin = 0; origin < nodes; ++origin) {
            if (classes == 2 && torus.coordinate(NodeId{origin}, schedule.split) % 2 != job % 2) continue;
            const NodeId from = torus.translate(at[job], NodeId{0}, NodeId{origin});
            const std::uint32_t to =
                torus.translate(NodeId{packet / schedule.chunks}, NodeId{0}, NodeId{origin});
            all.push_back({step, from, network.neighbours(from)[port],
                           PacketId{(origin * nodes + to) * schedule.chunks + packet % schedule.chunks}});
        }
        at[job] = network.neighbours(at[job])[port];
    }
    return all;
}

}  // namespace interlace
