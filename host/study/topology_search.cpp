// Interlace: the best torus, twisted torus or interlaced bypass torus of so many nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/topology_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "interlace/core/error.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/experiment/kinds/capacity.h"
#include "interlace/node/parameters.h"

namespace interlace {
namespace {

/// A number that networks are ranked by.
struct Objective {
    const char* name;
    TopologyObjective value;
    const char* text;
    bool higher_is_better;
    double (*of)(const std::string& network, const Metrics& metrics);
};

Capacity capacity_of(const Network& network) {
    const Demands demands;
    return find_capacity(network, LinkClasses(network, demands), demands, AllowedPaths::any);
}

double uniform(const std::string& name, const Metrics& metrics) {
    return (metrics.nodes - 1) / capacity_of(make_network(name)).bound.link_load();
}

/// No schedule takes fewer steps: the fullest link carries so many packets, and the farthest go so far.
double alltoall(const std::string& name, const Metrics& metrics) {
    const LengthBound bound = capacity_of(make_network(name)).bound;
    const std::uint64_t packets = (bound.distances + bound.all_lengths - 1) / bound.all_lengths;
    return std::max<double>(static_cast<double>(packets), metrics.diameter);
}

double worst(const std::string& name, const Metrics&) {
    return guaranteed_load(name, node_parameters("wide"));
}

double mean_distance(const std::string&, const Metrics& metrics) {
    return metrics.mean_distance_distinct;
}

double broadcast(const std::string& name, const Metrics&) {
    BroadcastExperiment e;
    e.network = name;
    e.algorithm = "optimal";
    return run_broadcast(e).run.steps;
}

constexpr std::array objectives = {
    Objective{"uniform", TopologyObjective::uniform, "capacity under uniform traffic, by any routing", true,
              uniform},
    Objective{"alltoall", TopologyObjective::alltoall, "lower bound on the steps of an all-to-all exchange",
              false, alltoall},
    Objective{"worst", TopologyObjective::worst,
              "load that the default routing guarantees under any permutation", true, worst},
    Objective{"mean_distance", TopologyObjective::mean_distance, "mean distance of different nodes", false,
              mean_distance},
    Objective{"broadcast", TopologyObjective::broadcast,
              "steps of the best global broadcast of 32 packets that was found", false, broadcast}};

const Objective& objective_of(TopologyObjective value) {
    return *std::find_if(objectives.begin(), objectives.end(),
                         [&](const Objective& o) { return o.value == value; });
}

/// The place of a coordinate on a folded ring: 0, 2, 4, ... and back over 5, 3, 1.
std::uint64_t folded(std::uint64_t coordinate, std::uint64_t size) {
    return coordinate < (size + 1) / 2 ? 2 * coordinate : 2 * (size - coordinate) - 1;
}

std::vector<std::string> candidates(const TopologySearch& search) {
    std::vector<std::string> names;
    const auto add = [&](LatticeQuery query) {
        for (const std::string& name : list_lattices(query))
            if (search.degree == 0 || make_network(name).max_degree() <= search.degree) names.push_back(name);
    };
    for (const Lattice::Kind kind :
         {Lattice::Kind::torus, Lattice::Kind::twisted_torus, Lattice::Kind::ibt}) {
        const std::uint32_t lengths = kind == Lattice::Kind::ibt ? search.lengths : 0;
        const std::uint32_t most = search.degree > 0 ? std::min(search.degree / 2, 16U) : 16;
        if (search.dimensions > 0)
            add({kind, search.nodes, search.dimensions, lengths, search.twists});
        else
            for (std::uint32_t d = kind == Lattice::Kind::torus ? 1 : 2; d <= most; ++d)
                add({kind, search.nodes, d, lengths, search.twists});
    }
    if (names.empty())
        throw InputError(
            fmt::format("there is no torus or ibt of {} nodes with these dimensions and this degree",
                        search.nodes),
            "other --dimensions, --degree or --lengths");
    return names;
}

}  // namespace

Choices topology_objectives() {
    return choices_of(objectives);
}

TopologyObjective parse_topology_objective(const std::string& name) {
    return value_of(objectives, name, "objective");
}

std::uint64_t folded_wire_length(const Lattice& lattice) {
    std::vector<std::uint64_t> stride(lattice.dimensions(), 1);  // along its axis
    for (std::uint32_t d = 2; d < lattice.dimensions(); ++d)
        stride[d] = stride[d - 2] * lattice.sizes()[d - 2];
    LatticeHops hops(lattice);
    std::uint64_t length = 0;
    for (std::uint32_t v = 0; v < lattice.node_count(); ++v)
        for (const Hop& hop : hops.of(NodeId{v})) {
            const NodeId next = lattice.neighbour(NodeId{v}, hop);
            for (std::uint32_t d = 0; d < lattice.dimensions(); ++d) {
                const auto at = [&](NodeId node) {
                    return folded(lattice.coordinate(node, d), lattice.sizes()[d]);
                };
                const std::uint64_t here = at(NodeId{v}), there = at(next);
                length += (here < there ? there - here : here - there) * stride[d];
            }
        }
    return length / 2;  // a cable is two links
}

std::vector<RankedTopology> search_topologies(const TopologySearch& search,
                                              const std::function<void(double)>& progress) {
    const Objective& objective = objective_of(search.objective);
    const std::vector<std::string> names = candidates(search);
    std::vector<RankedTopology> ranked(names.size());
    std::atomic<std::size_t> next = 0;
    std::size_t done = 0;
    std::exception_ptr thrown;
    std::mutex telling;
    const auto work = [&] {
        for (std::size_t i = next++; i < names.size(); i = next++) try {
                const Network network = make_network(names[i]);
                const Metrics metrics = measure_network(network);
                ranked[i] = {names[i], metrics, objective.of(names[i], metrics),
                             folded_wire_length(*network.lattice())};
                const std::scoped_lock lock(telling);
                if (progress) progress(static_cast<double>(++done) / static_cast<double>(names.size()));
            } catch (...) {
                const std::scoped_lock lock(telling);
                thrown = std::current_exception();
                next = names.size();
            }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t job = 1; job < search.jobs; ++job) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    if (thrown) std::rethrow_exception(thrown);
    std::stable_sort(ranked.begin(), ranked.end(), [&](const RankedTopology& a, const RankedTopology& b) {
        constexpr double equal = 1e-9;
        if (std::abs(a.value - b.value) > equal * std::abs(a.value))
            return objective.higher_is_better ? a.value > b.value : a.value < b.value;
        return a.wire_length < b.wire_length;
    });
    return ranked;
}

Json to_json(const TopologySearch& search, const std::vector<RankedTopology>& ranked) {
    Json json = json_result("topology_search", 1);
    json["experiment"] = {{"nodes", search.nodes},
                          {"degree", search.degree},
                          {"twists", search.twists == Twists::all ? "all" : "half"},
                          {"objective", objective_of(search.objective).name}};
    Json& networks = json["networks"] = Json::array();
    for (const RankedTopology& topology : ranked)
        networks.push_back({{"network", topology.network},
                            {"value", topology.value},
                            {"degree", topology.metrics.degree},
                            {"links", topology.metrics.links},
                            {"diameter", topology.metrics.diameter},
                            {"mean_distance_distinct", topology.metrics.mean_distance_distinct},
                            {"wire_length", topology.wire_length}});
    return json;
}

}  // namespace interlace
