// Interlace: what experiments on clusters have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interlace/harness/message_run.h"
#include "interlace/measure/json_result.h"

namespace interlace {

/// How far an experiment goes: to its plan, to the program that carries it out (proved), or to the end.
enum class Until { plan, program, run };

struct ClusterExperiment {
    std::string network;           ///< cluster:FILE.yaml, or a torus, mesh, ibt or graph of machines
    std::string tree = "bfs";      ///< bfs, dfs or random: the spanning tree
    std::uint32_t root = 0;        ///< the switch that it begins at
    std::string routing = "tree";  ///< tree, or up_down: over all links, where no schedule needs the tree
    std::string engine = "event";  ///< or native, systemc, rtl
    std::string lockstep;          ///< cycle engines, as in rtl,systemc, that run beside, pin by pin
    std::vector<std::string> overrides;  ///< "event.frame.mtu=1000" and so on
    std::uint64_t seed = 1;
};

/// The cluster, its spanning tree, its routes and what its switches and machines are.
struct Cluster {
    /// `warn` gets the note on switches that take no part. Throws InputError.
    Cluster(const ClusterExperiment& experiment, const std::function<void(const std::string&)>& warn);
    Network network;
    SwitchTree tree;
    Routes routes;
    EventParameters parameters;
    ClusterExperiment experiment;

    /// On the experiment's engine. Throws InputError for what that cannot represent.
    MessageRun run(const MessageProgram& program) const;
    /// Of all links of the tree, the longest time (in seconds) for `crossing(here, there)` bytes, where
    /// `here` machines are on the link's near side and `there` beyond it.
    double slowest_link(const std::function<double(double here, double there)>& crossing) const;
};

/// The keys schema, network, tree, root, routing, engine, lockstep, event, seed.
Json to_json(const ClusterExperiment& experiment, const EventParameters& parameters);

/// The keys seconds, packets, packets_dropped, packets_sent_again, longest_queue; of a cycle engine cycles
/// and queues.
void add_result(Json& json, const MessageRun& result);

}  // namespace interlace
