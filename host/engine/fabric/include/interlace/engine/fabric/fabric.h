// Interlace: which port meets which, and how large a fabric's nodes are
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <compare>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/node/links.h"
#include "interlace/node/packet.h"
#include "interlace/node/parameters.h"

namespace interlace {

/// A word of a node's output pins.
struct PinName {
    std::string name;
    std::uint32_t width;  ///< bits
};

/// The port of a node at the far end of a link. Two for each port of each node: large networks wait for
/// memory.
struct FarPort {
    static constexpr std::uint8_t nowhere = 31;

    std::uint32_t node : 27 = 0;
    std::uint8_t port : 5 = nowhere;

    /// There is a link.
    bool linked() const { return port != nowhere; }
    bool operator==(const FarPort& other) const { return node == other.node && port == other.port; }
};
static_assert(sizeof(FarPort) == 4 && max_nodes == std::uint64_t{1} << 27U);

/// Forwarding tables, [node][slot]: bits 0 to P - 1 link ports, bit P local reception, bits 31:28 the
/// channels of those links that the packet may use, 0 for all.
using PortTables = std::vector<std::vector<std::uint32_t>>;
/// The channels of an entry, as a mask, and a mask of channels as part of an entry.
constexpr std::uint32_t channels_of_entry(std::uint32_t entry) {
    return entry >> 28U;
}
constexpr std::uint32_t entry_of_channels(std::uint32_t channels) {
    return channels << 28U;
}
/// As the register `table` has it (docs/node.md, section 1), of nodes that hardware is built for.
constexpr std::uint32_t register_of_entry(std::uint32_t entry) {
    return (entry & 0xffffU) | channels_of_entry(entry) << 16U;
}

/// Port counts that the hardware is built for; a network takes the smallest that is enough.
inline constexpr std::uint32_t built_ports[] = {2, 4, 6, 8, 10};
inline constexpr std::uint32_t most_ports_built = built_ports[std::size(built_ports) - 1];
/// Of native nodes: what a table entry has room for.
inline constexpr std::uint32_t most_ports = 26;
static_assert(most_ports < FarPort::nowhere);
/// The ports of nodes whose network needs so many, 1 to most_ports: beyond those that hardware is built with
/// any even number.
constexpr std::uint32_t ports_for(std::uint32_t needed) {
    return std::max(2U, (needed + 1) / 2 * 2);
}

/// What a port does to a coordinate: the register `port`.
struct PortHop {
    std::uint16_t length = 0;
    std::uint8_t dimension = 0;
    bool minus = false;
    std::uint32_t bits() const {
        return length | std::uint32_t{dimension} << 16U | std::uint32_t{minus} << 19U;
    }
    auto operator<=>(const PortHop&) const = default;  // NOLINT(modernize-use-nullptr): of clang-tidy 14
};

/// What the ports of a node do. Regular networks have few kinds of nodes, which caches keep.
struct NodeKind {
    std::array<PortHop, most_ports> hops;                ///< [port]
    std::array<std::uint32_t, most_ports> step_ports{};  ///< [2 * dimension + minus]: as a mask
    std::uint32_t port_mask = 0;                         ///< output ports that have a link
    auto operator<=>(const NodeKind&) const = default;   // NOLINT(modernize-use-nullptr)
};

/// A network wired up with nodes of one kind: numbers that every engine of a run shares. A link from u to v
/// enters v by the port that leads from v to u; where there is none, by the lowest port that no other link
/// enters.
///
/// What is said of a node is known of those that it is made for alone, `own`: on several ranks, of the
/// rank's. Of a lattice it takes no memory for others, nor does it ask the network for links (Network).
struct Fabric {
    /// Throws InputError where the network needs more ports than most_ports, or the parameters do not fit.
    /// Nodes of more than most_ports_built ports are native alone.
    Fabric(const Network& network, const NodeParameters& parameters, const LinkParameters& links = {},
           std::optional<NodeRange> own = std::nullopt);

    std::uint32_t nodes;  ///< of the network
    std::uint32_t
        endpoints;  ///< of these, the first ones, whose hosts send and receive; the others are switches
    NodeRange own;  ///< of the nodes, those that it has wired: all, unless told otherwise
    std::uint32_t ports, vcs, injections, receptions, layout, words;
    NodeParameters parameters;
    LinkParameters links;

