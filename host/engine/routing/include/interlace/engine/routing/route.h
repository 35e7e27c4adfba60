// Interlace: where a packet goes next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/engine/fabric/fabric.h"

namespace interlace {

/// The source that a packet is in: a channel of a link, or an injection queue.
struct Entrance {
    bool link = false;
    std::uint32_t port = 0, vc = 0;
};

/// What a node does with a packet: docs/node.md, section 4.
struct Route {
    std::uint32_t links = 0;     ///< mask of output ports: a branch each
    bool local = false;          ///< and one to a reception queue
    std::uint8_t channels = 15;  ///< of those links that it may use; adaptive: the one to escape by
    bool misrouted = false,
         too_long = false;  ///< why the node cannot carry it (section 8): one of them, or none
    // An adaptive packet takes one link: any of `choices` on a dynamic channel, or `escape` on its own.
    bool adaptive = false;
    std::uint32_t choices = 0;
    std::uint8_t escape = 0;  ///< port
    bool enters = false;      ///< the ring of `escape`
};

/// `tables`: as native_region has them, nullptr for none.
Route find_route(const Fabric& fabric, const PortTables* tables, NodeId node, Entrance from,
                 const Packet& packet);

}  // namespace interlace
