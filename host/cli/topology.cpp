// Interlace: interlace topology, interlace compare
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <iostream>
#include <memory>

#include "cluster_flags.h"
#include "command.h"
#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/engine/routing/routing_file.h"
#include "interlace/network/export.h"
#include "interlace/network/metrics.h"
#include "interlace/report/table.h"
#include "interlace/study/compare.h"
#include "topology_list.h"

namespace interlace::cli {
namespace {

struct TopologyFlags {
    std::string network, graph_file, graph_form, table_file, routing = "table";
    std::uint32_t channels = 2;  // of the node that interlace traffic takes
    std::uint64_t seed = 1;
    bool json = false;
    ListFlags list;
    SearchFlags search;
};

Json to_json(const Metrics& metrics, const TopologyFlags& flags) {
    Json json = json_result("topology", flags.seed);
    json["experiment"] = {{"network", flags.network}};
    json["network"] = flags.network;
    json["nodes"] = metrics.nodes;
    json["links"] = metrics.links;
    json["degree"] = metrics.degree;
    json["degree_min"] = metrics.degree_min;
    json["diameter"] = metrics.diameter;
    json["radius"] = metrics.radius;
    json["mean_distance"] = metrics.mean_distance;
    json["mean_distance_distinct"] = metrics.mean_distance_distinct;
    if (metrics.hosts < metrics.nodes) {
        json["hosts"] = metrics.hosts;
        json["mean_distance_hosts"] = metrics.mean_distance_hosts;
        json["diameter_hosts"] = metrics.diameter_hosts;
    }
    json["eccentricity"] = metrics.eccentricity;
    json["distance_histogram"] = metrics.histogram;
    json["sampled"] = metrics.sampled;
    json["sources"] = metrics.sources;
    return json;
}

void print_topology(const Metrics& metrics, const TopologyFlags& flags) {
    const std::string degree = metrics.degree == metrics.degree_min
                                   ? fmt::format("{}", metrics.degree)
                                   : fmt::format("{} to {}", metrics.degree_min, metrics.degree);
    fmt::print("network                 {}\n", flags.network);
    fmt::print("nodes                   {}\n", metrics.nodes);
    fmt::print("links (directed)        {}\n", metrics.links);
    fmt::print("degree                  {}\n", degree);
    fmt::print("diameter                {}{}\n", metrics.diameter, metrics.sampled ? " or more" : "");
    fmt::print("mean distance           {:.4f}  over all ordered pairs (the iBT paper's mu)\n",
               metrics.mean_distance);
    fmt::print("                        {:.4f}  over pairs of different nodes\n",
               metrics.mean_distance_distinct);
    if (metrics.hosts < metrics.nodes)
        fmt::print("between hosts           {:.4f}  of {} machines; diameter {}\n",
                   metrics.mean_distance_hosts, metrics.hosts, metrics.diameter_hosts);
    if (!metrics.eccentricity.empty())
        fmt::print("eccentricity by species {}\n", fmt::join(metrics.eccentricity, " "));
    else
        fmt::print("eccentricity            {} to {}\n", metrics.radius, metrics.diameter);
    if (metrics.sampled) fmt::print("sampled                 from {} sources, not all\n", metrics.sources);
    fmt::print("\n");
    Table table({"hops", "share of ordered pairs"});
    for (std::size_t h = 0; h < metrics.histogram.size(); ++h)
        table.add({std::to_string(h), fmt::format("{:.6f}", metrics.histogram[h])});
    fmt::print("{}", table.str());
}

/// `file`: or "-" for standard output. It is named by `flag`.
void write_file(const std::string& flag, const std::string& file, const TopologyFlags& flags,
                const std::function<void(std::ostream&)>& write) {
    refuse_lost_files({{flag, file}}, {flags.network});
    if (file == "-")
        write(std::cout);
    else
        write_whole_file(file, write);
}

int export_network(const TopologyFlags& flags) {
    const GraphForm form =
        flags.graph_form.empty() ? graph_form_of(flags.graph_file) : parse_graph_form(flags.graph_form);
    const Network network = make_network(flags.network);
    write_file("--export", flags.graph_file, flags,
               [&](std::ostream& out) { write_graph(out, network, form); });
    return done;
}

constexpr Names<Routing, 2> routings_by_table = {
    {{"table", Routing::table, "shortest paths"},
     {"balanced", Routing::balanced, "paths that come near the network's capacity"}}};

/// --routing-table.
int write_table(const TopologyFlags& flags) {
    NodeParameters node;
    node.routing = value_of(routings_by_table, flags.routing, "routing");
    node.vcs = flags.channels;
    const Network network = make_network(flags.network);
    const Fabric fabric(network, node);
    const RoutingTables tables = routing_tables(network, fabric);
    write_file("--routing-table", flags.table_file, flags,
               [&](std::ostream& out) { write_routing_table(out, tables, fabric); });
    return done;
}

int measure(const TopologyFlags& flags) {
    const Metrics metrics = measure_network(make_network(flags.network), flags.seed);
    if (flags.json)
        print(to_json(metrics, flags));
    else
        print_topology(metrics, flags);
    return done;
}

int run(const CLI::App& command, const TopologyFlags& flags) {
    if (flags.network == "search") {
        refuse_flags(command,
                     {"--list", "--export", "--form", "--routing-table", "--channels", "--routing", "--seed"},
                     "with search",
                     "--nodes, --degree, --dimensions, --lengths, --twists, --objective, --jobs and --json");
        return print_search(flags.list, flags.search, flags.json);
    }
    refuse_flags(command, {"--degree", "--objective", "--jobs"}, "without search",
                 "interlace topology search");
    if (!flags.list.kind.empty()) {
        refuse_flags(command, {"NETWORK", "--export", "--form", "--routing-table", "--channels", "--routing"},
                     "with --list", "one or the other");
        return print_list(flags.list, flags.seed, flags.json);
    }
    refuse_flags(command, {"--nodes", "--dimensions", "--lengths", "--twists"}, "without --list",
                 "--list KIND");
    if (flags.network.empty())
        throw InputError("there is no network to measure", "NETWORK, or --list KIND --nodes N");
    const bool graph = command.get_option("--export")->count() > 0;
    const bool table = command.get_option("--routing-table")->count() > 0;
    if (!graph) refuse_flags(command, {"--form"}, "without --export", "--export FILE");
    if (!table)
        refuse_flags(command, {"--channels", "--routing"}, "without --routing-table", "--routing-table FILE");
    if (!graph && !table) return measure(flags);
    refuse_flags(command, {"--seed", "--json"}, "with a file to write, where nothing is measured",
                 "one or the other");
    if (graph && table) throw InputError("cannot use --export with --routing-table", "one or the other");
    return graph ? export_network(flags) : write_table(flags);
}

struct CompareFlags {
    std::string first, second;
    std::uint32_t packets = 32;
    std::uint64_t seed = 1;
    bool json = false;
};

void print_comparison(const Comparison& comparison) {
    Table table({"metric", comparison.first, comparison.second, comparison.coefficient});
    for (const ComparedMetric& metric : comparison.metrics)
        table.add({metric.metric, fmt::format("{:.6g}", metric.first), fmt::format("{:.6g}", metric.second),
                   fmt::format("{:.3f}", metric.coefficient)});
    fmt::print("{}", table.str());
}

}  // namespace

void add_topology(CLI::App& app, Action& action) {
    auto flags = std::make_shared<TopologyFlags>();
    CLI::App* command = app.add_subcommand("topology", "Measure a network: degree, diameter, distances");
    command->add_option(
        "NETWORK", flags->network,
        "torus:64x64, mesh:8x8, ibt:64x64:b=4,16, fattree:8, graph:FILE.csv (.graphml, .gml), ...; or "
        "search, which ranks every torus, twisted torus and ibt of --nodes nodes");
    command
        ->add_option("--seed", flags->seed,
                     "Seed of the sample, for a network that is too large to measure completely")
        ->check(whole());
    command->add_flag("--json", flags->json, "Print one JSON object");
    command
        ->add_option("--export", flags->graph_file,
                     "Write every directed link, instead of measuring, to FILE.csv or FILE.graphml (which "
                     "graph:FILE reads), to FILE.dot (Graphviz), to FILE.anynet (BookSim2), or to "
                     "standard output (-)")
        ->type_name("FILE");
    command
        ->add_option("--form", flags->graph_form,
                     "Format of --export, in place of the one by the file's suffix")
        ->type_name("csv|dot|graphml|anynet");
    command
        ->add_option("--routing-table", flags->table_file,
                     "Write the routing table, instead of measuring, to FILE.csv (which --routing "
                     "table:FILE.csv reads) or to standard output (-): node,destination,port,channel")
        ->type_name("FILE");
    command
        ->add_option("--channels", flags->channels,
                     "With --routing-table: virtual channels that packets may use (node.vcs)")
        ->check(whole(1, 4))
        ->capture_default_str();
    add_choice(*command, "--routing", flags->routing, choices_of(routings_by_table),
               "With --routing-table: the routing that it is of");
    add_list_flags(*command, flags->list, flags->search);
    command->footer("Example: interlace topology ibt:64x64:b=8,24");
    command->callback(
        [flags, command, &action] { action = [flags, command] { return run(*command, *flags); }; });
}

void add_compare(CLI::App& app, Action& action) {
    auto flags = std::make_shared<CompareFlags>();
    CLI::App* command = app.add_subcommand(
        "compare",
        "Compare two networks in every metric, with 1 - first/second (the paper's alpha and beta), which is "
        "positive where NETWORK has the lower value");
    command->add_option("NETWORK", flags->first, "Network to compare")->required();
    command->add_option("BASELINE", flags->second, "Network to compare it with")->required();
    command->add_option("--packets", flags->packets, "Packets of each broadcast")->check(whole(1, 1'000'000));
    command->add_option("--seed", flags->seed, "Seed of the optimal scheduler's ties")->check(whole());
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer("Example: interlace compare ibt:64x64:b=8,32 torus:16x16x16");
    command->callback([flags, &action] {
        action = [flags] {
            const Comparison comparison = compare(flags->first, flags->second, flags->packets, flags->seed);
            if (flags->json)
                print(interlace::to_json(comparison, flags->seed));
            else
                print_comparison(comparison);
            return done;
        };
    });
}

}  // namespace interlace::cli
