// Interlace: how large a node's queues are and how it switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "interlace/config/config_map.h"

namespace interlace {

enum class Switching : std::uint8_t { store_and_forward = 0, virtual_cut_through = 1, wormhole = 2 };
/// How unicast packets find their way: docs/node.md, section 4. automatic: what fits the network, as
/// default_routing() in interlace/engine/fabric/default_routing.h chooses; no fabric has it.
/// table: shortest paths by routing tables; balanced: by tables whose paths come near the network's capacity.
enum class Routing : std::uint8_t { dimension_order, adaptive_bubble, table, balanced, automatic };
constexpr bool by_table(Routing routing) {
    return routing == Routing::table || routing == Routing::balanced;
}
/// What adaptive nodes choose ports and channels by: turns, or credits (Blue Gene/L: tokens).
enum class Selection : std::uint8_t { round_robin, most_credits };
/// Which of the queues that ask for a sink is served: in turn; on adaptive nodes the fullest; or that of the
/// packet that has crossed the most links, up to three (Abts and Weisser, SC 2007: distance-based).
enum class SinkArbitration : std::uint8_t { round_robin, fullest_queue, most_hops };

/// The depth of a queue without an end: what a file writes as 0. Only native nodes have such queues.
inline constexpr std::uint32_t infinite_depth = 1U << 30U;

/// The classes of queues that a node has.
enum class QueueClass : std::uint8_t { injection, reception, channel };
inline constexpr std::size_t queue_classes = 3;
inline constexpr const char* queue_class_names[queue_classes] = {"injection", "reception", "virtual_channel"};

/// Cycles that a pipelined node takes beyond one that is not: from input pins to its core, and from its core
/// to output pins and reception queues (docs/node.md, section 14).
struct Stages {
    std::uint32_t flits_in = 0, credits_in = 0, flits_out = 0, credits_out = 0, received = 0;
};

/// A node's parameters, docs/node.md section 1. Depths are in flits; all nodes of a network have the same.
struct NodeParameters {
    std::uint32_t flit_bytes = 32;
    std::uint32_t packet_flits = 8;  ///< of a full packet
    std::uint32_t vcs = 4;
    std::uint32_t vc_depth = 32;         ///< depths: 1 up, or infinite
    std::uint32_t injection_queues = 0;  ///< 0: ports + 2
    std::uint32_t injection_depth = 32;
    std::uint32_t reception_queues = 0;  ///< 0: 2 (ports + 1)
    std::uint32_t reception_depth = 32;
    Switching switching = Switching::virtual_cut_through;
    Routing routing = Routing::dimension_order;
    /// Of Routing::table: a CSV file (read_routing_table()); empty: shortest paths.
    std::string routing_table = {};
    std::uint32_t pipeline = 1;  ///< cycles that a head takes from input to output pins, less one: 1 or 7
    bool turn_back = true;       ///< packets may leave by the link that they came by
    bool fitted = false;         ///< RTL nodes are built for the experiment, which changes no result
    // Of adaptive_bubble; without it they have no effect:
    bool priority_channel = false;  ///< packets of high priority use a separate channel
    Selection selection = Selection::round_robin;
    // Of any node, but fullest_queue, which has no effect without adaptive_bubble:
    SinkArbitration arbitration = SinkArbitration::round_robin;
    /// Not of round_robin: of so many winners one is by round robin; 0: none.
    std::uint32_t round_robin_every = 0;

    std::uint32_t depth(QueueClass queue) const {
        return queue == QueueClass::injection   ? injection_depth
               : queue == QueueClass::reception ? reception_depth
                                                : vc_depth;
    }
    std::uint32_t injections(std::uint32_t ports) const {
        return injection_queues == 0 ? ports + 2 : injection_queues;
    }
    std::uint32_t receptions(std::uint32_t ports) const {
        return reception_queues == 0 ? 2 * (ports + 1) : reception_queues;
    }
    /// routing, as files write it: auto, dimension_order, adaptive_bubble, table, balanced or table:FILE.csv.
    std::string routing_text() const;
    bool pipelined() const { return pipeline != 1; }
    Stages stages() const { return pipelined() ? Stages{2, 1, 2, 1, 3} : Stages{}; }
    /// The hop overhead h, in cycles, of a node whose ideal host forwards packets of `flits` over links that
    /// take `cycles_per_flit` (docs/node.md, sections 7 and 14).
    std::uint32_t host_hop_overhead(std::uint32_t flits, std::uint32_t cycles_per_flit) const {
        if (!pipelined()) return 4;
        return 17 - std::min(2U, (flits - 1) * (std::max(cycles_per_flit, 1U) - 1));
    }
    /// Cycles between two packets that start through the same link, at least, however short they are.
    std::uint32_t min_packet_cycles() const { return pipelined() ? 3 : 1; }
    /// As nodes are programmed where no packet is unicast: no channel is kept for ways to escape.
    NodeParameters without_unicast() const;
    /// Throws InputError where routing cannot be adaptive_bubble: under wormhole, or without the channels and
    /// depth that it needs.
    void check_adaptive() const;
    /// Throws InputError where the node cannot be pipelined: under wormhole, or where a queue is shorter than
    /// a full packet.
    void check_pipeline() const;
    /// The `receptions` register for this number of queues: bit 0 one per port, bit 1 one for high priority
    /// beside, bit 2 two groups. Throws InputError for a number that is none of 1, P, P + 1, 2 P, 2 (P + 1).
    std::uint32_t reception_layout(std::uint32_t ports) const;
};

/// How full a queue is, or how free the one behind a channel: how many of a quarter, a half and three
/// quarters of its depth have been reached (docs/node.md, section 5).
constexpr std::uint32_t level(std::uint64_t flits, std::uint64_t depth) {
    return (4 * flits >= depth ? 1U : 0U) + (2 * flits >= depth ? 1U : 0U) +
           (4 * flits >= 3 * depth ? 1U : 0U);
}

/// A shipped set (configs/nodes: bgl, bgl_ten, minimal, wide) or a YAML file. Throws InputError.
NodeParameters node_parameters(const std::string& name_or_file);
/// The shipped sets, and FILE.
Choices node_choices();

/// The keys of a node file over those of its `base` (a shipped set or another file; without one bgl's
/// queues, and routing: auto). Where `switching` replaces wormhole, and neither packets nor depths are given,
/// a full packet is no longer than what the queues hold. Throws InputError with file, line and key for an
/// unknown key or a size that cannot work.
NodeParameters read_node(ConfigMap config,
                         const NodeParameters& without_base = {.routing = Routing::automatic});

std::string switching_name(Switching switching);
std::string routing_name(Routing routing);
std::string selection_name(Selection selection);
std::string sink_arbitration_name(SinkArbitration arbitration);
Choices routing_choices();

}  // namespace interlace
