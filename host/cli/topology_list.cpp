// Interlace: interlace topology --list, interlace topology search
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "topology_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/network/list_lattices.h"
#include "interlace/network/metrics.h"
#include "interlace/report/table.h"
#include "interlace/study/topology_search.h"

namespace interlace::cli {
namespace {

constexpr Names<Lattice::Kind, 4> kinds = {{{"torus", Lattice::Kind::torus},
                                            {"twisted_torus", Lattice::Kind::twisted_torus},
                                            {"mesh", Lattice::Kind::mesh},
                                            {"ibt", Lattice::Kind::ibt}}};

constexpr Names<Twists, 2> twist_names = {{{"half", Twists::half}, {"all", Twists::all}}};

Twists twists_of(const ListFlags& flags) {
    return flags.twists.empty() ? default_twists(flags.nodes) : value_of(twist_names, flags.twists, "twists");
}

struct Listed {
    std::string network;
    Metrics metrics;
};

std::vector<Listed> measure_all(const LatticeQuery& query, const std::string& kind, std::uint64_t seed) {
    const std::vector<std::string> names = list_lattices(query);
    if (names.empty())
        throw InputError(
            fmt::format("there is no {} of {} nodes with these --dimensions and --lengths", kind,
                        query.nodes),
            query.kind == Lattice::Kind::ibt
                ? "nodes that d sizes, all multiples of d k, make (d dimensions, k bypass lengths)"
                : "a product of that many sizes of 3 or more");
    std::vector<Listed> listed;
    for (const std::string& name : names) {
        listed.push_back({name, measure_network(make_network(name), seed)});
        if (on_terminal())
            show_bar(static_cast<double>(listed.size()) / static_cast<double>(names.size()), "measured");
    }
    std::stable_sort(listed.begin(), listed.end(), [](const Listed& a, const Listed& b) {
        return std::tie(a.metrics.degree, a.metrics.diameter, a.metrics.mean_distance) <
               std::tie(b.metrics.degree, b.metrics.diameter, b.metrics.mean_distance);
    });
    return listed;
}

Json to_json(const std::vector<Listed>& listed, const ListFlags& flags, std::uint64_t seed) {
    Json json = json_result("topologies", seed);
    json["experiment"] = {{"list", flags.kind},
                          {"nodes", flags.nodes},
                          {"dimensions", flags.dimensions},
                          {"lengths", flags.lengths}};
    if (flags.kind == "twisted_torus") json["experiment"]["twists"] = name_of(twist_names, twists_of(flags));
    Json& networks = json["networks"] = Json::array();
    for (const auto& [network, m] : listed)
        networks.push_back({{"network", network},
                            {"links", m.links},
                            {"degree", m.degree},
                            {"degree_min", m.degree_min},
                            {"diameter", m.diameter},
                            {"mean_distance", m.mean_distance},
                            {"mean_distance_distinct", m.mean_distance_distinct},
                            {"sampled", m.sampled}});
    return json;
}

}  // namespace

void add_list_flags(CLI::App& command, ListFlags& flags, SearchFlags& search) {
    command
        .add_option(
            "--list", flags.kind,
            "Instead of measuring NETWORK, list and measure every network of this kind with --nodes nodes")
        ->type_name("torus|twisted_torus|mesh|ibt");
    command.add_option("--nodes", flags.nodes, "With --list and search: number of nodes")
        ->check(whole(3, 1U << 24U));
    command
        .add_option("--dimensions", flags.dimensions,
                    "With --list and search: number of dimensions (default: any; 2 or more for ibt and "
                    "twisted_torus)")
        ->check(whole(1, 16));
    command
        .add_option("--lengths", flags.lengths,
                    "With --list ibt and search: number of bypass lengths of an ibt (default: any)")
        ->check(whole(1, 16));
    command
        .add_option("--twists", flags.twists,
                    "With --list twisted_torus and search: twists by half the ring of x, or by any number "
                    "(default: all up to 512 nodes, half on more)")
        ->type_name("half|all");
    command.add_option("--degree", search.degree, "With search: maximum degree of a node (default: any)")
        ->check(whole(2, 32));
    add_choice(command, "--objective", search.objective, topology_objectives(),
               "With search: the number by which networks are ranked");
    command.add_option("--jobs", search.jobs, "With search: threads")->check(whole(1, 1024));
}

int print_search(const ListFlags& list, const SearchFlags& flags, bool json) {
    if (list.nodes == 0) throw InputError("cannot search without --nodes", "--nodes N");
    const TopologySearch search{list.nodes,      flags.degree, parse_topology_objective(flags.objective),
                                list.dimensions, list.lengths, flags.jobs,
                                twists_of(list)};
    const auto ranked = search_topologies(search, [](double share) {
        if (on_terminal()) show_bar(share, "ranked");
    });
    if (json) {
        print(to_json(search, ranked));
        return done;
    }
    Table table({"network", flags.objective, "degree", "links", "diameter", "mean distance", "wire length"});
    for (const RankedTopology& topology : ranked)
        table.add({topology.network, fmt::format("{:.6g}", topology.value),
                   std::to_string(topology.metrics.degree), std::to_string(topology.metrics.links),
                   std::to_string(topology.metrics.diameter),
                   fmt::format("{:.4f}", topology.metrics.mean_distance_distinct),
                   std::to_string(topology.wire_length)});
    fmt::print("{}", table.str());
    return done;
}

int print_list(const ListFlags& flags, std::uint64_t seed, bool json) {
    const Lattice::Kind kind = value_of(kinds, flags.kind, "kind");
    if (flags.nodes == 0) throw InputError("cannot use --list without --nodes", "--nodes N");
    if (flags.lengths > 0 && kind != Lattice::Kind::ibt)
        throw InputError("--lengths of a " + flags.kind + ", which has no bypass links", "--list ibt");
    if (!flags.twists.empty() && kind != Lattice::Kind::twisted_torus)
        throw InputError("--twists of a " + flags.kind + ", which has none", "--list twisted_torus");
    const auto listed =
        measure_all({kind, flags.nodes, flags.dimensions, flags.lengths, twists_of(flags)}, flags.kind, seed);
    if (json) {
        print(to_json(listed, flags, seed));
        return done;
    }
    Table table({"network", "degree", "links", "diameter", "mean distance"});
    for (const auto& [network, m] : listed)
        table.add({network, std::to_string(m.degree), std::to_string(m.links),
                   fmt::format("{}{}", m.diameter, m.sampled ? " or more" : ""),
                   fmt::format("{:.4f}", m.mean_distance)});
    fmt::print("{}", table.str());
    return done;
}

}  // namespace interlace::cli
