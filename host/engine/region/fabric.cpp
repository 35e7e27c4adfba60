// Interlace: wiring a network up
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/region/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "interlace/core/error.h"

namespace interlace {
namespace {

/// A flit on a pin carries two words, so that a packet of one flit still holds its source and sequence.
constexpr std::uint32_t words_per_flit = 2;

/// [link]: the input port it enters by.
std::vector<std::uint32_t> input_ports(const Network& network) {
    std::vector<std::uint32_t> port(network.link_count(), UINT32_MAX);
    const IncomingLinks incoming(network);
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const NodeId node{v};
        std::vector<bool> taken(network.degree(node) + incoming.links_into(node).size(), false);
        for (std::size_t i = 0; i < incoming.links_into(node).size(); ++i)
            if (const auto back = network.link(node, incoming.senders_to(node)[i])) {
                port[incoming.links_into(node)[i]] = *back - network.first_link(node);
                taken[*back - network.first_link(node)] = true;
            }
        for (const LinkId link : incoming.links_into(node))
            if (port[link] == UINT32_MAX) {
                const auto free = std::find(taken.begin(), taken.end(), false);
                port[link] = static_cast<std::uint32_t>(free - taken.begin());
                *free = true;
            }
    }
    return port;
}

}  // namespace

Fabric::Fabric(const Network& network, const NodeParameters& node_parameters,
               const LinkParameters& link_parameters)
    : nodes(network.node_count()),
      ports(1),
      vcs(node_parameters.vcs),
      words(words_per_flit),
      parameters(node_parameters),
      links(link_parameters) {
    const std::vector<std::uint32_t> entered = input_ports(network);
    ports = std::max(ports, network.max_degree());
    for (const std::uint32_t port : entered) ports = std::max(ports, port + 1);
    const auto* built = std::find_if(std::begin(built_ports), std::end(built_ports),
                                     [&](std::uint32_t count) { return count >= ports; });
    if (built == std::end(built_ports))
        throw InputError(
            fmt::format("cannot use a node of {} with {} ports", network.name(), ports),
            fmt::format("at most {} ports for a cycle engine", built_ports[std::size(built_ports) - 1]));
    ports = *built;
    injections = parameters.injections(ports);
    if (injections > ports + 2)
        throw InputError(
            fmt::format("cannot use {} injection queues of a node with {} ports", injections, ports),
            fmt::format("1 to {}", ports + 2));
    receptions = parameters.receptions(ports);
    layout = parameters.reception_layout(ports);
    to.resize(std::size_t{nodes} * ports);
    from.resize(to.size());
    for (std::uint32_t v = 0, link = 0; v < nodes; ++v)
        for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p, ++link) {
            const std::uint32_t far = network.target(LinkId{link});
            to[std::size_t{v} * ports + p] = {far, static_cast<std::uint8_t>(entered[link])};
            from[std::size_t{far} * ports + entered[link]] = {v, static_cast<std::uint8_t>(p)};
        }
    field_bits_ = ports < 6 ? 16 : 32 / (ports / 2);
    if (network.lattice()) wire_coordinates(*network.lattice());
    find_kinds(network);
    if (links != LinkParameters{}) time_links(network);
    if (adaptive()) parameters.check_adaptive();
    parameters.check_pipeline();
    check_layer();
    check_turn_back(network);
    if (adaptive() && dimensions == 0)
        throw InputError("cannot use adaptive_bubble on " + network.name(),
                         "a torus, mesh or ibt whose coordinates fit a packet's header, or routing: "
                         "dimension_order or table");
}

void Fabric::check_layer() const {
    constexpr std::uint32_t most = 32'768;  // half of the sequence numbers
    if (!links.has_layer()) return;
    constexpr std::uint32_t longest = 16'000;  // four times as many cycles are the longest time-out
    if (2 * longest_delay + links.cycles_per_flit > longest)
        throw InputError(fmt::format("cannot use links that take up to {} cycles with replay", longest_delay),
                         fmt::format("at most {}", (longest - links.cycles_per_flit) / 2));
    if (parameters.vc_depth > most / vcs)
        throw InputError(parameters.vc_depth == infinite_depth
                             ? "cannot use infinite virtual channels on links with replay"
                             : fmt::format("cannot use virtual channels of {} flits on links with replay",
                                           parameters.vc_depth),
                         fmt::format("a vc_depth of at most {}", most / vcs));
}

void Fabric::check_turn_back(const Network& network) const {
    if (parameters.turn_back) return;
    if (adaptive() && !by_coordinates())
        throw InputError("cannot use turn_back: false with adaptive packets that choose by a table",
                         "turn_back: true, or hops of one only");
    // A node knows the link that a packet came by as the port with that number.
    for (std::uint32_t v = 0; v < nodes; ++v)
        for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p) {
            const FarPort far = to[std::size_t{v} * ports + p];
            if (to[std::size_t{far.node} * ports + far.port].node != v)
                throw InputError(fmt::format("turn_back: false on {}, whose node {} has no link back to node "
                                             "{}",
                                             network.name(), far.node, v),
                                 "turn_back: true, or links that go both ways");
        }
}

