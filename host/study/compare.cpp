// Interlace: two networks side by side, in every metric
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/compare.h"

#include <cmath>

#include "interlace/broadcast/analysis/formulas.h"
#include "interlace/experiment/kinds/capacity.h"
#include "interlace/experiment/kinds/collective.h"
#include "interlace/network/metrics.h"

namespace interlace {
namespace {

/// Of networks for which the paper has no name of it; positive where the first one has the lower value.
constexpr const char* one_less_ratio = "1 - first/second";

std::string coefficient_name(const Network& first, const Network& second) {
    const auto& a = first.lattice();
    const auto& b = second.lattice();
    if (!a || !b || b->kind() != Lattice::Kind::torus || !a->has_rows()) return one_less_ratio;
    if (a->sizes() == b->sizes()) return "alpha";
    const bool same_degree = b->dimensions() == a->dimensions() + 1 && a->kind() == Lattice::Kind::ibt;
    return same_degree && a->node_count() == b->node_count() ? "beta" : one_less_ratio;
}

double steps(const Network& network, const std::string& group, const std::string& algorithm,
             std::uint32_t packets, std::uint64_t seed) {
    BroadcastExperiment experiment;
    experiment.network = network.name();
    experiment.group = group;
    experiment.packets = packets;
    experiment.algorithm = algorithm;
    experiment.seed = seed;
    const bool torus = network.lattice() && network.lattice()->kind() == Lattice::Kind::torus &&
                       network.lattice()->has_rings();
    if (algorithm.empty() && torus && group == "line") experiment.algorithm = "ring";
    return run_broadcast(experiment).run.steps;
}

/// Whether its collectives are planned, and proven, in some seconds.
bool has_collectives(const Network& network) {
    constexpr std::uint32_t most = 4096, most_without_symmetry = 64;
    const bool alike = network.lattice() && network.lattice()->wraps();
    return !network.has_switches() && network.node_count() <= (alike ? most : most_without_symmetry);
}

/// Of a collective with one packet a node or pair.
double steps(const Network& network, DirectCollective collective, std::uint64_t seed) {
    CollectiveExperiment experiment;
    experiment.collective = collective;
    experiment.network = network.name();
    experiment.chunks = 1;
    experiment.seed = seed;
    return run_collective(experiment).report.steps;
}

bool has_group(const Network& network, const std::string& group) {
    const std::uint32_t needed = group == "global" ? 0 : group == "line" ? 1 : 2;
    return needed == 0 ||
           (network.lattice() && network.lattice()->has_rows() && network.lattice()->dimensions() >= needed);
}

}  // namespace

Comparison compare(const std::string& first, const std::string& second, std::uint32_t packets,
                   std::uint64_t seed) {
    const Network a = make_network(first);
    const Network b = make_network(second);
    Comparison comparison{first, second, coefficient_name(a, b), packets, {}};
    const auto add = [&](const std::string& metric, double x, double y) {
        comparison.metrics.push_back({metric, x, y, improvement(x, y)});
    };
    const Metrics of_a = measure_network(a, seed);
    const Metrics of_b = measure_network(b, seed);
    add("diameter", of_a.diameter, of_b.diameter);
    add("mean_distance", of_a.mean_distance, of_b.mean_distance);
    const auto capacity_of_a = capacity_soon_found(a, {}), capacity_of_b = capacity_soon_found(b, {});
    if (capacity_of_a && capacity_of_b) {
        add("link_load", capacity_of_a->link_load, capacity_of_b->link_load);
        add("capacity", (of_a.nodes - 1) / capacity_of_a->link_load,
            (of_b.nodes - 1) / capacity_of_b->link_load);
    }
    for (const std::string algorithm : {"", "optimal"})
        for (const std::string group : {"line", "rectangle", "global"})
            if (has_group(a, group) && has_group(b, group))
                add(group + "_steps" + (algorithm.empty() ? "" : "_" + algorithm),
                    steps(a, group, algorithm, packets, seed), steps(b, group, algorithm, packets, seed));
    if (!has_collectives(a) || !has_collectives(b)) return comparison;
    for (const DirectCollective collective :
         {DirectCollective::allgather, DirectCollective::allreduce, DirectCollective::alltoall}) {
        const double of_first = steps(a, collective, seed), of_second = steps(b, collective, seed);
        add(collective_name(collective) + "_steps", of_first, of_second);
        add(collective_name(collective) + "_steps_by_degree", of_first * of_a.degree,
            of_second * of_b.degree);
    }
    return comparison;
}

Json to_json(const Comparison& comparison, std::uint64_t seed) {
    Json json = json_result("compare", seed);
    json["experiment"] = {
        {"first", comparison.first}, {"second", comparison.second}, {"packets", comparison.packets}};
    json["coefficient"] = comparison.coefficient;
    for (const ComparedMetric& metric : comparison.metrics)
        json["metrics"][metric.metric] = {
            {"first", metric.first}, {"second", metric.second}, {"coefficient", metric.coefficient}};
    return json;
}

}  // namespace interlace
