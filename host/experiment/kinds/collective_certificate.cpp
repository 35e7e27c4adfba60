// Interlace: proofs that collectives cannot take fewer steps, as files
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "collective_plan.h"
#include "interlace/broadcast/collectives/allreduce.h"
#include "interlace/broadcast/collectives/time_cuts.h"
#include "interlace/config/config_map.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/kinds/collective.h"
#include "interlace/network/metrics.h"
#include "interlace/program/symmetric_schedule.h"

namespace interlace {
namespace {

constexpr Names<PacketsGo, 2> directions = {{{"from", PacketsGo::from}, {"to", PacketsGo::to}}};

/// What a collective has to bring from nodes to others, of which a cut may speak.
struct Demand {
    bool from = false, to = false;  ///< packets of their own from a node to each other, to a node from each
    std::uint64_t each = 0;         ///< of these
    std::uint64_t one = 0;          ///< from a node to another

    bool has(PacketsGo go) const { return go == PacketsGo::from ? from : to; }
};

Demand demand_of(const CollectiveExperiment& e, std::uint32_t nodes) {
    const std::uint64_t chunks = e.chunks;
    switch (e.collective) {
        case DirectCollective::allgather:
            return {false, true, chunks, chunks};
        case DirectCollective::reducescatter:
            return {true, false, chunks, chunks};
        case DirectCollective::allreduce:
            return {false, false, 0, nodes * chunks};
        case DirectCollective::alltoall:
            return {true, true, chunks, chunks};
        case DirectCollective::reduce:
            return {false, false, 0, chunks};
        case DirectCollective::scatter:
            return {true, false, chunks, chunks};
        case DirectCollective::gather:
            return {false, true, chunks, chunks};
        case DirectCollective::barrier:
            return {false, false, 0, 1};
    }
    return {};
}

/// Of packets for all: at the root, or at a node of each class.
std::optional<TimeCut> find_cut_of_all(const CollectiveRun& run, const Demand& demand) {
    const CollectiveExperiment& e = run.experiment;
    const std::vector<NodeId> nodes =
        has_root(e.collective) ? std::vector{NodeId{e.root}} : Translations(run.network).firsts();
    for (const PacketsGo go : {PacketsGo::from, PacketsGo::to})
        for (const NodeId node : nodes)
            if (demand.has(go))
                if (auto cut = cut_of_all(run.network, go, node, e.chunks, run.bound.steps - 1)) return cut;
    return {};
}

/// Of packets for one: of a reduce to its root, of others between the nodes farthest from one another.
std::optional<TimeCut> find_cut_of_one(const CollectiveRun& run, const Demand& demand) {
    const CollectiveExperiment& e = run.experiment;
    const std::uint32_t steps = run.bound.steps - 1;
    const auto packets = static_cast<std::uint32_t>(demand.one);
    if (e.collective == DirectCollective::reduce) {
        for (std::uint32_t v = 0; v < run.network.node_count(); ++v)
            if (v != e.root)
                if (auto cut =
                        cut_of_one(run.network, PacketsGo::to, NodeId{e.root}, NodeId{v}, packets, steps))
                    return cut;
        return {};
    }
    const Translations translations(run.network);
    for (const NodeId node : translations.firsts()) {
        const auto distances = distances_from(run.network, node);
        const auto farthest = std::max_element(distances.begin(), distances.end());
        if (*farthest > steps)
            return cut_of_one(run.network, PacketsGo::from, node,
                              NodeId{static_cast<std::uint32_t>(farthest - distances.begin())}, packets,
                              steps);
    }
    return {};
}

Json certificate_json(const CollectiveRun& run) {
    const CollectiveExperiment& e = run.experiment;
    Json json = json_result("certificate", e.seed);
    json["network"] = e.network;
    json["collective"] = collective_name(e.collective);
    json["chunks"] = e.chunks;
    if (has_root(e.collective)) json["root"] = e.root;
    json["lower_bound"] = run.bound.steps;
    return json;
}

Json to_json(const CollectiveRun& run, const TimeCut& cut) {
    Json json = certificate_json(run);
    json["direction"] = name_of(directions, cut.go);
    json["node"] = +cut.node;
    if (cut.only) json["other"] = +*cut.only;
    json["packets"] = cut.packets;
    json["times"] = cut.times;
    return json;
}

/// A cut over time between two nodes, or parts of the network.
std::optional<Json> certificate_of_sums(const CollectiveRun& run) {
    const AllReduceBound bound = allreduce_bound(run.network, run.experiment.chunks);
    if (bound.kind == AllReduceBound::Kind::sends) {
        Json json = certificate_json(run);
        json["parts"] = bound.cut.part;
        return json;
    }
    const std::uint32_t packets = run.network.node_count() * run.experiment.chunks, steps = bound.steps - 1;
    auto cut = cut_of_one(run.network, PacketsGo::from, bound.from, bound.to, packets, steps);
    if (!cut) cut = cut_of_one(run.network, PacketsGo::to, bound.to, bound.from, packets, steps);
    if (!cut) return {};
    return to_json(run, *cut);
}

std::optional<Json> certificate_of(const CollectiveRun& run) {
    if (run.bound.steps == 0) return {};
    if (run.experiment.collective == DirectCollective::allreduce) return certificate_of_sums(run);
    const Demand demand = demand_of(run.experiment, run.network.node_count());
    std::optional<TimeCut> cut = find_cut_of_all(run, demand);
    if (!cut) cut = find_cut_of_one(run, demand);
    if (!cut) return {};
    return to_json(run, *cut);
}

/// What the cut claims that the collective does not have to do; empty: nothing.
std::string beyond(const CollectiveExperiment& e, const TimeCut& cut, std::uint32_t nodes) {
    const Demand demand = demand_of(e, nodes);
    const std::string name = collective_name(e.collective);
    const bool scatters = e.collective == DirectCollective::scatter, leave = cut.go == PacketsGo::from;
    if (has_root(e.collective) && (cut.node != e.root || leave != scatters))
        return fmt::format("packets of a {} {} node {}", name, scatters ? "leave" : "come to", e.root);
    if (!cut.only && !demand.has(cut.go))
        return fmt::format("no packets {} a node {} each other are needed in a {}", leave ? "from" : "to",
                           leave ? "to" : "from", name);
    if (const std::uint64_t most = cut.only ? demand.one : demand.each; cut.packets > most)
        return fmt::format("{} packets are more than the {} of a {}", cut.packets, most, name);
    return "";
}

}  // namespace

void write_certificate(const CollectiveRun& run, const std::string& file) {
    const CollectiveExperiment& e = run.experiment;
    if (e.collective == DirectCollective::alltoall && run.bound.kind != "diameter") {
        const std::optional<CapacityRun> found =
            run.capacity ? std::nullopt : std::optional(capacity_of(run.experiment, {}));
        const Json result = to_json(run.capacity ? *run.capacity : *found);
        write_whole_file(file, [&](std::ostream& out) { out << result.dump(2) << '\n'; });
        return;
    }
    const std::optional<Json> certificate = certificate_of(run);
    if (!certificate)
        throw InputError(fmt::format("there is no cut over time that proves the bound ({})", run.bound.why),
                         "a bound of the kind degree, distance, diameter, flow, neighbourhood or sends");
    write_whole_file(file, [&](std::ostream& out) { out << certificate->dump() << '\n'; });
}

namespace {

TimeCut read_time_cut(ConfigMap& map, const Network& network, std::uint32_t lower_bound) {
    TimeCut cut;
    const auto node = [&](const char* key) {
        return NodeId{static_cast<std::uint32_t>(map.integer(key, 0, network.node_count() - 1))};
    };
    cut.node = node("node");
    if (map.has("other")) cut.only = node("other");
    map.update("direction", cut.go, directions);
    cut.steps = lower_bound - 1;
    cut.packets = map.integer("packets", 0, UINT32_MAX);
    cut.times = map.integers("times", 0, lower_bound);
    return cut;
}

void finish(ConfigMap& map) {
    for (const char* key : {"schema", "version", "seed", "network"}) map.text(key);
    map.finish();
}

/// Packets that have to cross, and that can; and why there may not be so many.
void check_cut(CertificateCheck& check, ConfigMap& map, const Network& network, const std::string& file) {
    const CollectiveExperiment& e = check.experiment;
    const auto checked = [&](const auto& by, const auto& cut) {
        try {
            return by(network, cut);
        } catch (const InputError& error) {
            throw error.at(file);
        }
    };
    if (map.has("parts")) {
        check.of_parts = true;
        const PartsCut cut{check.lower_bound - 1, std::uint64_t{check.nodes} * e.chunks,
                           map.integers("parts", 0, check.nodes - 1)};
        finish(map);
        check.found = checked(check_parts_cut, cut);
        if (e.collective != DirectCollective::allreduce)
            check.problem = "parts are of an allreduce, not of a " + collective_name(e.collective);
        return;
    }
    const TimeCut cut = read_time_cut(map, network, check.lower_bound);
    finish(map);
    check.found = checked(check_time_cut, cut);
    check.problem = beyond(e, cut, network.node_count());
}

}  // namespace

CertificateCheck check_certificate(const std::string& specification, const std::string& file) {
    CertificateCheck check;
    CollectiveExperiment& e = check.experiment;
    e.network = specification;
    const Network network = direct_network(e);
    ConfigMap map = ConfigMap::from_file(file);
    try {
        e.collective = collective_of(map.text("collective"));
    } catch (const InputError& error) {
        throw error.at(map.place("collective"));
    }
    e.chunks = static_cast<std::uint32_t>(map.integer("chunks", 1, UINT32_MAX));
    if (has_root(e.collective))
        e.root = static_cast<std::uint32_t>(map.integer("root", 0, network.node_count() - 1));
    check.nodes = network.node_count();
    check.lower_bound = static_cast<std::uint32_t>(map.integer("lower_bound", 1, UINT32_MAX));
    check_cut(check, map, network, file);
    if (check.problem.empty() && !check.found.proves())
        check.problem = fmt::format("{} packets can cross the cut in {} steps, and {} have to",
                                    check.found.crossing, check.lower_bound - 1, check.found.needed);
    return check;
}

Json to_json(const CertificateCheck& check) {
    Json json = json_result("check", 1);
    json["network"] = check.experiment.network;
    json["collective"] = collective_name(check.experiment.collective);
    json["valid"] = check.problem.empty();
    json["lower_bound"] = check.lower_bound;
    json["packets_needed"] = check.found.needed;
    json["packets_crossing"] = check.found.crossing;
    if (!check.problem.empty()) json["problem"] = check.problem;
    return json;
}

}  // namespace interlace
