// Interlace: what experiments on clusters have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interlace/core/names.h"
#include "interlace/experiment/experiment.h"
#include "interlace/harness/messages/message_run.h"
#include "interlace/measure/json_result.h"
#include "interlace/measure/sample.h"
#include "interlace/network/cluster.h"
#include "interlace/ranks/communicator.h"

namespace interlace {

/// Spanning trees; the ways that messages go; engines for messages.
Choices cluster_trees();
Choices cluster_routings();
Choices message_engines();

/// How far an experiment goes: to its plan, to the program that carries it out (proved), or to the end.
enum class Until { plan, program, run };

/// A cluster, as the user names it, and what runs messages on it.
struct ClusterOptions {
    std::string network;           ///< cluster:FILE.yaml, or a torus, mesh, ibt or graph of machines
    std::string tree = "bfs";      ///< bfs, dfs or random: the spanning tree
    std::uint32_t root = 0;        ///< the switch that it begins at
    std::string routing = "tree";  ///< tree, or up_down: over all links, where no schedule needs the tree
    std::string engine = "event";  ///< or native, systemc, rtl
    std::string lockstep;          ///< cycle engines, as in rtl,systemc, that run beside, pin by pin
    std::vector<std::string> overrides;  ///< "event.frame.mtu=1000" and so on
    std::uint64_t seed = 1;              ///< of a random tree, and of the first run
    /// Runs, as runs_of() takes them: of machines that are random (WorkstationParameters), and of any others
    /// whose switches are to settle ties in several ways.
    std::uint32_t seeds = 0;
    Communicator* ranks = &no_other_ranks();  ///< that run it together; no part of an experiment
};

/// Reads the keys network, tree, root, routing, engine, lockstep, event, seed and seeds. Throws InputError.
ClusterOptions read_cluster_options(ConfigMap& config);
/// Of a section's map: a message's bytes, as in 65536 or 64KiB. Leaves `bytes` where it has none.
void read_message(ConfigMap& section, std::uint64_t& bytes);
/// The same keys and schema.
Json to_json(const ClusterOptions& options, const EventParameters& parameters);

/// What all kinds have in common whose programs are of messages between the machines of a cluster.
struct MessageExperiment : Experiment {
    ClusterOptions cluster;
    Until until = Until::run;  ///< how far to go

    std::uint32_t runs() const override;
    /// The room of switches.
    std::vector<QueueToSize> queues() const override;
    std::vector<Measure> measures() const override;

  protected:
    EventParameters parameters() const;
};

/// What came of one program under one seed or several; without the times of operations.
struct MessageRuns {
    std::vector<MessageRun> runs;
    std::vector<LinksOfSpeed> links;  ///< of the cluster

    template <class Number>
    Sample sample(Number EventResult::*measure) const {
        return sample_of(runs, measure);
    }
    /// Until the last operation was complete.
    Sample seconds() const;
    /// Frames that were sent for each one that arrived: 1 where no switch drops any.
    Sample sends_per_packet() const;
    /// Cycles, of a cycle engine, and its queues in all runs.
    Sample cycles() const;
    Usage queues() const;
};

/// The link that an amount of bytes keeps busy for longest.
struct SlowestLink {
    double seconds = 0;
    std::string name;  ///< "a machine's link", or of a trunk as in "trunk s1-s2"
};

/// The cluster, its spanning tree, its routes and what its switches and machines are.
struct Cluster {
    /// `listener` gets a note on switches that take no part and on trunks that the tree leaves idle. Throws
    /// InputError.
    Cluster(const ClusterOptions& options, const RunListener& listener);
    Network network;
    SwitchTree tree;
    Routes routes;
    EventParameters parameters;
    ClusterOptions options;

    /// On the experiment's engine; called by all of its ranks. `ended` hears of every run, of which
    /// operations have their numbers in `program` (and more after them). Throws InputError for what the
    /// engine cannot represent.
    MessageRuns run(const MessageProgram& program, const RunListener& listener,
                    const std::function<void(const MessageRun&)>& ended = {}) const;
    /// Of all links of the tree, the one that takes longest for `crossing(here, there)` bytes, where `here`
    /// machines are on the link's near side and `there` beyond it.
    SlowestLink slowest_link(const std::function<double(double here, double there)>& crossing) const;

  private:
    MessageRun run_seed(const MessageProgram& program, std::uint64_t seed,
                        const std::function<void(double)>& progress) const;
};

/// The keys link_speeds (a list of {links, mbps, latency_us}), seconds, packets, packets_dropped,
/// sends_per_packet, packets_retransmitted, longest_queue; of a cycle engine cycles and queues. Of several
/// runs means, each with its Sample (add_sample), and queues of all.
void add_result(Json& json, const MessageRuns& result);

}  // namespace interlace
