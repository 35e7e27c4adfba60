// Interlace: an all-to-all exchange on a torus in which all nodes of a class do the same
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// In each step every node of class c sends by output `port` the packet that has gone part of the way of the
/// job in `job[((step - 1) * classes() + c) * ports + port]`, which is (offset * chunks + chunk) * classes()
/// + the class of the packet's origin, the offset as the number of the node to which it leads from node 0.
/// The origin itself is not said: whatever the order of its hops, it is the only one of the job at that node.
struct ExchangeSchedule {
    static constexpr std::uint32_t none = UINT32_MAX;
    std::uint32_t ports = 0, chunks = 1;
    /// A dimension of an even number of nodes: those whose coordinate there is even are class 0, the others
    /// class 1. none: all are of one class.
    std::uint32_t split = none;
    std::vector<std::uint32_t> job;  ///< 4 bytes a step, class and port

    std::uint32_t classes() const { return split == none ? 1 : 2; }
    std::uint32_t steps() const {
        return ports == 0 ? 0 : static_cast<std::uint32_t>(job.size() / (std::size_t{classes()} * ports));
    }
};

/// All sends of all nodes, by step; packet (origin * N + destination) * chunks + chunk. The network is a
/// torus with fewer than 2^32 of them.
std::vector<TimedSend> all_sends(const Network& network, const ExchangeSchedule& schedule);

}  // namespace interlace
