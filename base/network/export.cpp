// Interlace: a network's links as files that other programs read
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/export.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include "interlace/core/error.h"
#include "interlace/core/names.h"

namespace interlace {
namespace {

constexpr Names<GraphForm, 4> graph_forms = {{{"csv", GraphForm::csv},
                                              {"dot", GraphForm::dot},
                                              {"graphml", GraphForm::graphml},
                                              {"anynet", GraphForm::anynet}}};

/// The network's name within quotes of any of the forms: what would end them, or is no ASCII, as '_'.
std::string quotable(const std::string& name) {
    std::string text = name;
    for (char& c : text)
        if (c < 0x20 || c > 0x7e || std::string("\"\\<>&").find(c) != std::string::npos) c = '_';
    return text;
}

/// `visit` sees every link as its sender, port, receiver, the port's name, and its latency.
template <class Visit>
void for_each_link(const Network& network, const Visit& visit) {
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const auto names = port_names(network, NodeId{v});
        for (std::uint32_t p = 0; p < names.size(); ++p)
            visit(v, p, +network.neighbours(NodeId{v})[p], names[p],
                  network.latency(LinkId{network.first_link(NodeId{v}) + p}));
    }
}

void write_csv(std::ostream& out, const Network& network) {
    const bool timed = network.has_latencies();
    out << (timed ? "from,to,latency\n" : "from,to\n");
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        std::vector<std::pair<NodeId, LinkId>> links;
        for (const NodeId to : network.neighbours(NodeId{v}))
            links.emplace_back(
                to, LinkId{network.first_link(NodeId{v}) + static_cast<std::uint32_t>(links.size())});
        std::sort(links.begin(), links.end());
        for (const auto& [to, link] : links) {
            fmt::print(out, "{},{}", v, +to);
            const std::uint32_t latency = network.latency(link);
            if (timed) out << ',' << (latency == 0 ? "" : std::to_string(latency));
            out << '\n';
        }
    }
}

/// Where a node is drawn, in steps: every other dimension goes to the right, the rest upwards.
std::pair<std::uint64_t, std::uint64_t> place_of(const Lattice& lattice, NodeId node) {
    std::uint64_t place[2] = {0, 0};
    std::uint64_t step[2] = {1, 1};
    for (std::uint32_t d = 0; d < lattice.dimensions(); ++d) {
        place[d % 2] += step[d % 2] * lattice.coordinate(node, d);
        step[d % 2] *= lattice.sizes()[d] + 1;
    }
    return {place[0], place[1]};
}

void write_dot(std::ostream& out, const Network& network) {
    constexpr std::uint64_t points = 72;  // a step
    fmt::print(out, "digraph \"{}\" {{\n", quotable(network.name()));
    // neato takes pos for inches, neato -n for points: with this both for points.
    if (network.lattice()) fmt::print(out, "  graph [inputscale={}];\n", points);
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        if (const auto& lattice = network.lattice()) {
            const auto [right, up] = place_of(*lattice, NodeId{v});
            fmt::print(out, "  {} [pos=\"{},{}!\", coordinates=\"", v, points * right, points * up);
            for (std::uint32_t d = 0; d < lattice->dimensions(); ++d)
                fmt::print(out, "{}{}", d == 0 ? "" : ",", lattice->coordinate(NodeId{v}, d));
            out << "\"];\n";
        } else {
            fmt::print(out, "  {}{};\n", v, v < network.endpoint_count() ? "" : " [shape=box, kind=switch]");
        }
    }
    for_each_link(network, [&](std::uint32_t from, std::uint32_t port, std::uint32_t to,
                               const std::string& name, std::uint32_t latency) {
        fmt::print(out, "  {} -> {} [port={}, name=\"{}\"{}];\n", from, to, port, name,
                   latency == 0 ? "" : fmt::format(", latency={}", latency));
    });
    out << "}\n";
}

std::string coordinate_name(std::uint32_t dimension) {
    return dimension < 4 ? std::string(1, "xyzw"[dimension]) : std::to_string(dimension);
}

