// Interlace: what experiments on clusters have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/cluster.h"

#include <algorithm>
#include <tuple>

#include "cycle_options.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/network/cluster.h"
#include "interlace/program/protocol.h"
#include "make_machine.h"

namespace interlace {
namespace {

constexpr Names<TreeKind, 3> tree_names = {
    {{"bfs", TreeKind::bfs}, {"dfs", TreeKind::dfs}, {"random", TreeKind::random}}};

enum class Paths { tree, up_down };
constexpr Names<Paths, 2> path_names = {{{"tree", Paths::tree}, {"up_down", Paths::up_down}}};

/// With the values that --set replaces.
Network network_of(const ClusterExperiment& e) {
    return e.network.starts_with("cluster:") ? read_cluster(e.network.substr(8), e.overrides)
                                             : as_cluster(make_network(e.network));
}

/// The name, or with values that --set replaces a mapping.
Json network_json(const ClusterExperiment& e) {
    constexpr std::string_view own = "network.";
    Json json = e.network;
    for (const std::string& assignment : e.overrides) {
        if (!assignment.starts_with(own)) continue;
        if (json.is_string()) json = {{"kind", "cluster"}, {"file", e.network.substr(8)}};
        const std::size_t equals = assignment.find('=');
        json[assignment.substr(own.size(), equals - own.size())] = assignment.substr(equals + 1);
    }
    return json;
}

/// The program as the machines' message-passing library carries it out.
MessageProgram as_passed(MessageProgram program, const ProtocolParameters& protocol) {
    if (protocol.barrier_of_messages) program = with_barriers_as_messages(program);
    if (protocol.copy > 0) program = with_copies(program, protocol.eager_limit, protocol.copy);
    if (protocol.eager_limit < UINT64_MAX) program = with_rendezvous(program, protocol.eager_limit);
    return program;
}

}  // namespace

Cluster::Cluster(const ClusterExperiment& e, const std::function<void(const std::string&)>& warn)
    : network(network_of(e)),
      tree(network, value_of(tree_names, e.tree, "tree"), e.root, e.seed),
      routes(value_of(path_names, e.routing, "routing") == Paths::tree ? Routes(network, tree)
                                                                       : Routes::up_down(network, e.root)),
      parameters(event_parameters(e.network, e.overrides)),
      experiment(e) {
    if (e.engine != "event" && !is_cycle_engine(e.engine))
        throw InputError("engine '" + e.engine + "' for messages of machines",
                         "event, native, systemc or rtl");
    if (e.engine == "event" && !e.lockstep.empty())
        throw InputError("lockstep beside the engine event", "the engine native, systemc or rtl");
    const std::string note = left_out_note(tree);
    if (!note.empty() && warn) warn(note);
    if (parameters.flow != Flow::drop && !parameters.bounded() && warn)
        warn("event.switch.capacity is 0, endless room: no sender ever waits for credits or pauses");
}

MessageRun Cluster::run(const MessageProgram& original) const {
    const ClusterExperiment& e = experiment;
    const MessageProgram program = as_passed(original, parameters.protocol);
    if (e.engine == "event") return {run_event(network, routes, program, parameters, e.seed)};
    const ClusterNodes nodes = cluster_nodes(network, routes, parameters);
    CycleOptions options;
    options.lockstep = e.lockstep;
    const Fabric fabric(network, nodes.node, nodes.links);
    Machine machine = make_machine(network, fabric, e.engine, options, &nodes.tables);
    return run_messages(fabric, machine, nodes, program, parameters, e.seed);
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
    return {{"schema", 1},
            {"network", network_json(e)},
            {"tree", e.tree},
            {"root", e.root},
            {"routing", e.routing},
            {"engine", e.engine},
            {"lockstep", e.lockstep},
            {"event", to_json(parameters)},
            {"seed", e.seed}};
}

void add_result(Json& json, const MessageRun& result) {
    json["seconds"] = static_cast<double>(result.time_ps) / 1e12;
    json["packets"] = result.frames;
    json["packets_dropped"] = result.dropped;
    json["packets_sent_again"] = result.sent_again;
    if (result.cycles == 0) {
        json["longest_queue"] = result.longest_queue;
        return;
    }
    json["cycles"] = result.cycles;
    json["queues"] = queues_json(result.node, result.queues);
}

}  // namespace interlace