void Fabric::time_links(const Network& network) {
    flit_delay_.assign(to.size(), 0);
    credit_delay_.assign(to.size(), 0);
    for (std::uint32_t v = 0; v < nodes; ++v) {
        std::vector<Hop> hops_of_node;
        if (network.lattice()) hops_of_node = network.lattice()->hops(NodeId{v});
        for (std::uint32_t p = 0; p < network.degree(NodeId{v}); ++p) {
            const auto length =
                hops_of_node.empty() ? 1U : static_cast<std::uint32_t>(std::abs(hops_of_node[p].offset));
            const LinkId link{network.first_link(NodeId{v}) + p};
            const std::uint32_t extra =
                (links.latencies.empty() ? links.latency_of(length) : links.latencies[link]) - 1;
            const FarPort far = to[std::size_t{v} * ports + p];
            const std::uint32_t delay = extra + links.cycles_per_flit - 1;
            flit_delay_[std::size_t{v} * ports + p] = delay;
            credit_delay_[std::size_t{far.node} * ports + far.port] = delay;
            longest_delay = std::max(longest_delay, delay);
        }
    }
    for (std::size_t i = 0; i < to.size(); ++i)
        if ((to[i].linked() && flit_delay_[i] != longest_delay) ||
            (from[i].linked() && credit_delay_[i] != longest_delay))
            return;
    delay_of_all_ = longest_delay;
    for (auto* delays : {&flit_delay_, &credit_delay_}) std::vector<std::uint32_t>().swap(*delays);
}

void Fabric::wire_coordinates(const Lattice& lattice) {
    if (lattice.dimensions() > std::max(1U, ports / 2)) return;
    for (const std::uint32_t size : lattice.sizes())
        if (size >= (std::uint64_t{1} << field_bits())) return;
    dimensions = lattice.dimensions();
    wraps = lattice.wraps();
    sizes.assign(lattice.sizes().begin(), lattice.sizes().end());
    here.resize(std::size_t{nodes} * dimensions);
    for (std::uint32_t v = 0; v < nodes; ++v)
        for (std::uint32_t d = 0; d < dimensions; ++d)
            here[std::size_t{v} * dimensions + d] =
                static_cast<std::uint16_t>(lattice.coordinate(NodeId{v}, d));
}

void Fabric::find_kinds(const Network& network) {
    std::map<NodeKind, std::uint32_t> number_of;
    kind_of_.reserve(nodes);
    for (std::uint32_t v = 0; v < nodes; ++v) {
        NodeKind kind;
        kind.port_mask = static_cast<std::uint16_t>((1U << network.degree(NodeId{v})) - 1);
        std::uint32_t port = 0;
        if (dimensions != 0)
            for (const Hop& hop : network.lattice()->hops(NodeId{v})) {
                hops_of_one_ = hops_of_one_ && std::abs(hop.offset) == 1;
                std::uint16_t& step = kind.step_ports[2 * hop.dimension + (hop.offset < 0 ? 1 : 0)];
                if (std::abs(hop.offset) == 1 && step == 0) step = static_cast<std::uint16_t>(1U << port);
                kind.hops[port++] = {static_cast<std::uint16_t>(std::abs(hop.offset)),
                                     static_cast<std::uint8_t>(hop.dimension), hop.offset < 0};
            }
        const auto [found, added] = number_of.emplace(kind, static_cast<std::uint32_t>(kinds_.size()));
        if (added) kinds_.push_back(kind);
        kind_of_.push_back(found->second);
    }
}

std::uint32_t Fabric::destination(NodeId node) const {
    std::uint32_t field = 0;
    for (std::uint32_t d = 0; d < dimensions; ++d)
        field |= std::uint32_t{here[std::size_t{node} * dimensions + d]} << d * field_bits();
    return field;
}

std::uint32_t Fabric::classes() const {
    const std::uint32_t all = (1U << vcs) - 1;
    if (!wraps || vcs == 1) return all | all << 4U;
    const std::uint32_t low = (1U << vcs / 2) - 1;
    return low | (all & ~low) << 4U;
}

std::uint32_t Fabric::reception_queue(std::uint32_t port, const Packet& packet) const {
    if ((layout & 1U) == 0) return 0;
    const bool apart = (layout & 2U) != 0;
    const std::uint32_t queue = apart && packet.high() ? ports : port;
    return (layout & 4U) != 0 && packet.group() != 0 ? queue + ports + (apart ? 1 : 0) : queue;
}

std::vector<PinName> Fabric::pin_names() const {
    std::vector<PinName> names;
    const auto flit = [&](const std::string& pin, std::uint32_t i) {
        names.push_back({fmt::format("{}[{}].ends", pin, i), 2});
        for (std::uint32_t w = 0; w < words; ++w)
            names.push_back({fmt::format("{}[{}].word{}", pin, i, w), 64});
    };
    for (std::uint32_t p = 0; p < ports; ++p) {
        names.push_back({fmt::format("link_valid_o[{}]", p), 1});
        names.push_back({fmt::format("link_vc_o[{}]", p), 2});
        flit("link_flit_o", p);
        for (std::uint32_t v = 0; v < vcs; ++v) names.push_back({fmt::format("credit_o[{}].vc{}", p, v), 7});
    }
    for (std::uint32_t i = 0; i < injections; ++i) names.push_back({fmt::format("inj_credit_o[{}]", i), 7});
    for (std::uint32_t r = 0; r < receptions; ++r) {
        names.push_back({fmt::format("rx_valid_o[{}]", r), 1});
        flit("rx_flit_o", r);
        names.push_back({fmt::format("rx_count_o[{}]", r), 16});
    }
    names.push_back({"unused", 64});
    names.push_back({"stall_o", sinks()});
    names.push_back({"status_o", 6});
    return names;
}

}  // namespace interlace
