// Interlace: wiring a network up
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/fabric/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "interlace/core/error.h"
#include "interlace/engine/fabric/default_routing.h"

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

/// A hop as ports give it: round a ring of `size` nodes (0: a line) it leads the shorter way, upwards where
/// both are equal.
PortHop shorter_way(const Hop& hop, std::uint32_t size) {
    auto length = static_cast<std::uint32_t>(std::abs(hop.offset));
    bool minus = hop.offset < 0;
    if (size != 0) {
        length %= size;
        if (2 * length > size) {
            length = size - length;
            minus = !minus;
        }
        if (2 * length == size) minus = false;
    }
    return {static_cast<std::uint16_t>(length), static_cast<std::uint8_t>(hop.dimension), minus};
}

}  // namespace

/// Where each output of a node leads to, and how long that takes. A lattice's links all go both ways, and the
/// network is not asked for them.
class Fabric::Wires {
  public:
    struct Output {
        std::uint32_t far;
        std::uint32_t entered;  ///< the far node's input port
        std::uint32_t latency;  ///< cycles, of the link
        Hop hop;                ///< on a lattice
    };
    Wires(const Network& network, const LinkParameters& links) : n_(network), links_(links) {
        if (network.lattice()) hops_.emplace(*network.lattice());
        if (!by_hops()) entered_ = input_ports(network);
    }

    /// Every link has one back that takes as long.
    bool by_hops() const { return hops_ && links_.latencies.empty(); }
    std::uint32_t ports_needed() const {
        std::uint32_t ports = std::max(1U, n_.max_degree());
        // Coordinates fit the header of nodes with two ports a dimension.
        if (fits_coordinates(n_)) ports = std::max(ports, 2 * n_.lattice()->dimensions());
        for (const std::uint32_t port : entered_) ports = std::max(ports, port + 1);
        return ports;
    }
    /// Nodes among whose links there is one of every length and time.
    std::uint32_t samples() const { return by_hops() ? n_.lattice()->species_count() : n_.node_count(); }
    /// Of a node, in the order of ports, until the next call.
    const std::vector<Output>& of(NodeId node) {
        outputs_.clear();
        if (by_hops())
            follow_hops(node);
        else
            follow_links(node);
        return outputs_;
    }

  private:
    void follow_hops(NodeId node) {
        for (const Hop& hop : hops_->of(node))
            outputs_.push_back({n_.lattice()->neighbour(node, hop), 0,
                                links_.latency_of(static_cast<std::uint32_t>(std::abs(hop.offset))), hop});
        for (Output& output : outputs_) output.entered = hops_->port_back(NodeId{output.far}, output.hop);
    }
    void follow_links(NodeId node) {
        const std::uint32_t first = n_.first_link(node);
        for (std::uint32_t p = 0; p < n_.degree(node); ++p)
            outputs_.push_back({n_.target(LinkId{first + p}), entered_[first + p], latency(LinkId{first + p}),
                                hops_ ? hops_->of(node)[p] : Hop{}});
    }

    std::uint32_t latency(LinkId link) const {
        if (!links_.latencies.empty()) return links_.latencies[link];
        return n_.latency(link) != 0 ? n_.latency(link) : links_.latency_of(1);
    }

    const Network& n_;
    const LinkParameters& links_;
    std::optional<LatticeHops> hops_;
    std::vector<std::uint32_t> entered_;  // [link], of other networks
    std::vector<Output> outputs_;
};

