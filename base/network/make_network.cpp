// Interlace: networks from their specifications
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "interlace/core/csv.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/text.h"
#include "interlace/network/cluster.h"
#include "interlace/network/gml.h"
#include "interlace/network/graphml.h"
#include "interlace/network/network.h"
#include "links_of_file.h"

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

Network make_graph(const std::string& specification) {
    const std::string path = specification.substr(specification.find(':') + 1);
    if (path.ends_with(".graphml")) return read_graphml(specification, path);
    if (path.ends_with(".gml")) return read_gml(specification, path);
    LinksOfFile links;
    read_csv(path, "from,to", [&](const CsvRow& row) {
        const auto node = [&](std::size_t column) {
            return NodeId{static_cast<std::uint32_t>(row.number(column, 0, max_nodes - 1))};
        };
        const NodeId from = node(0), to = node(1);
        links.add(from, to, std::to_string(from), std::to_string(to));
    });
    if (links.empty())
        throw InputError("there are no links", "at least one row after the header from,to").at(path);
    if (const std::uint32_t node = links.first_unlinked(); node <= links.highest())
        throw InputError(fmt::format("node {} has no link, but node {} has one", node, +links.highest()),
                         "nodes numbered from 0 without a gap")
            .at(path);
    return {specification, links.take()};
}

Network make_cluster(const std::string& specification) {
    return read_cluster(specification.substr(specification.find(':') + 1));
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
     {"graph:FILE.csv", "directed links from,to: a cable is two rows", make_graph},
     {"graph:FILE.graphml", "the same as GraphML", make_graph},
     {"graph:FILE.gml", "the same as GML", make_graph},
     {"cluster:FILE.yaml", "machines behind switches, or the name of a shipped cluster", make_cluster}});

}  // namespace

Choices network_families() {
    return choices_of(families);
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
