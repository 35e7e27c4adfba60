// Interlace: the best torus, twisted torus or interlaced bypass torus of so many nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interlace/core/names.h"
#include "interlace/measure/json_result.h"
#include "interlace/network/list_lattices.h"
#include "interlace/network/metrics.h"

namespace interlace {

/// What networks are ranked by: uniform, the capacity by any routing, in flits/node/cycle; alltoall, a lower
/// bound on the steps of an exchange in which every node sends a packet to every other one; worst, the load
/// in flits/node/cycle that the default routing of the node `wide` guarantees under any permutation;
/// mean_distance, in links; broadcast, the steps of a global broadcast of 32 packets by `optimal`.
enum class TopologyObjective : std::uint8_t { uniform, alltoall, worst, mean_distance, broadcast };
/// By name.
Choices topology_objectives();
TopologyObjective parse_topology_objective(const std::string& name);

struct TopologySearch {
    std::uint32_t nodes = 0;   ///< 3 to 2^24
    std::uint32_t degree = 0;  ///< of every node, at most, 2 or more; 0: any
    TopologyObjective objective = TopologyObjective::uniform;
    std::uint32_t dimensions = 0, lengths = 0;  ///< as of LatticeQuery; lengths: of iBTs
    std::uint32_t jobs = 1;                     ///< threads
    Twists twists = Twists::half;               ///< as of LatticeQuery
};

struct RankedTopology {
    std::string network;
    Metrics metrics;
    double value = 0;  ///< of the objective
    /// Of all cables, in distances of neighbouring nodes, where rings are folded and dimensions lie in turn
    /// along the two axes of a plane.
    std::uint64_t wire_length = 0;
};

/// Every torus, twisted torus and iBT of so many nodes and this degree, each once (list_lattices()), the best
/// first; of equal ones that with the shortest wires. `progress` hears of the share that is done. Throws
/// InputError where there is none.
std::vector<RankedTopology> search_topologies(const TopologySearch& search,
                                              const std::function<void(double)>& progress = {});

/// As RankedTopology::wire_length.
std::uint64_t folded_wire_length(const Lattice& lattice);

Json to_json(const TopologySearch& search, const std::vector<RankedTopology>& ranked);

}  // namespace interlace
