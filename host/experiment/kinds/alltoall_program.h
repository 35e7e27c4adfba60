// Interlace: a complete exchange's program: what is chosen by name, planned, proven and run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/broadcast/cluster/exchange.h"
#include "interlace/broadcast/cluster/shuffle.h"
#include "interlace/core/names.h"
#include "interlace/experiment/kinds/alltoall.h"

namespace interlace {

enum class AllToAllAlgorithm { scheduled, tuned, best, pairwise, staggered, post_all, shuffle };
inline constexpr Names<AllToAllAlgorithm, 7> alltoall_algorithm_names = {
    {{"scheduled", AllToAllAlgorithm::scheduled, "in contention-free phases"},
     {"tuned", AllToAllAlgorithm::tuned, "the fastest synchronisation of those phases, after running all"},
     {"best", AllToAllAlgorithm::best, "the fastest of all algorithms, after running all"},
     {"pairwise", AllToAllAlgorithm::pairwise, "in step i with the machine i away"},
     {"staggered", AllToAllAlgorithm::staggered, "post all sends, nearest machine first"},
     {"post_all", AllToAllAlgorithm::post_all, "post all sends in the order of machines"},
     {"shuffle", AllToAllAlgorithm::shuffle, "packet by packet, each time to another machine"}}};

inline constexpr Names<Synchronisation, 10> alltoall_sync_names = {
    {{"none", {Synchronisation::Pairs::none, 1, false, false, false}},
     {"dummy", {Synchronisation::Pairs::none, 1, false, false, true}},
     {"sender_all", {Synchronisation::Pairs::sender, 1, false, false, false}},
     {"sender_partial", {Synchronisation::Pairs::sender, 8, false, false, false}},
     {"receiver_all", {Synchronisation::Pairs::receiver, 1, false, false, false}},
     {"receiver_partial", {Synchronisation::Pairs::receiver, 8, false, false, false}},
     {"barrier_all", {Synchronisation::Pairs::none, 1, true, false, false}},
     {"barrier_partial_none", {Synchronisation::Pairs::none, 8, true, false, false}},
     {"barrier_partial_sender", {Synchronisation::Pairs::sender, 8, true, true, false}},
     {"barrier_partial_receiver", {Synchronisation::Pairs::receiver, 8, true, true, false}}}};

inline constexpr Names<Permutation, 3> alltoall_permutation_names = {
    {{"shift", Permutation::shift},
     {"xor", Permutation::exclusive_or},
     {"edge_colour", Permutation::edge_colour}}};

/// Whether the phases of such a synchronisation stand in blocks.
bool in_blocks(const std::string& sync);

/// Machines of each switch that has any; 0 where they are not as many everywhere.
std::uint32_t machines_per_switch(const SwitchTree& tree);

/// The switch with the smallest capacity; null if all are infinite.
const SwitchParameters* smallest_switch(const Cluster& cluster);

/// Whether the packets of a shuffle, which are operations and kept, are few enough.
bool shuffle_fits(const AllToAllExperiment& experiment, const Cluster& cluster);

/// What the algorithm has to know before there is a program: phases and their root, or a window. Throws
/// InputError, or std::logic_error where a checker finds a fault.
void plan(AllToAllRun& run, const Cluster& cluster);

/// Proves the program of a plan and runs it as far as is asked for. Throws std::logic_error where a checker
/// finds a fault, FellShort for a run that does not end.
void carry_out(AllToAllRun& run, const Cluster& cluster, const RunListener& listener);

}  // namespace interlace
