// Interlace: schedules of collectives in which every node does what its class does
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/symmetric_schedule.h"

#include <algorithm>
#include <numeric>

namespace interlace {

Translations::Translations(const Network& network) {
    if (network.lattice() && network.lattice()->wraps()) {
        lattice_ = &*network.lattice();
        firsts_.assign(lattice_->species_count(), NodeId{0});
        std::vector<bool> found(firsts_.size(), false);
        for (std::uint32_t v = 0, left = classes(); left > 0; ++v) {
            const std::uint32_t c = class_of(NodeId{v});
            if (found[c]) continue;
            found[c] = true;
            firsts_[c] = NodeId{v};
            --left;
        }
    } else {
        for (std::uint32_t v = 0; v < network.node_count(); ++v) firsts_.emplace_back(v);
    }
}

std::uint32_t SymmetricSchedule::steps() const {
    std::uint32_t last = 0;
    for (const auto& of_class : sends)
        for (const RelativeSend& send : of_class) last = std::max(last, send.step);
    return last;
}

std::uint64_t SymmetricSchedule::send_count(const Network& network) const {
    const std::uint64_t sum =
        std::accumulate(sends.begin(), sends.end(), std::uint64_t{0},
                        [](std::uint64_t before, const auto& of_class) { return before + of_class.size(); });
    return sum * network.node_count() / sends.size();
}

std::vector<TimedSend> all_sends(const Network& network, const SymmetricSchedule& schedule) {
    const Translations translations(network);
    const std::uint32_t packets_of_node = schedule.chunks * (schedule.exchange ? network.node_count() : 1);
    std::vector<TimedSend> all;
    all.reserve(schedule.send_count(network));
    std::vector<std::size_t> next(schedule.sends.size(), 0);
    for (std::uint32_t step = 1, steps = schedule.steps(); step <= steps; ++step) {
        std::vector<std::size_t> end = next;
        for (std::size_t c = 0; c < end.size(); ++c)
            while (end[c] < schedule.sends[c].size() && schedule.sends[c][end[c]].step == step) ++end[c];
        for (std::uint32_t origin = 0; origin < network.node_count(); ++origin) {
            const std::uint32_t c = translations.class_of(NodeId{origin});
            for (std::size_t i = next[c]; i < end[c]; ++i) {
                const RelativeSend& send = schedule.sends[c][i];
                const NodeId from = translations.moved(send.from, NodeId{origin});
                std::uint32_t of_origin = send.chunk;
                if (schedule.exchange)
                    of_origin = translations.moved(NodeId{send.chunk / schedule.chunks}, NodeId{origin}) *
                                    schedule.chunks +
                                send.chunk % schedule.chunks;
                all.push_back({step, from, network.neighbours(from)[send.port],
                               PacketId{origin * packets_of_node + of_origin}});
            }
        }
        next = std::move(end);
    }
    return all;
}

}  // namespace interlace
