// Interlace: networks in parts, which prove that all-reduces take so many steps
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/program/check_time_cut.h"

namespace interlace {

/// Says why an all-reduce takes more than so many steps: a network in k parts sends 2 (k - 1) packets or more
/// between parts for each sum. Until a part has the sum, each other one sends once, and after that each other
/// one gets something (one-way gossip: Harary and Schwenk, "The communication problem on graphs and
/// digraphs", 1974). The largest such bound is that of the strength of a graph, which spanning trees attain
/// (Tutte 1961, Nash-Williams 1961).
struct PartsCut {
    std::uint32_t steps = 0;          ///< that are too few, if the parts prove what they claim
    std::uint64_t packets = 0;        ///< sums
    std::vector<std::uint32_t> part;  ///< [node]: any numbers
};

/// By counting parts and the links between them: packets that have to cross, and that can. Throws InputError
/// for parts that are not as many as nodes.
CheckedCut check_parts_cut(const Network& network, const PartsCut& cut);

}  // namespace interlace
