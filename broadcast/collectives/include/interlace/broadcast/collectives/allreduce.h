// Interlace: all-reduces along spanning trees, and what no all-reduce can do without
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/program/check_parts.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// What no all-reduce of `chunks` packets a node can do without: steps, and why.
struct AllReduceBound {
    enum class Kind : std::uint8_t {
        sends,     ///< `packets` packets have to go between `parts` parts of the network, over `links` links
        distance,  ///< `packets` packets have to come from `from` to `to`, by `links` links of one of them
        flow       ///< in a step less at most `packets` of them get from `from` to `to`
    };
    Kind kind = Kind::sends;
    std::uint32_t steps = 0;
    std::uint64_t packets = 0, links = 0;
    std::uint32_t parts = 0;
    NodeId from{0}, to{0};
    PartsCut cut;                  ///< of sends: the parts that prove the steps
    std::uint32_t link_steps = 0;  ///< by sends, where another bound is larger, too
};

/// The largest of three. Of parts: all nodes by themselves, and what is left together without the links that
/// trees need most. Of two nodes: their distance and links. By flows over time (scatter.h), on networks that
/// are small enough. Throws InputError where a node does not reach another.
AllReduceBound allreduce_bound(const Network& network, std::uint32_t chunks);

struct TreeOptions {
    std::uint64_t seed = 1;
    std::uint64_t effort = 10'000'000;           ///< work to spend, in packets sent
    std::uint32_t fewer_than = UINT32_MAX;       ///< steps of a schedule that is there already
    std::uint32_t enough = 0;                    ///< steps than which none has fewer
    std::function<void(double share)> progress;  ///< of the effort
};

/// An all-reduce in which each packet has a spanning tree of its own. A node sends towards a neighbour in the
/// tree once it has what comes from all its other ones: the sum grows from the leaves until it is whole at a
/// node, or on both sides of a link, and goes back. Packets are at different stages at a time, which fills
/// links that a reduce-scatter before an all-gather leaves empty. Trees are drawn at random, each by the
/// links that the others use least, and exchanged as long as that helps. By step; none where no such schedule
/// with fewer steps was found, where links without one in the other direction are needed, or for more than
/// 2^22 packets at nodes.
std::optional<std::vector<ReducingSend>> allreduce_on_trees(const Network& network, std::uint32_t chunks,
                                                            const TreeOptions& options = {});

}  // namespace interlace
