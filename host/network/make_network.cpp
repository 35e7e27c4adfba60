// Interlace: networks from their specifications
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/csv.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/network/cluster.h"
#include "interlace/network/network.h"

namespace interlace {
namespace {

constexpr auto forms =
    "torus:64x64, mesh:8x8, ibt:64x64:b=4,16, graph:FILE.csv or cluster:FILE.yaml (or a shipped cluster's "
    "name)";

std::vector<std::uint32_t> parse_list(const std::string& text, char separator, const std::string& what) {
    std::vector<std::uint32_t> values;
    for (const std::string& piece : split(text, separator))
        values.push_back(
            static_cast<std::uint32_t>(parse_integer(piece, what, 1, (std::uint64_t{1} << 31U) - 1)));
    return values;
}

Lattice parse_lattice(const std::string& kind, const std::vector<std::string>& fields) {
    const bool is_ibt = kind == "ibt";
    if (fields.size() != (is_ibt ? 3U : 2U) || (is_ibt && !fields[2].starts_with("b=")))
        throw InputError(is_ibt ? "an iBT without its one list of bypass lengths" : "fields after the sizes",
                         is_ibt ? "ibt:64x64:b=4,16" : kind + ":64x64");
    const auto sizes = parse_list(fields[1], 'x', "size");
    if (!is_ibt) return {kind == "torus" ? Lattice::Kind::torus : Lattice::Kind::mesh, sizes};
    return {Lattice::Kind::ibt, sizes, parse_list(fields[2].substr(2), ',', "bypass length")};
}

Network read_graph(const std::string& specification, const std::string& path) {
    std::vector<std::pair<NodeId, NodeId>> links;
    read_csv(path, "from,to", [&](const CsvRow& row) {
        const auto node = [&](std::size_t column) {
            return NodeId{static_cast<std::uint32_t>(row.number(column, 0, max_nodes - 1))};
        };
        links.emplace_back(node(0), node(1));
        if (links.back().first == links.back().second)
            throw InputError("a link from a node to itself", "two different nodes");
    });
    if (links.empty()) throw InputError("no links", "at least one row after the header from,to").at(path);
    return {specification, std::move(links)};
}

}  // namespace

Network make_network(const std::string& specification) {
    const auto fields = split(specification, ':');
    const std::string& kind = fields[0];
    try {
        if (kind == "graph" && fields.size() > 1) return read_graph(specification, specification.substr(6));
        if (kind == "cluster" && fields.size() > 1) return read_cluster(specification.substr(8));
        if (kind != "torus" && kind != "mesh" && kind != "ibt")
            throw InputError("no such kind of network", forms);
        return Network{specification, parse_lattice(kind, fields)};
    } catch (const InputError& error) {
        throw error.at("network '" + specification + "'");
    }
}

}  // namespace interlace
