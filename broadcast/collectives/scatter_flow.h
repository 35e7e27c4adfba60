// Interlace: scatters as flows over time
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// The packets of a scatter in so many steps are a flow in the time-expanded network: a copy of each node a
/// step, an arc of capacity 1 for each link and step, and nodes that keep packets (Ford and Fulkerson 1958).
/// Those for a node leave the flow there.
class ScatterFlow {
  public:
    /// With a node: that one's packets alone.
    ScatterFlow(const Network& network, NodeId root, std::uint32_t chunks, std::uint32_t steps,
                std::optional<NodeId> only = {});

    /// Whether so many flows of so many steps are soon found.
    static bool is_small(const Network& network, std::uint32_t steps, std::uint64_t flows = 1);

    /// Packets that arrive at most.
    std::uint64_t most() const { return most_; }
    /// A least cut: [node], from which step on it is on the root's side; steps + 1: never.
    const std::vector<std::uint32_t>& cut() const { return cut_; }
    /// The flow, where all packets arrive: by step; packet node * chunks + chunk.
    std::vector<TimedSend> sends() const;

  private:
    struct Move {
        NodeId from, to;
    };

    std::uint32_t nodes_, chunks_;
    NodeId root_;
    std::uint64_t most_ = 0;
    std::vector<std::uint32_t> cut_;
    std::vector<std::vector<Move>> moves_;  // [step - 1]
};

/// The fewest steps from `first` to `enough` in which all packets arrive, known to be `enough` if no fewer
/// are, and how many packets arrive in one step less. Searched in growing strides, then by halves, as long as
/// `flows` such flows are soon found.
struct FewestSteps {
    std::uint32_t steps;
    std::uint64_t packets_before;  ///< 0: steps is `first`
};
FewestSteps fewest_steps(const Network& network, NodeId root, std::uint32_t chunks, std::uint32_t first,
                         std::uint32_t enough, std::uint64_t flows);

}  // namespace interlace