Fabric::Fabric(const Network& network, const NodeParameters& node_parameters,
               const LinkParameters& link_parameters, std::optional<NodeRange> own_nodes)
    : nodes(network.node_count()),
      endpoints(network.endpoint_count()),
      own(own_nodes.value_or(NodeRange{0, nodes})),
      ports(1),
      vcs(node_parameters.vcs),
      words(words_per_flit),
      parameters(node_parameters),
      links(link_parameters) {
    if (parameters.routing == Routing::automatic) parameters.routing = default_routing(network, parameters);
    Wires wires(network, links);
    choose_ports(network.name(), wires.ports_needed());
    wire(wires);
    field_bits_ = ports < 6 ? 16 : 32 / (ports / 2);
    if (network.lattice()) wire_coordinates(*network.lattice());
    classes_ = find_classes();
    find_kinds(wires);
    if (adaptive()) parameters.check_adaptive();
    if (adaptive() && ports > most_ports_built)
        throw InputError(fmt::format("cannot use adaptive_bubble on nodes with {} ports", ports),
                         fmt::format("at most {}, or routing: table", most_ports_built));
    parameters.check_pipeline();
    check_layer();
    if (!parameters.turn_back) check_turn_back(network.name(), wires);
    if (adaptive() && dimensions == 0)
        throw InputError(
            "cannot use adaptive_bubble on " + network.name(),
            fmt::format(
                "a torus without a twist, a mesh or an ibt whose coordinates fit a packet's header, or "
                "routing: {}table",
                has_dimension_order(network) ? "dimension_order or " : ""));
}

void Fabric::choose_ports(const std::string& network, std::uint32_t needed) {
    if (needed > most_ports)
        throw InputError(fmt::format("cannot use a node of {} with {} ports", network, needed),
                         fmt::format("at most {} ports for a cycle engine", most_ports));
    ports = ports_for(needed);
    injections = parameters.injections(ports);
    if (injections > ports + 2)
        throw InputError(
            fmt::format("cannot use {} injection queues of a node with {} ports", injections, ports),
            fmt::format("1 to {}", ports + 2));
    receptions = parameters.receptions(ports);
    layout = parameters.reception_layout(ports);
    // Sources and sinks are bits of words.
    if (sources() > 63 || sinks() > 32)
        throw InputError(
            fmt::format("cannot use nodes with {} ports, {} virtual channels, {} injection and {} "
                        "reception queues",
                        ports, vcs, injections, receptions),
            "at most 63 channels and injection queues, and 32 ports and reception queues (vcs, "
            "injection_queues, "
            "reception_queues)");
}

void Fabric::check_built() const {
    if (ports > most_ports_built)
        throw InputError(fmt::format("cannot use RTL or SystemC nodes with {} ports", ports),
                         fmt::format("at most {}, or native nodes alone", most_ports_built));
}

/// Links of own nodes, and their delays where these are unequal.
void Fabric::wire(Wires& wires) {
    const bool timed = !find_delays(wires);
    const std::size_t places = std::size_t{own.count} * ports;
    for (std::uint32_t back = 0; back < (wires.by_hops() ? 1 : 2); ++back) {
        ends_[back].resize(places);
        if (timed) delays_[back].resize(places);
    }
    const auto set = [&](std::uint32_t back, std::uint32_t node, std::uint32_t port, FarPort far,
                         std::uint32_t latency) {
        ends_[back][place(node, port)] = far;
        if (timed) delays_[back][place(node, port)] = delay_of(latency);
    };
    // Any node may lead to one of the own.
    const NodeRange range = wires.by_hops() ? own : NodeRange{0, nodes};
    for (std::uint32_t v = range.first; v < range.end(); ++v) {
        const std::vector<Wires::Output>& outputs = wires.of(NodeId{v});
        for (std::uint32_t p = 0; p < outputs.size(); ++p) {
            const auto& [far, entered, latency, hop] = outputs[p];
            if (own.contains(v)) set(0, v, p, {far, static_cast<std::uint8_t>(entered)}, latency);
            if (!wires.by_hops() && own.contains(far))
                set(1, far, entered, {v, static_cast<std::uint8_t>(p)}, latency);
        }
    }
    if (wires.by_hops()) return;
    one_way_ = ends_[0] == ends_[1] && delays_[0] == delays_[1] ? 0 : 1;
    if (one_way_ != 0) return;
    std::vector<FarPort>().swap(ends_[1]);
    std::vector<std::uint32_t>().swap(delays_[1]);
}

