// Interlace: what experiments on clusters have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/random.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
#include "interlace/experiment/nodes/make_machine.h"
#include "interlace/experiment/nodes/options_json.h"
#include "interlace/experiment/nodes/same_on_ranks.h"
#include "interlace/network/cluster.h"
#include "interlace/network/specification.h"
#include "interlace/program/protocol.h"

namespace interlace {
namespace {

constexpr Names<TreeKind, 3> tree_names = {{{"bfs", TreeKind::bfs, "breadth first"},
                                            {"dfs", TreeKind::dfs, "depth first"},
                                            {"random", TreeKind::random, "drawn by the seed"}}};

enum class TreePaths { tree, up_down };
constexpr Names<TreePaths, 2> tree_path_names = {
    {{"tree", TreePaths::tree, "along the spanning tree"},
     {"up_down", TreePaths::up_down, "over all links, up*/down* from the root"}}};

/// With the values that --set replaces.
Network network_of(const ClusterOptions& e) {
    if (e.network.starts_with("cluster:")) return read_cluster(e.network.substr(8), e.overrides);
    const Network network = make_network(e.network);
    if (network.has_latencies())
        throw InputError("cannot send messages between machines of " + network.name() +
                             ", whose links have latencies in cycles",
                         "links without, or a cluster: file with latency_us");
    return as_cluster(network);
}

/// A value of a configuration: lists and mappings of single values, which are texts.
Json json_of(const YAML::Node& value) {
    if (value.IsNull()) return nullptr;
    if (value.IsScalar()) return value.Scalar();
    Json json = value.IsMap() ? Json::object() : Json::array();
    for (const auto& item : value)
        if (value.IsMap())
            json[item.first.Scalar()] = json_of(item.second);
        else
            json.push_back(json_of(item));
    return json;
}

/// The name, or with values that --set replaces a mapping.
Json network_json(const ClusterOptions& e) {
    constexpr std::string_view own = "network.";
    Json json = e.network;
    for (const std::string& assignment : e.overrides) {
        if (!assignment.starts_with(own)) continue;
        if (json.is_string()) json = {{"kind", "cluster"}, {"file", e.network.substr(8)}};
        const std::size_t equals = assignment.find('=');
        json[assignment.substr(own.size(), equals - own.size())] =
            json_of(YAML::Load(assignment.substr(equals + 1)));
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

/// Machines that do not keep step run under 30 seeds unless told; so that ties in switches differ, which are
/// drawn, too, all others under as many as are asked for.
std::uint32_t seeds_to_run(const ClusterOptions& e, const EventParameters& parameters) {
    const bool ties_differ = e.engine == "event" && e.seeds > 1;
    return runs_of(e.seeds, parameters.workstation.random() || ties_differ);
}

/// Each machine begins at a random time up to `skew`.
MessageProgram with_skew(const MessageProgram& program, std::uint64_t skew, std::uint64_t seed) {
    if (skew == 0) return program;
    std::vector<std::uint64_t> starts;
    for (std::uint32_t m = 0; m < program.machines; ++m)
        starts.push_back(random_up_to(skew, random_bits(seed, m, UINT64_MAX)));
    return with_late_starts(program, starts);
}

}  // namespace

Choices cluster_trees() {
    return choices_of(tree_names);
}

Choices cluster_routings() {
    return choices_of(tree_path_names);
}

Choices message_engines() {
    Choices engines = cycle_engines();
    engines.insert(engines.begin(), {"event", "frames on switches, in picoseconds"});
    return engines;
}

ClusterOptions read_cluster_options(ConfigMap& config) {
    ClusterOptions e;
    e.network = network_specification(config, e.overrides);
    e.tree = config.text("tree", e.tree);
    config.update("root", e.root, 0, UINT32_MAX);
    e.routing = config.text("routing", e.routing);
    e.engine = config.text("engine", e.engine);
    e.lockstep = config.text("lockstep", e.lockstep);
    if (config.has("seed")) e.seed = config.integer("seed", 0, UINT64_MAX);
    config.update("seeds", e.seeds, 0, 1'000'000);
    if (config.has("event"))
        for (const auto& [path, value] : config.map("event").rest())
            if (value != "~")
                e.overrides.push_back(fmt::format("event.{}={}", path, value));  // null: not set
    return e;
}

void read_message(ConfigMap& section, std::uint64_t& bytes) {
    if (!section.has("message")) return;
    try {
        bytes = parse_bytes(section.text("message"), "value");
    } catch (const InputError& error) {
        throw error.at(section.place("message"));
    }
}

EventParameters MessageExperiment::parameters() const {
    return event_parameters(cluster.network, cluster.overrides);
}

std::uint32_t MessageExperiment::runs() const {
    return seeds_to_run(cluster, parameters());
}

std::vector<Measure> MessageExperiment::measures() const {
    return {
        {"seconds"},      {"cycles"}, {"sends_per_packet"}, {"packets_dropped"}, {"packets_retransmitted"},
        {"longest_queue"}};
}

/// A switch has room at each input or output, or in all.
std::vector<QueueToSize> MessageExperiment::queues() const {
    const FrameParameters frame = parameters().frame;
    return {{"switch_buffer", depth_path::switch_buffer, 1,
             static_cast<double>(std::max(frame.minimum, frame.mtu + frame.overhead))}};
}

Sample MessageRuns::seconds() const {
    return divided(sample(&EventResult::time_ps), 1e12);
}

Sample MessageRuns::cycles() const {
    return sample_of(runs, &MessageRun::cycles);
}

Sample MessageRuns::sends_per_packet() const {
    std::vector<double> sends;
    for (const MessageRun& run : runs) {
        const auto frames = static_cast<double>(run.frames);
        sends.push_back(frames == 0 ? 1 : frames / (frames - static_cast<double>(run.dropped)));
    }
    return sample_of(sends);
}

Usage MessageRuns::queues() const {
    Usage all;
    for (const MessageRun& run : runs) all.add(run.queues);
    return all;
}

Cluster::Cluster(const ClusterOptions& e, const RunListener& listener)
    : network(about("network", [&] { return network_of(e); })),
      tree(about("root",
                 [&] {
                     const auto kind = about("tree", [&] { return value_of(tree_names, e.tree, "tree"); });
                     return SwitchTree(network, kind, e.root, e.seed);
                 })),
      routes(about("routing",
                   [&] {
                       return value_of(tree_path_names, e.routing, "routing") == TreePaths::tree
                                  ? Routes(network, tree)
                                  : Routes::up_down(network, e.root);
                   })),
      parameters(event_parameters(e.network, e.overrides, &network)),
      options(e) {
    if (e.engine != "event" && !is_cycle_engine(e.engine))
        throw ValueError(unknown_name("engine", e.engine, message_engines()), "engine");
    if (e.engine == "event" && !e.lockstep.empty())
        throw ValueError({"cannot use lockstep with the engine event", "the engine native, systemc or rtl"},
                         "lockstep");
    if (e.engine == "event" && !e.ranks->alone())
        throw ValueError({fmt::format("cannot divide the engine event among {} ranks", e.ranks->size()),
                          "native, rtl or systemc, or one rank"},
                         "engine");
    const std::string note = left_out_note(tree);
    if (!note.empty() && listener.warn) listener.warn(note);
    const std::string idle = e.routing == "tree" ? idle_trunks_note(network, tree) : std::string();
    if (!idle.empty() && listener.warn) listener.warn(idle);
    if (parameters.flow != Flow::drop && !parameters.bounded() && listener.warn)
        listener.warn(
            "event.switch.capacity is 0, infinite capacity: no sender ever waits for credits or pauses");
}

MessageRun Cluster::run_seed(const MessageProgram& passed, std::uint64_t seed,
                             const std::function<void(double)>& progress) const {
    const MessageProgram program = with_skew(passed, parameters.workstation.start_skew, seed);
    if (options.engine == "event") return {run_event(network, routes, program, parameters, seed, progress)};
    const ClusterNodes nodes = cluster_nodes(network, routes, parameters);
    CycleOptions cycles;
    cycles.lockstep = options.lockstep;
    cycles.ranks = options.ranks;
    const Fabric fabric(network, nodes.node, nodes.links,
                        nodes_of_rank(network.node_count(), *options.ranks));
    Machine machine =
        make_machine(network, fabric, options.engine, cycles, kind_bit(PacketKind::table), &nodes.tables);
    return run_messages(fabric, machine, nodes, program, parameters, seed);
}

MessageRuns Cluster::run(const MessageProgram& original, const RunListener& listener,
                         const std::function<void(const MessageRun&)>& ended) const {
    require_same_experiment(*options.ranks, to_json(options, parameters));
    require_same_messages(*options.ranks, original);
    const MessageProgram program = as_passed(original, parameters.protocol);
    const std::uint32_t runs = seeds_to_run(options, parameters);
    MessageRuns all;
    all.links = links_by_speed(network);
    for (std::uint32_t i = 0; i < runs; ++i) {
        const auto progress = [&](double share) { listener.progress("run", (i + share) / runs); };
        all.runs.push_back(run_seed(program, options.seed + i,
                                    listener.progress ? std::function<void(double)>(progress) : nullptr));
        if (ended) ended(all.runs.back());
        all.runs.back().complete.clear();
        all.runs.back().complete.shrink_to_fit();
        if (listener.progress && runs > 1) listener.progress("run", (i + 1.0) / runs);
    }
    if (listener.warn && runs == 1 && all.runs.front().dropped > 0)
        listener.warn(
            "frames were dropped; which of those that reach a switch at the same time is drawn by --seed: "
            "--seeds 30 has the mean of 30 seeds and its interval");
    return all;
}

SlowestLink Cluster::slowest_link(const std::function<double(double, double)>& crossing) const {
    const std::uint32_t machines = tree.machine_count();
    SlowestLink slowest;
    const auto both_ways = [&](std::uint32_t near, std::uint32_t far, double here, const auto& name) {
        const double there = machines - here;
        for (const auto& [from, to, bytes] :
             {std::tuple(near, far, crossing(here, there)), {far, near, crossing(there, here)}}) {
            const LinkSpeed speed = network.speed(*network.link(NodeId{from}, NodeId{to}));
            const double seconds = bytes * 8 / static_cast<double>(speed.bits_per_second);
            if (seconds > slowest.seconds) slowest = {seconds, name()};
        }
    };
    const std::vector<std::uint32_t> behind = tree.machines_behind();
    for (std::uint32_t s = 0; s < tree.size(); ++s) {
        for (const NodeId machine : tree.machines(s))
            both_ways(machine, machines + tree.id(s), 1, [] { return std::string("a machine's link"); });
        if (s == 0) continue;
        const std::uint32_t here = tree.id(s), up = tree.id(tree.parent(s));
        both_ways(machines + here, machines + up, behind[s],
                  [&] { return fmt::format("trunk s{}-s{}", std::min(here, up), std::max(here, up)); });
    }
    return slowest;
}

Json to_json(const ClusterOptions& e, const EventParameters& parameters) {
    return {{"schema", 1},
            {"network", network_json(e)},
            {"tree", e.tree},
            {"root", e.root},
            {"routing", e.routing},
            {"engine", e.engine},
            {"lockstep", e.lockstep},
            {"event", to_json(parameters)},
            {"seed", e.seed},
            {"seeds", e.seeds}};
}

void add_result(Json& json, const MessageRuns& result) {
    for (const LinksOfSpeed& of : result.links)
        json["link_speeds"].push_back({{"links", of.links},
                                       {"mbps", static_cast<double>(of.speed.bits_per_second) / 1e6},
                                       {"latency_us", static_cast<double>(of.speed.latency_ps) / 1e6}});
    add_sample(json, "seconds", result.seconds(), false);
    add_sample(json, "packets", result.sample(&EventResult::frames), true);
    add_sample(json, "packets_dropped", result.sample(&EventResult::dropped), true);
    add_sample(json, "sends_per_packet", result.sends_per_packet(), false);
    add_sample(json, "packets_retransmitted", result.sample(&EventResult::retransmitted), true);
    const MessageRun& first = result.runs.front();
    if (first.cycles == 0) {
        add_sample(json, "longest_queue", result.sample(&EventResult::longest_queue), true);
        return;
    }
    add_sample(json, "cycles", result.cycles(), true);
    json["queues"] = queues_json(first.node, result.queues());
}

}  // namespace interlace