    /// The input port that an output port of a node leads to, and the output port that leads to an input.
    const FarPort& to(std::uint32_t node, std::uint32_t port) const { return ends_[0][place(node, port)]; }
    const FarPort& from(std::uint32_t node, std::uint32_t port) const {
        return ends_[one_way_][place(node, port)];
    }

    // Routing by dimension order (docs/node.md, section 4); `dimensions` 0 where the network has no
    // coordinates or they do not fit the header.
    std::uint32_t dimensions = 0;
    bool wraps = false;
    std::vector<std::uint16_t> sizes;  ///< [dimension]
    std::uint16_t coordinate(std::uint32_t node, std::uint32_t dimension) const {
        return coordinate_in(here(node), dimension);
    }
    /// destination() of an own node, which is not worked out anew.
    std::uint32_t here(std::uint32_t node) const { return here_[own_place(node)]; }
    /// Of a packet with that destination field.
    std::uint16_t coordinate_in(std::uint32_t destination, std::uint32_t dimension) const {
        return static_cast<std::uint16_t>(destination >> dimension * field_bits_ & ((1U << field_bits_) - 1));
    }
    /// The first dimension in which two destinations differ; `dimensions`: none.
    std::uint32_t first_difference(std::uint32_t a, std::uint32_t b) const {
        const std::uint32_t differ = (a ^ b) & fields_;
        return differ == 0 ? dimensions
                           : dimension_of_bit_[static_cast<std::uint32_t>(std::countr_zero(differ))];
    }

    /// Cycles from a sender's pins to the receiver's beyond the one of every link: of flits from output
    /// `port` of `node`, and of credits from its input `port`.
    std::uint32_t flit_delay(std::uint32_t node, std::uint32_t port) const {
        return delays_[0].empty() ? delay_of_all_ : delays_[0][place(node, port)];
    }
    std::uint32_t credit_delay(std::uint32_t node, std::uint32_t port) const {
        return delays_[0].empty() ? delay_of_all_ : delays_[one_way_][place(node, port)];
    }
    std::uint32_t longest_delay = 0;  ///< of these, of all nodes
    /// Cycles that a link layer adds to a link that does not fail (docs/links.md, section 5).
    std::uint32_t layer_delay() const { return links.has_layer() ? 3 : 0; }
    /// For how long at most a link's layer repeats a flit before it is dead, about.
    std::uint64_t longest_repetition() const {
        return links.has_layer() ? std::uint64_t{64} * 4 * (2 * longest_delay + 4 + links.cycles_per_flit)
                                 : 0;
    }

    /// Bits of a coordinate in a header.
    std::uint32_t field_bits() const { return field_bits_; }
    /// The destination field of packets to `node`, which may be any.
    std::uint32_t destination(NodeId node) const;
    /// Channels to the lower half of a ring and to the rest: the register `classes`, four bits each.
    std::uint32_t classes() const { return classes_; }
    /// Adaptive routing: the channels free of rules, the one to escape by, and that of high priority to
    /// escape by (0: none), as masks; and the one of the two that a packet has.
    std::uint32_t dynamic_channels() const { return escape_channel() - 1; }
    std::uint32_t escape_channel() const { return 1U << (vcs - (parameters.priority_channel ? 2 : 1)); }
    std::uint32_t priority_channel() const { return parameters.priority_channel ? 1U << (vcs - 1) : 0; }
    std::uint32_t escape_of(bool high) const {
        return high && parameters.priority_channel ? priority_channel() : escape_channel();
    }
    /// Throws InputError for nodes of more ports than hardware is built with.
    void check_built() const;
    bool adaptive() const { return parameters.routing == Routing::adaptive_bubble; }
    /// A channel in which every packet counts as one of `packet_flits`.
    bool in_slots(std::uint32_t vc) const {
        return adaptive() && ((escape_channel() | priority_channel()) >> vc & 1U) != 0;
    }
    /// Channels, and ports of adaptive packets, are chosen by credits; queues are served by how full they
    /// are, or by the links that their head packets have crossed, which packets then count.
    bool by_credits() const { return adaptive() && parameters.selection == Selection::most_credits; }
    bool by_fullness() const {
        return adaptive() && parameters.arbitration == SinkArbitration::fullest_queue;
    }
    bool by_hops() const { return parameters.arbitration == SinkArbitration::most_hops; }
    bool by_level() const { return by_fullness() || by_hops(); }
    /// As the packet is in a node that it has come to, by a link or from a host.
    Packet come(const Packet& packet, bool by_link) const {
        return by_hops() && by_link ? after_another_link(packet) : packet;
    }
    /// Adaptive packets choose by coordinates, not by a table: on a torus or mesh, whose shortest ways these
    /// are.
    bool by_coordinates() const { return adaptive() && hops_of_one_; }

