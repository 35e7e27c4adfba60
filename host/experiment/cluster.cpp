// Interlace: what experiments on clusters have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/cluster.h"

#include <algorithm>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/network/cluster.h"

namespace interlace {
namespace {

constexpr Names<TreeKind, 3> tree_names = {
    {{"bfs", TreeKind::bfs}, {"dfs", TreeKind::dfs}, {"random", TreeKind::random}}};

}  // namespace

Cluster::Cluster(const ClusterExperiment& e, const std::function<void(const std::string&)>& warn)
    : network(as_cluster(make_network(e.network))),
      tree(network, value_of(tree_names, e.tree, "tree"), e.root, e.seed),
      parameters(event_parameters(e.network, e.overrides)),
      seed(e.seed) {
    if (e.engine != "event") throw InputError("engine '" + e.engine + "' for messages of machines", "event");
    const std::string note = left_out_note(tree);
    if (!note.empty() && warn) warn(note);
}

EventResult Cluster::run(const MessageProgram& program) const {
    return run_event(network, Routes(network, tree), program, parameters, seed);
}

double Cluster::slowest_link(const std::function<double(double, double)>& crossing) const {
    const std::uint32_t machines = tree.machine_count();
    double slowest = 0;
    const auto both_ways = [&](std::uint32_t near, std::uint32_t far, double here) {
        const double there = machines - here;
        for (const auto& [from, to, bytes] :
             {std::tuple(near, far, crossing(here, there)), {far, near, crossing(there, here)}}) {
            const LinkSpeed speed = network.speed(*network.link(NodeId{from}, NodeId{to}));
            slowest = std::max(slowest, bytes * 8 / static_cast<double>(speed.bits_per_second));
        }
    };
    const std::vector<std::uint32_t> behind = tree.machines_behind();
    for (std::uint32_t s = 0; s < tree.size(); ++s) {
        for (const NodeId machine : tree.machines(s)) both_ways(machine, machines + tree.id(s), 1);
        if (s > 0) both_ways(machines + tree.id(s), machines + tree.id(tree.parent(s)), behind[s]);
    }
    return slowest;
}

Json to_json(const ClusterExperiment& e, const EventParameters& parameters) {
    return {{"network", e.network}, {"tree", e.tree}, {"root", e.root},
            {"engine", e.engine},   {"seed", e.seed}, {"event", to_json(parameters)}};
}

void add_result(Json& json, const EventResult& result) {
    json["seconds"] = static_cast<double>(result.time_ps) / 1e12;
    json["packets"] = result.frames;
    json["packets_dropped"] = result.dropped;
    json["packets_sent_again"] = result.sent_again;
    json["longest_queue"] = result.longest_queue;
}

}  // namespace interlace
