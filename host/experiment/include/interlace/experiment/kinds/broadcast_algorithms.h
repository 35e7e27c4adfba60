// Interlace: the algorithms of pipelined broadcasts, by name
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interlace/broadcast/analysis/lower_bound.h"
#include "interlace/program/group.h"
#include "interlace/program/program.h"

namespace interlace {

/// What is to be planned.
struct BroadcastRequest {
    const Network& network;
    const Group& group;  ///< who receives, and which links may be used
    NodeId source;
    std::vector<std::uint32_t> axes;  ///< of the group; none for a list of nodes, and without coordinates
    std::uint32_t packets = 1;
    std::string group_name;        ///< as the user wrote it
    std::string algorithm;         ///< likewise
    std::string pattern = "best";  ///< of the paper's algorithm
    std::string schedule;          ///< a file, of the algorithm schedule
    std::uint64_t seed = 1;
    std::function<void(double share)> progress;  ///< empty, or to be called now and then
};

/// Every send of the broadcast. Of each link they are carried out in this order, each as soon as its node
/// has the packet.
struct BroadcastPlan {
    std::vector<Send> sends;
    std::vector<std::uint32_t> patterns;  ///< of each colour, where the algorithm has them
    std::vector<std::uint32_t> split;     ///< packets of each colour, likewise
    LowerBound bound;                     ///< steps 0: not computed with the plan
};

/// Throws InputError for groups and networks that the algorithm is not for.
using BroadcastPlanner = std::function<BroadcastPlan(const BroadcastRequest&)>;

struct BroadcastAlgorithm {
    const char* name;
    const char* text;  ///< what it is, in a phrase
    BroadcastPlan (*plan)(const BroadcastRequest&);
};

/// All of them: who adds one adds it here.
const std::vector<BroadcastAlgorithm>& broadcast_algorithms();

}  // namespace interlace
