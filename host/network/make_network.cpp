// Interlace: networks from their specifications
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>

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

std::pair<NodeId, NodeId> parse_row(const std::string& line) {
    const auto cells = split(line, ',');
    if (cells.size() != 2) throw InputError("row '" + line + "'", "two node numbers, from,to");
    const NodeId from{static_cast<std::uint32_t>(parse_integer(cells[0], "node", 0, max_nodes - 1))};
    const NodeId to{static_cast<std::uint32_t>(parse_integer(cells[1], "node", 0, max_nodes - 1))};
    if (from == to) throw InputError("a link from a node to itself", "two different nodes");
    return {from, to};
}

Network read_graph(const std::string& specification, const std::string& path) {
    std::ifstream file(path);
    if (!file) throw InputError("cannot read '" + path + "'", "a CSV file with the header from,to");
    std::vector<std::pair<NodeId, NodeId>> links;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        if (line.ends_with('\r')) line.pop_back();
        try {
            if (number == 1) {
                if (line != "from,to") throw InputError("header '" + line + "'", "from,to");
            } else if (!line.empty()) {
                links.push_back(parse_row(line));
            }
        } catch (const InputError& error) {
            throw error.at(fmt::format("{}:{}", path, number));
        }
    }
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
