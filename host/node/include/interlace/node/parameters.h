// Interlace: how large a node's queues are and how it switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/config/config_map.h"

namespace interlace {

enum class Switching : std::uint8_t { store_and_forward = 0, virtual_cut_through = 1, wormhole = 2 };
/// How unicast packets find their way: docs/node.md, section 4.
enum class Routing : std::uint8_t { dimension_order, adaptive_bubble, table };
/// What adaptive nodes choose by, beside turns: ports and channels by credits (Blue Gene/L: tokens) ...
enum class Selection : std::uint8_t { round_robin, most_credits };
/// ... and which of the queues that ask for a sink is served.
enum class SinkArbitration : std::uint8_t { round_robin, fullest_queue };

/// The depth of a queue without an end: what a file writes as 0. Only native nodes have such queues.
inline constexpr std::uint32_t endless = 1U << 30U;

/// The classes of queues that a node has.
enum class QueueClass : std::uint8_t { injection, reception, channel };
inline constexpr std::size_t queue_classes = 3;
inline constexpr const char* queue_class_names[queue_classes] = {"injection", "reception", "virtual_channel"};

/// A node's parameters, docs/node.md section 1. Depths are in flits; all nodes of a network have the same.
struct NodeParameters {
    std::uint32_t flit_bytes = 32;
    std::uint32_t packet_flits = 8;  ///< of a full packet
    std::uint32_t vcs = 4;
    std::uint32_t vc_depth = 32;         ///< depths: 1 up, or endless
    std::uint32_t injection_queues = 0;  ///< 0: ports + 2
    std::uint32_t injection_depth = 32;
    std::uint32_t reception_queues = 0;  ///< 0: 2 (ports + 1)
    std::uint32_t reception_depth = 32;
    Switching switching = Switching::virtual_cut_through;
    Routing routing = Routing::dimension_order;
    // Of adaptive_bubble; without it they have no effect:
    bool priority_channel = false;  ///< packets of high priority have a channel of their own
    Selection selection = Selection::round_robin;
    SinkArbitration arbitration = SinkArbitration::round_robin;
    std::uint32_t round_robin_every =
        0;  ///< fullest_queue: of so many winners one is by round robin; 0: none

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
    /// As nodes are programmed where no packet is unicast: no channel is kept for ways to escape.
    NodeParameters without_unicast() const;
    /// Throws InputError where routing cannot be adaptive_bubble: under wormhole, or without the channels and
    /// depth that it needs.
    void check_adaptive() const;
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

/// The keys of a node file over those of its `base` (a shipped set or another file; without one bgl's
/// queues, and routing by dimension order). Throws InputError with file, line and key for an unknown key or a
/// size that cannot work.
NodeParameters read_node(ConfigMap config, const NodeParameters& without_base = {});

std::string switching_name(Switching switching);
std::string routing_name(Routing routing);
std::string selection_name(Selection selection);
std::string sink_arbitration_name(SinkArbitration arbitration);
Routing parse_routing(const std::string& text);

}  // namespace interlace
