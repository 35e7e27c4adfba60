// Interlace: broadcast and multicast trees on a cluster of unequal workstations
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/multicast.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/value_error.h"
#include "interlace/program/check_messages.h"

namespace interlace {
namespace {

using MakeTree = TreePlan (*)(const std::vector<std::uint64_t>&, const Multicast&);
constexpr Names<MakeTree, 4> tree_algorithms = {
    {{"binomial", binomial_tree, "the binomial tree, which ignores speeds"},
     {"spoc", spoc_tree, "speed-partitioned ordered chain"},
     {"fnf", fnf_tree, "fastest node first"},
     {"optimal_tree", optimal_tree, "the best of all trees, by search"}}};

/// With --tini in place of the file's t_ini.
ClusterOptions cluster_of(const MulticastExperiment& e) {
    ClusterOptions cluster = e.cluster;
    if (!e.start_us.empty())
        cluster.overrides.push_back(
            fmt::format("event.workstation.start_us=[{}]", fmt::join(e.start_us, ",")));
    return cluster;
}

NodeId machine(std::uint32_t number, std::uint32_t machines, const char* what) {
    if (number >= machines)
        throw InputError(fmt::format("cannot use {} {}", what, number),
                         fmt::format("a machine from 0 to {}", machines - 1));
    return NodeId{number};
}

Multicast members(const MulticastExperiment& e, std::uint32_t source, std::uint32_t machines) {
    Multicast multicast{about("multicast.sources", [&] { return machine(source, machines, "source"); }), {}};
    std::vector<std::uint32_t> destinations = e.destinations;
    if (destinations.empty()) {
        destinations.resize(machines);
        std::iota(destinations.begin(), destinations.end(), 0U);
        // As MPI counts: ranks from the source on.
        std::rotate(destinations.begin(), destinations.begin() + source, destinations.end());
    }
    for (const std::uint32_t d : destinations) {
        const NodeId node = machine(d, machines, "destination");
        const auto& known = multicast.destinations;
        if (node == multicast.source) continue;
        if (std::find(known.begin(), known.end(), node) != known.end())
            throw InputError(fmt::format("destination {} is listed twice", d), "each machine once");
        multicast.destinations.push_back(node);
    }
    return multicast;
}

void prove(const MessageProgram& program, const std::vector<Multicast>& multicasts) {
    std::vector<std::vector<std::uint32_t>> has(program.machines), needs(program.machines);
    for (std::uint32_t block = 0; block < multicasts.size(); ++block) {
        has[multicasts[block].source].push_back(block);
        for (const NodeId d : multicasts[block].destinations) needs[d].push_back(block);
    }
    const std::string fault = fault_of(program, has, needs);
    if (!fault.empty()) throw std::logic_error("the multicast is not one: " + fault);
}

double us(std::uint64_t ps) {
    return static_cast<double>(ps) / 1e6;
}

Json sends_json(const TreePlan& plan) {
    Json sends = Json::array();
    for (const TreeSend& s : plan) sends.push_back({+s.from, +s.to, us(s.sent), us(s.received)});
    return sends;
}

}  // namespace

Choices multicast_algorithms() {
    return choices_of(tree_algorithms);
}

std::uint64_t MulticastRun::latency_ps() const {
    std::uint64_t longest = 0;
    for (const TreePlan& plan : plans) longest = std::max(longest, latency(plan));
    return longest;
}

namespace {

/// What it costs each machine to send the message where that takes no start-up time: O_s of the first frame,
/// and its frames on the machine's link.
std::vector<std::uint64_t> sending_times(const Cluster& cluster, std::uint64_t message) {
    const auto& [mtu, overhead, minimum] = cluster.parameters.frame;
    const std::uint64_t full = message == 0 ? 0 : (message - 1) / mtu;
    const std::uint64_t bytes = full * std::max(mtu + overhead, minimum) +
                                std::max<std::uint64_t>(message - full * mtu + overhead, minimum);
    std::vector<std::uint64_t> times;
    for (std::uint32_t m = 0; m < cluster.tree.machine_count(); ++m) {
        const LinkSpeed speed = cluster.network.speed(cluster.network.first_link(NodeId{m}));
        const double seconds = static_cast<double>(bytes) * 8 / static_cast<double>(speed.bits_per_second);
        times.push_back(cluster.parameters.workstation.send_overhead +
                        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(seconds * 1e12))));
    }
    return times;
}

}  // namespace

MulticastRun run_multicast(const MulticastExperiment& e, const RunListener& listener) {
    const MakeTree make_tree =
        about("multicast.algorithm", [&] { return value_of(tree_algorithms, e.algorithm, "algorithm"); });
    Cluster cluster(cluster_of(e), listener);
    const std::uint32_t machines = cluster.tree.machine_count();
    std::vector<std::uint64_t>& start = cluster.parameters.workstation.start;
    if (start.size() == 1) start.assign(machines, std::uint64_t{start.front()});
    MulticastRun run{e, cluster.parameters, {}, {}, {}, {}};
    std::vector<std::uint64_t> costs = start;
    if (std::all_of(start.begin(), start.end(), [](std::uint64_t time) { return time == 0; })) {
        costs = sending_times(cluster, e.message);
        run.message_ps = *std::max_element(costs.begin(), costs.end());
    }
    std::vector<Multicast> multicasts;
    for (const std::uint32_t source : e.sources) {
        multicasts.push_back(about("multicast.destinations", [&] { return members(e, source, machines); }));
        run.plans.push_back(make_tree(costs, multicasts.back()));
    }
    run.program = tree_program(run.plans, machines, e.message);
    prove(run.program, multicasts);
    if (e.until == Until::run) run.result = cluster.run(run.program, listener);
    return run;
}

namespace {

Json configuration_json(const MulticastExperiment& e, const EventParameters& parameters) {
    Json json = to_json(e.cluster, parameters);
    json["multicast"] = {{"algorithm", e.algorithm},
                         {"sources", e.sources},
                         {"destinations", e.destinations},
                         {"message", e.message}};
    return json;
}

}  // namespace

std::unique_ptr<Experiment> read_multicast(ConfigMap& config) {
    auto e = std::make_unique<MulticastExperiment>();
    e->cluster = read_cluster_options(config);
    ConfigMap map = config.map("multicast");
    e->algorithm = map.text("algorithm", e->algorithm);
    read_message(map, e->message);
    if (map.has("sources")) e->sources = map.integers("sources", 0, UINT32_MAX);
    if (map.has("destinations")) e->destinations = map.integers("destinations", 0, UINT32_MAX);
    map.finish();
    return e;
}

Json MulticastExperiment::to_json() const {
    return configuration_json(*this, parameters());
}

Json MulticastExperiment::run(const Preparation*, const RunListener& listener) const {
    return interlace::to_json(run_multicast(*this, listener));
}

Json to_json(const MulticastRun& run) {
    const MulticastExperiment& e = run.experiment;
    Json json = json_result("multicast", e.cluster.seed);
    json["experiment"] = configuration_json(e, run.parameters);
    if (run.plans.size() == 1) json["sends"] = sends_json(run.plans.front());
    for (std::size_t i = 0; run.plans.size() > 1 && i < run.plans.size(); ++i)
        json["multicasts"].push_back({{"source", e.sources[i]},
                                      {"sends", sends_json(run.plans[i])},
                                      {"latency_us", us(latency(run.plans[i]))}});
    json["latency_us"] = us(run.latency_ps());
    if (run.message_ps) json["message_us"] = us(*run.message_ps);
    if (run.result) add_result(json, *run.result);
    return json;
}

}  // namespace interlace