void write_graphml(std::ostream& out, const Network& network) {
    const auto& lattice = network.lattice();
    const std::uint32_t dimensions = lattice ? lattice->dimensions() : 0;
    const auto key = [&](const std::string& name, const char* of, const char* type) {
        fmt::print(out, "  <key id=\"{0}\" for=\"{1}\" attr.name=\"{0}\" attr.type=\"{2}\"/>\n", name, of,
                   type);
    };
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    for (std::uint32_t d = 0; d < dimensions; ++d) key(coordinate_name(d), "node", "int");
    if (network.has_switches()) key("kind", "node", "string");
    key("port", "edge", "int");
    key("name", "edge", "string");
    if (network.has_latencies()) key("latency", "edge", "int");
    fmt::print(out, "  <graph edgedefault=\"directed\">\n    <desc>{}</desc>\n", quotable(network.name()));
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        fmt::print(out, "    <node id=\"{}\">", v);
        for (std::uint32_t d = 0; d < dimensions; ++d)
            fmt::print(out, "<data key=\"{}\">{}</data>", coordinate_name(d),
                       lattice->coordinate(NodeId{v}, d));
        if (network.has_switches())
            fmt::print(out, "<data key=\"kind\">{}</data>",
                       v < network.endpoint_count() ? "machine" : "switch");
        out << "</node>\n";
    }
    for_each_link(network, [&](std::uint32_t from, std::uint32_t port, std::uint32_t to,
                               const std::string& name, std::uint32_t latency) {
        fmt::print(out,
                   "    <edge source=\"{}\" target=\"{}\"><data key=\"port\">{}</data><data "
                   "key=\"name\">{}</data>{}</edge>\n",
                   from, to, port, name,
                   latency == 0 ? "" : fmt::format("<data key=\"latency\">{}</data>", latency));
    });
    out << "  </graph>\n</graphml>\n";
}

void check_anynet(const Network& network) {
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        for (const NodeId to : network.neighbours(NodeId{v}))
            if (!network.link(to, NodeId{v}))
                throw InputError(fmt::format("cannot write {} as anynet: there is no link from {} to {}",
                                             network.name(), +to, v),
                                 "links in both directions");
        if (!network.has_switches() || v >= network.endpoint_count()) continue;
        if (network.degree(NodeId{v}) != 1)
            throw InputError(fmt::format("cannot write {} as anynet: machine {} has {} links", network.name(),
                                         v, network.degree(NodeId{v})),
                             "one link from each machine, to a switch");
        const LinkId out = network.first_link(NodeId{v});
        if (network.latency(out) != network.latency(*network.link(network.target(out), NodeId{v})))
            throw InputError(
                fmt::format("cannot write {} as anynet: the links of machine {} have different latencies",
                            network.name(), v),
                "the same latency in both directions");
    }
}

/// Links to machines have one latency both ways there, which is that to the machine.
void write_anynet(std::ostream& out, const Network& network) {
    const std::uint32_t hosts = network.endpoint_count();
    const bool direct = !network.has_switches();
    check_anynet(network);
    for (std::uint32_t v = direct ? 0 : hosts; v < network.node_count(); ++v) {
        const std::uint32_t router = direct ? v : v - hosts;
        fmt::print(out, "router {}", router);
        if (direct) fmt::print(out, " node {}", v);
        for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p) {
            const LinkId link{network.first_link(NodeId{v}) + p};
            const std::uint32_t to = network.target(link), latency = network.latency(link);
            const bool to_router = direct || to >= hosts;
            fmt::print(out, " {} {}", to_router ? "router" : "node", to_router && !direct ? to - hosts : to);
            if (latency > 1) fmt::print(out, " {}", latency);
        }
        out << '\n';
    }
}

std::string axis_name(std::uint32_t dimension) {
    return dimension < 3 ? std::string(1, "xyz"[dimension]) : fmt::format("[{}]", dimension);
}

}  // namespace

GraphForm parse_graph_form(const std::string& text) {
    return value_of(graph_forms, text, "form of a graph");
}

GraphForm graph_form_of(const std::string& file) {
    if (file == "-") return GraphForm::csv;
    for (const auto& form : graph_forms)
        if (file.ends_with(std::string(".") + form.name)) return form.value;
    throw InputError("cannot tell the form of file '" + file + "'",
                     "a name that ends in .csv, .dot, .graphml or .anynet, or --form");
}

void write_graph(std::ostream& out, const Network& network, GraphForm form) {
    if (form == GraphForm::csv) write_csv(out, network);
    if (form == GraphForm::dot) write_dot(out, network);
    if (form == GraphForm::graphml) write_graphml(out, network);
    if (form == GraphForm::anynet) write_anynet(out, network);
}

std::vector<std::string> port_names(const Network& network, NodeId node) {
    std::vector<std::string> names;
    for (std::uint32_t p = 0; p < network.degree(node); ++p) names.push_back(fmt::format("port {}", p));
    if (!network.lattice()) return names;
    std::size_t p = 0;
    for (const Hop& hop : network.lattice()->hops(node))
        names[p++] = fmt::format("{}{}{}", hop.offset > 0 ? '+' : '-',
                                 std::abs(hop.offset) == 1 ? "" : std::to_string(std::abs(hop.offset)),
                                 axis_name(hop.dimension));
    return names;
}

}  // namespace interlace
