// Interlace: interlace capacity
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "cluster_flags.h"
#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/network/export.h"
#include "interlace/report/table.h"
#include "run.h"
#include "value_flags.h"

namespace interlace::cli {
namespace {

struct CapacityFlags {
    std::string network, permutation;
    Values values;
    bool json = false;
};

/// The lengths of each species' outputs, on rings.
void print_lengths(const CapacityRun& run) {
    const Lattice& lattice = *run.network.lattice();
    fmt::print("\n");
    Table table({"species", "lengths of links"});
    for (std::uint32_t s = 0; s < lattice.species_count(); ++s) {
        const std::vector<std::string> names = port_names(run.network, NodeId{s});
        std::string text;
        for (std::uint32_t p = 0; p < names.size(); ++p)
            text += fmt::format("{}{} {}", p == 0 ? "" : ", ", names[p],
                                run.found->bound.lengths[run.classes.of(NodeId{s}, p)]);
        table.add({std::to_string(s), text});
    }
    fmt::print("{}", table.str());
}

void print_found(const CapacityRun& run) {
    const Capacity& found = *run.found;
    fmt::print("capacity               {:.4f} flits/node/cycle; no routing carries more than {:.4f}\n",
               run.capacity_at(found.link_load), run.capacity_at(found.bound.link_load()));
    fmt::print("fullest link           {:.6g} packets; at least {:.6g} = {} / {}\n", found.link_load,
               found.bound.link_load(), found.bound.distances, found.bound.all_lengths);
    fmt::print("gap                    {:.3f}%\n", found.gap() * 100);
}

void print_routing(const CapacityRun& run) {
    const RoutingLoad& load = *run.routing;
    fmt::print("routing                {}: {:.4f} flits/node/cycle", run.experiment.node->routing_text(),
               run.capacity_at(load.max));
    if (run.found) fmt::print(", {:.1f}% of the capacity", run.found->bound.link_load() / load.max * 100);
    fmt::print("\n  fullest link         {:.6g} packets, node {} to node {} (mean {:.6g})\n", load.max,
               +load.from, +load.to, load.mean);
    fmt::print("node                   injects at most {:.4g} and receives at most {:.4g} flits/node/cycle\n",
               run.limits->injection, run.limits->ejection);
}

void write_permutation(const CapacityRun& run, const std::string& file) {
    write_whole_file(file, [&](std::ostream& out) {
        out << "from,to\n";
        for (std::uint32_t v = 0; v < run.worst.size(); ++v)
            if (run.worst[v] != v) out << v << ',' << run.worst[v] << '\n';
    });
}

int run_and_print(const CapacityFlags& flags) {
    const ConfigMap config =
        with_given({{"schema", 1}, {"network", flags.network}, {"capacity", Json::object()}}, flags.values);
    const auto experiment = experiment_of<CapacityExperiment>(config);
    if (!flags.permutation.empty() && !experiment.is_worst())
        throw InputError("cannot use --write-permutation with pattern " + experiment.pattern,
                         "--pattern worst");
    refuse_lost_files({{"--write-permutation", flags.permutation}}, texts_of(config));
    const CapacityRun result = run_capacity(experiment, listener());
    if (!flags.permutation.empty()) write_permutation(result, flags.permutation);
    return show(result, flags.json);
}

}  // namespace

void print_text(const CapacityRun& run) {
    fmt::print("network                {}\n", run.experiment.network);
    fmt::print("pattern                {}\n", run.experiment.pattern);
    fmt::print("paths                  {}\n",
               run.experiment.paths == AllowedPaths::any ? "any" : "with the fewest links");
    if (run.found) print_found(run);
    if (run.routing) print_routing(run);
    const auto& lattice = run.network.lattice();
    if (run.found && lattice && lattice->wraps() && run.classes.by_species()) print_lengths(run);
}

int check_capacity_and_print(const std::string& network, const std::string& file, bool json) {
    const CapacityCheck check = check_capacity_file(network, file);
    if (json) {
        print(to_json(check));
    } else if (check.problem.empty()) {
        fmt::print("valid                  {} / {}: at least {:.6g} packets over the fullest link\n",
                   check.bound.distances, check.bound.lengths, check.lower_bound);
    } else {
        fmt::print("not valid              {}\n", check.problem);
    }
    return check.problem.empty() ? done : fell_short;
}

void add_capacity(CLI::App& app, Action& action) {
    auto flags = std::make_shared<CapacityFlags>();
    CLI::App* command = app.add_subcommand(
        "capacity", "Find what a network can carry at most, whatever its routing, with a certificate");
    command
        ->add_option("NETWORK", flags->network,
                     "torus:64x64, mesh:8x8, ibt:64x64:b=4,16, graph:FILE.csv (.graphml, .gml)")
        ->required();
    Values& values = flags->values;
    add_value_choice(*command, values, "--pattern", "capacity.pattern", capacity_patterns(),
                     "Destinations of packets", "uniform");
    add_value_choice(*command, values, "--paths", "capacity.paths", path_choices(),
                     "Paths that a routing may use", "any");
    add_value_choice(*command, values, "--routing", "node.routing", routing_choices(),
                     "Compare the load of this routing with the best one", "");
    add_value_choice(*command, values, "--node", "node.base", node_choices(),
                     "Compare the routing of this node: a shipped set or a YAML file", "");
    command
        ->add_option("--write-permutation", flags->permutation,
                     "With --pattern worst: write the permutation to this file (from,to), which --pattern "
                     "permutation:FILE.csv reads")
        ->type_name("FILE");
    add_set_flag(*command, values, "node.vcs=4");
    command->add_flag("--json", flags->json,
                      "Print one JSON object, which interlace check NETWORK --capacity FILE verifies");
    command->footer("Example: interlace capacity ibt:16x16:b=4,8 --routing table");
    command->callback([flags, &action] { action = [flags] { return run_and_print(*flags); }; });
}

}  // namespace interlace::cli