    /// The kind of packets from any node to any other.
    PacketKind unicast_kind() const {
        return by_table(parameters.routing) ? PacketKind::table : PacketKind::unicast;
    }
    /// Unicast packets find their way by table entries.
    bool routes_by_table() const { return by_table(parameters.routing) || (adaptive() && !by_coordinates()); }

    const NodeKind& kind(NodeId node) const { return kinds_[kind_of_[own_place(node)]]; }
    const PortHop& hop(NodeId node, std::uint32_t port) const { return kind(node).hops[port]; }
    /// The output of `node` whose hop leads by one up or down in a dimension, as a mask; 0: there is none.
    std::uint32_t step_port(NodeId node, std::uint32_t dimension, bool minus) const {
        return kind(node).step_ports[std::size_t{dimension} * 2 + (minus ? 1 : 0)];
    }
    /// Every hop of every node leads by one.
    bool has_steps_alone() const { return hops_of_one_; }

    /// Sources of a node: the channels of its input links, port by port, then its injection queues.
    std::uint32_t link_sources() const { return ports * vcs; }
    std::uint32_t sources() const { return link_sources() + injections; }
    std::uint32_t sinks() const { return ports + receptions; }
    // Masks: of a node's sinks those to links and those to reception queues; and the channels of a link.
    std::uint32_t link_sinks() const { return (1U << ports) - 1; }
    std::uint32_t reception_sinks() const { return ((1U << receptions) - 1) << ports; }
    std::uint32_t all_channels() const { return (1U << vcs) - 1; }
    /// Output ports that have a link.
    std::uint32_t port_mask(NodeId node) const { return kind(node).port_mask; }
    /// The reception queue of a packet that came by `port`.
    std::uint32_t reception_queue(std::uint32_t port, const Packet& packet) const;
    /// The words of Region::pins, as in "link_flit_o[2].word1". "unused" is 0: what pins show of channels and
    /// queues that hardware has and the parameters do not use.
    std::vector<PinName> pin_names() const;

  private:
    class Wires;
    std::uint32_t own_place(std::uint32_t node) const {
        assert(own.contains(node));
        return node - own.first;
    }
    std::size_t place(std::uint32_t node, std::uint32_t port) const {
        return std::size_t{own_place(node)} * ports + port;
    }
    void choose_ports(const std::string& network, std::uint32_t needed);
    void wire(Wires& wires);
    bool find_delays(Wires& wires);
    std::uint32_t delay_of(std::uint32_t latency) const { return latency - 1 + links.cycles_per_flit - 1; }
    void wire_coordinates(const Lattice& lattice);
    std::uint32_t find_classes() const;
    void find_kinds(Wires& wires);
    void check_turn_back(const std::string& network, Wires& wires) const;
    void check_layer() const;
    bool hops_of_one_ = true;
    std::uint32_t field_bits_ = 16;
    // [place]: what outputs lead to and, where it is not the same, what inputs are led to by: links may go
    // one way only. Then one_way_ is 1.
    std::array<std::vector<FarPort>, 2> ends_;
    std::array<std::vector<std::uint32_t>, 2>
        delays_;  // of flits and credits, where links take unequal times
    std::uint32_t one_way_ = 0;
    std::uint32_t delay_of_all_ = 0;   // links, where that is the same
    std::vector<std::uint32_t> here_;  // [own node]: its destination()
    std::uint32_t fields_ = 0;         // bits of a destination that are of a dimension
    std::array<std::uint8_t, 32> dimension_of_bit_{};
    std::uint32_t classes_ = 0;
    std::vector<NodeKind> kinds_;
    std::vector<std::uint32_t> kind_of_;  // [own node]
};

}  // namespace interlace
