// Interlace: an all-to-all broadcast on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "interlace/broadcast/cluster/rings.h"
#include "interlace/experiment/kinds/cluster.h"

namespace interlace {

struct AllGatherExperiment : MessageExperiment {
    std::string algorithm = "lr3";   ///< one of allgather_algorithms()
    std::uint64_t message = 65'536;  ///< bytes of each machine's message
    bool barriers = false;           ///< of a ring: after each of its P - 1 steps

    Json to_json() const override;
    Json run(const Preparation* prepared, const RunListener& listener) const override;
};

/// Of the section allgather: of messages of machines, or a CollectiveExperiment. Throws InputError.
std::unique_ptr<Experiment> read_allgather(ConfigMap& config);

/// Of both.
Choices allgather_algorithms();

struct AllGatherRun {
    AllGatherExperiment experiment;
    EventParameters parameters;
    std::optional<Ring> ring;           ///< of an algorithm that has one
    std::string contention;             ///< of the ring: empty if no two of its messages share a link
    std::uint32_t max_path_length = 0;  ///< switches on the longest path of a message
    /// No algorithm can be faster on this tree: all that has to cross a link, in as few frames as carry it,
    /// keeps the link busy for so long; and which link that is.
    SlowestLink lower_bound;
    /// Of a network without switches, whose nodes have all of their links to take in the others' messages.
    std::optional<double> all_links_seconds;
    MessageProgram program;             ///< as proved; empty where only the plan was asked for
    std::optional<MessageRuns> result;  ///< of a run
};

/// Builds the program, proves it with the independent checkers and runs it. Throws InputError for what the
/// user can mend, std::logic_error where a checker finds a fault.
AllGatherRun run_allgather(const AllGatherExperiment& experiment, const RunListener& listener = {});

Json to_json(const AllGatherRun& run);

}  // namespace interlace
