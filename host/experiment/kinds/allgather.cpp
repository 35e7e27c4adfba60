// Interlace: an all-to-all broadcast on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/allgather.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "interlace/broadcast/cluster/allgather.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/value_error.h"
#include "interlace/experiment/kinds/collective.h"
#include "interlace/program/check_messages.h"
#include "interlace/program/check_phases.h"

namespace interlace {
namespace {

using MakeRing = Ring (*)(const SwitchTree&);
constexpr Names<MakeRing, 6> ring_algorithms = {
    {{"lr1", ring_lr1, "the paper's ring along a depth-first walk"},
     {"lr2", ring_lr2, "the paper's ring of short paths"},
     {"lr3", ring_lr3, "the paper's ring with the shortest longest path"},
     {"ring", unaware_ring, "the ring by machine number"},
     {"recursive_doubling", nullptr, "message size doubles in each step, with a partner twice as far"},
     {"gather_broadcast", nullptr, "gather to one machine, then broadcast"}}};

MessageProgram make_program(const AllGatherExperiment& e, const AllGatherRun& run, std::uint32_t machines) {
    if (run.ring) return ring_allgather(*run.ring, e.message, e.barriers);
    if (e.barriers)
        throw InputError("cannot use barriers in " + e.algorithm, "a ring: lr1, lr2, lr3 or ring");
    return e.algorithm == "recursive_doubling" ? recursive_doubling_allgather(machines, e.message)
                                               : gather_broadcast_allgather(machines, e.message);
}

void prove(const MessageProgram& program) {
    std::vector<std::vector<std::uint32_t>> own(program.machines), all(program.machines);
    std::vector<std::uint32_t> blocks(program.machines);
    std::iota(blocks.begin(), blocks.end(), 0U);
    for (std::uint32_t i = 0; i < program.machines; ++i) {
        own[i] = {i};
        all[i] = blocks;
    }
    const std::string fault = fault_of(program, own, all);
    if (!fault.empty()) throw std::logic_error("the all-gather is not one: " + fault);
}

/// Bytes on the wire for `payload` bytes, in one message.
double on_the_wire(const FrameParameters& frame, double payload) {
    const double full = std::max(1.0, std::ceil(payload / frame.mtu)) - 1;
    const double last = payload - full * frame.mtu;
    return full * std::max(frame.mtu + frame.overhead, frame.minimum) +
           std::max(last + frame.overhead, static_cast<double>(frame.minimum));
}

/// Everything has to cross every link once: into a machine all other messages, over a trunk those behind it.
SlowestLink lower_bound(const Cluster& cluster, std::uint64_t message) {
    return cluster.slowest_link([&](double here, double) {
        return on_the_wire(cluster.parameters.frame, here * static_cast<double>(message));
    });
}

/// Into a node with the fewest links come all other messages, over all of them; one of these carries the
/// mean, or more.
std::optional<double> all_links_bound(const AllGatherExperiment& e, const FrameParameters& frame) {
    const Network network = make_network(e.cluster.network);
    if (network.has_switches()) return {};
    std::vector<std::uint32_t> links(network.node_count());
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (const NodeId to : network.neighbours(NodeId{v})) ++links[to];
    const double payload = (network.node_count() - 1.0) * static_cast<double>(e.message);
    const double share = std::ceil(payload / *std::min_element(links.begin(), links.end()));
    return on_the_wire(frame, share) * 8 / static_cast<double>(LinkSpeed{}.bits_per_second);
}

std::string contention_of(const SwitchTree& tree, const Ring& ring) {
    Phase phase;
    for (std::size_t i = 0; i < ring.size(); ++i) phase.emplace_back(ring[i], ring[(i + 1) % ring.size()]);
    return contention_of(tree, std::vector<Phase>{phase});
}

}  // namespace

AllGatherRun run_allgather(const AllGatherExperiment& e, const RunListener& listener) {
    const MakeRing make_ring =
        about("allgather.algorithm", [&] { return value_of(ring_algorithms, e.algorithm, "algorithm"); });
    const Cluster cluster(e.cluster, listener);
    AllGatherRun run;
    run.experiment = e;
    run.parameters = cluster.parameters;
    run.lower_bound = lower_bound(cluster, e.message);
    run.all_links_seconds = about("network", [&] { return all_links_bound(e, cluster.parameters.frame); });
    if (make_ring != nullptr) {
        run.ring = about("allgather.algorithm", [&] { return make_ring(cluster.tree); });
        run.max_path_length = longest_path(cluster.tree, *run.ring);
        run.contention = contention_of(cluster.tree, *run.ring);
        if (!run.contention.empty() && e.algorithm != "ring") throw std::logic_error(run.contention);
        if (e.until == Until::plan) return run;
    }
    run.program = make_program(e, run, cluster.tree.machine_count());
    prove(run.program);
    for (const Message& m : run.program.messages)
        run.max_path_length = std::max(run.max_path_length, cluster.tree.length(m.from, m.to));
    if (e.until == Until::run) run.result = cluster.run(run.program, listener);
    return run;
}

namespace {

Json configuration_json(const AllGatherExperiment& e, const EventParameters& parameters) {
    Json json = to_json(e.cluster, parameters);
    json["allgather"] = {{"algorithm", e.algorithm}, {"message", e.message}, {"barriers", e.barriers}};
    return json;
}

}  // namespace

Choices allgather_algorithms() {
    return with_algorithms_of_machines(DirectCollective::allgather, choices_of(ring_algorithms));
}

std::unique_ptr<Experiment> read_allgather(ConfigMap& config) {
    if (is_collective(config, DirectCollective::allgather))
        return read_collective(config, DirectCollective::allgather);
    auto e = std::make_unique<AllGatherExperiment>();
    e->cluster = read_cluster_options(config);
    ConfigMap map = config.map("allgather");
    e->algorithm = map.text("algorithm", e->algorithm);
    read_message(map, e->message);
    e->barriers = map.truth("barriers", e->barriers);
    map.finish();
    return e;
}

Json AllGatherExperiment::to_json() const {
    return configuration_json(*this, parameters());
}

Json AllGatherExperiment::run(const Preparation*, const RunListener& listener) const {
    return interlace::to_json(run_allgather(*this, listener));
}

Json to_json(const AllGatherRun& run) {
    const AllGatherExperiment& e = run.experiment;
    Json json = json_result("allgather", e.cluster.seed);
    json["experiment"] = configuration_json(e, run.parameters);
    if (run.ring) {
        Json ring = Json::array();
        for (const NodeId machine : *run.ring) ring.push_back(+machine);
        json["ring"] = ring;
        json["contention_free"] = run.contention.empty();
    }
    json["max_path_length"] = run.max_path_length;
    json["lower_bound_seconds"] = run.lower_bound.seconds;
    json["lower_bound_link"] = run.lower_bound.name;
    if (run.all_links_seconds) json["all_links_lower_bound_seconds"] = *run.all_links_seconds;
    if (run.result) add_result(json, *run.result);
    return json;
}

}  // namespace interlace