/// Of all nodes; whether they are equal.
bool Fabric::find_delays(Wires& wires) {
    std::uint32_t shortest = UINT32_MAX;
    for (std::uint32_t v = 0; v < wires.samples(); ++v)
        for (const Wires::Output& output : wires.of(NodeId{v})) {
            longest_delay = std::max(longest_delay, delay_of(output.latency));
            shortest = std::min(shortest, delay_of(output.latency));
        }
    delay_of_all_ = longest_delay;
    return shortest >= longest_delay;
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

void Fabric::check_turn_back(const std::string& network, Wires& wires) const {
    if (adaptive() && !by_coordinates())
        throw InputError("cannot use turn_back: false with adaptive packets that choose by a table",
                         "turn_back: true, or candidate ports of one hop only");
    if (wires.by_hops()) return;
    // A node knows the link that a packet came by as the port with that number.
    for (std::uint32_t v = 0; v < nodes; ++v) {
        const std::vector<Wires::Output> outputs = wires.of(NodeId{v});
        for (const auto& [far, entered, latency, hop] : outputs) {
            const std::vector<Wires::Output>& back = wires.of(NodeId{far});
            if (entered >= back.size() || back[entered].far != v)
                throw InputError(fmt::format("turn_back: false on {}, whose node {} has no link back to node "
                                             "{}",
                                             network, far, v),
                                 "turn_back: true, or links in both directions");
        }
    }
}

void Fabric::wire_coordinates(const Lattice& lattice) {
    if (!lattice.has_rows() || lattice.dimensions() > std::max(1U, ports / 2)) return;
    for (const std::uint32_t size : lattice.sizes())
        if (size >= (std::uint64_t{1} << field_bits())) return;
    dimensions = lattice.dimensions();
    wraps = lattice.wraps();
    sizes.assign(lattice.sizes().begin(), lattice.sizes().end());
    for (std::uint32_t bit = 0; bit < dimensions * field_bits_; ++bit) {
        fields_ |= 1U << bit;
        dimension_of_bit_[bit] = static_cast<std::uint8_t>(bit / field_bits_);
    }
    here_.reserve(own.count);
    for (std::uint32_t v = own.first; v < own.end(); ++v) here_.push_back(destination(NodeId{v}));
}

void Fabric::find_kinds(Wires& wires) {
    std::map<NodeKind, std::uint32_t> number_of;
    kind_of_.reserve(own.count);
    for (std::uint32_t v = own.first; v < own.end(); ++v) {
        NodeKind kind;
        const std::vector<Wires::Output>& outputs = wires.of(NodeId{v});
        kind.port_mask = (1U << outputs.size()) - 1;
        for (std::uint32_t port = 0; dimensions != 0 && port < outputs.size(); ++port) {
            const Hop& lattice_hop = outputs[port].hop;
            const PortHop hop = shorter_way(lattice_hop, wraps ? sizes[lattice_hop.dimension] : 0);
            kind.hops[port] = hop;
            std::uint32_t& step = kind.step_ports[2 * hop.dimension + (hop.minus ? 1 : 0)];
            if (hop.length == 1 && step == 0) step = 1U << port;
        }
        const auto [found, added] = number_of.emplace(kind, static_cast<std::uint32_t>(kinds_.size()));
        if (added) kinds_.push_back(kind);
        kind_of_.push_back(found->second);
    }
    for (std::uint32_t v = 0; dimensions != 0 && v < wires.samples(); ++v)
        for (const Wires::Output& output : wires.of(NodeId{v}))
            hops_of_one_ = hops_of_one_ && std::abs(output.hop.offset) == 1;
}

std::uint32_t Fabric::destination(NodeId node) const {
    std::uint32_t field = 0;
    std::uint32_t left = node;
    for (std::uint32_t d = 0; d < dimensions; ++d) {
        field |= left % sizes[d] << d * field_bits();
        left /= sizes[d];
    }
    return field;
}

std::uint32_t Fabric::find_classes() const {
    const std::uint32_t all = all_channels();
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
