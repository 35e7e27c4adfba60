// Interlace: networks from their specifications
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "graph_of_file.h"
#include "interlace/core/csv.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "interlace/network/anynet.h"
#include "interlace/network/cluster.h"
#include "interlace/network/gml.h"
#include "interlace/network/graphml.h"
#include "interlace/network/network.h"
#include "interlace/network/switched.h"

namespace interlace {
namespace {

std::vector<std::uint32_t> parse_list(const std::string& text, char separator, const std::string& what,
                                      std::uint32_t least = 1) {
    std::vector<std::uint32_t> values;
    for (const std::string& piece : split(text, separator))
        values.push_back(
            static_cast<std::uint32_t>(parse_integer(piece, what, least, (std::uint64_t{1} << 31U) - 1)));
    return values;
}

/// What a specification says after its sizes: the text behind `key`, or "" where that is not there.
/// Throws where it says anything else, with an `example` of what it may say.
std::string option(const std::vector<std::string>& fields, std::string_view key, const char* example) {
    if (fields.size() < 3) return "";
    if (const auto& last = fields.back(); fields.size() > 3 || key.empty() || !last.starts_with(key))
        throw InputError(fmt::format("{} has no '{}'", fields[0], last), example);
    return fields[2].substr(key.size());
}

Network make_torus(const std::string& specification) {
    const auto fields = split(specification, ':');
    const std::string twist = option(fields, "twist=", "torus:64x64, or torus:8x4:twist=4");
    auto sizes = parse_list(fields[1], 'x', "size");
    if (fields.size() == 2) return Network(specification, Lattice(Lattice::Kind::torus, std::move(sizes)));
    return Network(specification, Lattice::twisted(std::move(sizes), parse_list(twist, ',', "twist", 0)));
}

Network make_mesh(const std::string& specification) {
    const auto fields = split(specification, ':');
    option(fields, "", "mesh:64x64");
    return Network(specification, Lattice(Lattice::Kind::mesh, parse_list(fields[1], 'x', "size")));
}

Network make_ibt(const std::string& specification) {
    const char* const example = "ibt:64x64:b=4,16";
    const auto fields = split(specification, ':');
    const std::string bypass = option(fields, "b=", example);
    if (fields.size() == 2) throw InputError("an ibt needs bypass lengths", example);
    return Network(specification, Lattice(Lattice::Kind::ibt, parse_list(fields[1], 'x', "size"),
                                          parse_list(bypass, ',', "bypass length")));
}

/// Without ":hosts=16" behind a file's name, of which `hosts` gets the number.
std::string without_hosts(std::string path, std::optional<std::uint32_t>& hosts) {
    constexpr std::string_view key = ":hosts=";
    const std::size_t at = path.rfind(key);
    if (at == std::string::npos || !path.substr(0, at).ends_with(".csv")) return path;
    hosts = static_cast<std::uint32_t>(parse_integer(path.substr(at + key.size()), "hosts", 2, max_nodes));
    return path.substr(0, at);
}

Network make_graph(const std::string& specification) {
    std::optional<std::uint32_t> hosts;
    const std::string path = without_hosts(specification.substr(specification.find(':') + 1), hosts);
    if (path.ends_with(".graphml")) return read_graphml(specification, path);
    if (path.ends_with(".gml")) return read_gml(specification, path);
    GraphOfFile links;
    read_csv(path, "from,to[,latency]", [&](const CsvRow& row) {
        const auto node = [&](std::size_t column) {
            return NodeId{static_cast<std::uint32_t>(row.number(column, 0, max_nodes - 1))};
        };
        const NodeId from = node(0), to = node(1);
        const auto latency = row.columns() == 3 && !row.empty(2)
                                 ? static_cast<std::uint32_t>(row.number(2, 1, most_latency))
                                 : 0;
        links.add(from, to, std::to_string(from), std::to_string(to), latency);
    });
    if (links.empty())
        throw InputError("there are no links", "at least one row after the header from,to").at(path);
    if (const std::uint32_t node = links.first_unlinked(); node <= links.highest())
        throw InputError(fmt::format("node {} has no link, but node {} has one", node, +links.highest()),
                         "nodes numbered from 0 without a gap")
            .at(path);
    const std::uint32_t nodes = links.highest() + 1;
    if (hosts && *hosts > nodes)
        throw InputError(fmt::format("there are {} nodes", nodes),
                         fmt::format("at least {} with hosts", *hosts))
            .at(path);
    for (std::uint32_t v = hosts.value_or(nodes); v < nodes; ++v) links.add_switch(NodeId{v});
    return links.network(specification, nodes);
}

Network make_anynet(const std::string& specification) {
    return read_anynet(specification, specification.substr(specification.find(':') + 1));
}

Network make_cluster_of_file(const std::string& specification) {
    return read_cluster(specification.substr(specification.find(':') + 1));
}

/// What stands behind the first colon: from `least` to `most` numbers with commas between them.
std::vector<std::uint32_t> numbers_of(const std::string& specification, std::size_t least, std::size_t most,
                                      const char* example) {
    const auto fields = split(specification, ':');
    option(fields, "", example);
    auto numbers = parse_list(fields[1], ',', "number");
    if (numbers.size() < least || numbers.size() > most)
        throw InputError(
            fmt::format("cannot use {} number{}", numbers.size(), numbers.size() == 1 ? "" : "s"), example);
    return numbers;
}

Network make_hypercube(const std::string& specification) {
    const std::uint32_t dimensions = numbers_of(specification, 1, 1, "hypercube:6")[0];
    if (dimensions > 16)
        throw InputError(fmt::format("cannot use {} dimensions", dimensions), "1 to 16 dimensions");
    return Network(specification, Lattice(Lattice::Kind::torus, std::vector<std::uint32_t>(dimensions, 2)));
}

Network make_fat_tree(const std::string& specification) {
    const auto numbers = numbers_of(specification, 1, 2, "fattree:8, or fattree:4,3");
    return network_of_machines(
        specification, numbers.size() == 1 ? fat_tree(numbers[0]) : k_ary_n_tree(numbers[0], numbers[1]));
}

Network make_dragonfly(const std::string& specification) {
    const auto numbers = numbers_of(specification, 3, 3, "dragonfly:4,2,2");
    return network_of_machines(specification, dragonfly(numbers[0], numbers[1], numbers[2]));
}

/// Of a specification that may end in p=MACHINES: on each switch; 0: without it.
std::uint32_t machines_of(const std::vector<std::string>& fields, const char* example) {
    const std::string machines = option(fields, "p=", example);
    if (fields.size() == 2) return 0;
    return static_cast<std::uint32_t>(parse_integer(machines, "machines", 1, 1'000'000));
}
/// Of routers with hosts of their own, or of machines behind them.
Network with_machines(const std::string& specification, const SwitchPlan& plan) {
    return plan.machines.front() == 0 ? network_of_routers(specification, plan)
                                      : network_of_machines(specification, plan);
}

Network make_hyperx(const std::string& specification) {
    const auto fields = split(specification, ':');
    const std::uint32_t machines = machines_of(fields, "hyperx:4x4:p=4");
    return with_machines(specification, hyperx(parse_list(fields[1], 'x', "size"), machines));
}

Network make_flattened_butterfly(const std::string& specification) {
    const auto numbers = numbers_of(specification, 2, 2, "flattened_butterfly:4,3");
    if (numbers[0] < 2 || numbers[1] < 2 || numbers[1] > 17)
        throw InputError(fmt::format("cannot use {},{}", numbers[0], numbers[1]),
                         "k of 2 or more, and n from 2 to 17");
    const std::vector<std::uint32_t> sizes(numbers[1] - 1, numbers[0]);
    return network_of_machines(specification, hyperx(sizes, numbers[0]));
}

Network make_slim_fly(const std::string& specification) {
    const auto fields = split(specification, ':');
    const std::uint32_t machines = machines_of(fields, "slimfly:5:p=4");
    const auto q = static_cast<std::uint32_t>(parse_integer(fields[1], "number", 3, 128));
    return with_machines(specification, slim_fly(q, machines));
}

Network make_crossbar(const std::string& specification) {
    return network_of_machines(specification, crossbar(numbers_of(specification, 1, 1, "crossbar:8")[0]));
}

struct NetworkFamily {
    const char*
        name;  ///< a specification as users write it; the family is what stands before its first colon
    const char* text;
    Network (*make)(const std::string& specification);
};

/// All of them: who adds one adds it here.
constexpr auto families = std::to_array<NetworkFamily>(
    {{"torus:64x64", "rings in every dimension", make_torus},
     {"torus:8x4:twist=4", "a torus; who wraps in y moves up in x by this", make_torus},
     {"mesh:8x8", "a torus without the wrap", make_mesh},
     {"ibt:64x64:b=4,16", "a torus with interlaced bypass rings of these lengths", make_ibt},
     {"hypercube:6", "a torus of so many dimensions of 2 nodes", make_hypercube},
     {"fattree:8", "three levels of switches with so many ports", make_fat_tree},
     {"fattree:4,3", "the k-ary n-tree, here 4-ary and of 3 levels", make_fat_tree},
     {"dragonfly:4,2,2", "a switches a group; of each h links to other groups, and p machines",
      make_dragonfly},
     {"hyperx:4x4:p=4", "all linked that differ in one coordinate; p machines on each switch", make_hyperx},
     {"flattened_butterfly:4,3", "the k-ary n-flat, here 4-ary and of 2 dimensions",
      make_flattened_butterfly},
     {"slimfly:5:p=4", "2 q^2 switches of diameter 2; p machines on each", make_slim_fly},
     {"crossbar:8", "so many machines on one switch", make_crossbar},
     {"graph:FILE.csv", "directed links from,to: a cable is two rows", make_graph},
     {"graph:FILE.graphml", "the same as GraphML", make_graph},
     {"graph:FILE.gml", "the same as GML", make_graph},
     {"graph:FILE.csv:hosts=16", "of which only nodes 0 to 15 have hosts", make_graph},
     {"anynet:FILE", "routers and nodes as BookSim2's topology anynet lists them", make_anynet},
     {"cluster:FILE.yaml", "machines behind switches, or the name of a shipped cluster",
      make_cluster_of_file}});

}  // namespace

Choices network_families() {
    return choices_of(families);
}

bool has_switches(const std::string& specification) {
    if (specification.starts_with("cluster:")) return true;
    try {
        for (const std::string& file : file_names_in(specification)) refuse_pipe(file);  // which is read once
        return make_network(specification).has_switches();
    } catch (const InputError&) {
        return false;
    }
}

Network make_network(const std::string& specification) {
    try {
        for (const NetworkFamily& family : families)
            if (specification.find(':') != std::string::npos &&
                before_colon(specification) == before_colon(family.name))
                return family.make(specification);
        throw unknown_name("kind", std::string(before_colon(specification)), network_families());
    } catch (const InputError& error) {
        throw error.at("network '" + specification + "'");
    }
}

}  // namespace interlace
