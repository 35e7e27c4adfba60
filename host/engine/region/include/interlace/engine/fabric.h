// Interlace: which port meets which, and how large a fabric's nodes are
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/node/packet.h"
#include "interlace/node/parameters.h"

namespace interlace {

/// The port of a node at the far end of a link; `node` is UINT32_MAX where there is no link.
struct FarPort {
    std::uint32_t node = UINT32_MAX;
    std::uint8_t port = 0;
};

/// Port counts that the hardware is built for; a network takes the smallest that is enough.
inline constexpr std::uint32_t built_ports[] = {2, 4, 6, 8, 10};

/// A network wired up with nodes of one kind: numbers that every engine of a run shares. A link from u to v
/// enters v by the port that leads from v to u; where there is none, by the lowest port that no other link
/// enters.
struct Fabric {
    /// Throws InputError where the network needs more ports than any built, or the parameters do not fit.
    Fabric(const Network& network, const NodeParameters& parameters);

    std::uint32_t nodes, ports, vcs, injections, receptions, layout, words;
    NodeParameters parameters;
    std::vector<FarPort> to;    ///< [node * ports + output port]: the input port it leads to
    std::vector<FarPort> from;  ///< [node * ports + input port]: the output port that leads to it

    std::uint32_t sources() const { return ports * vcs + injections; }
    std::uint32_t sinks() const { return ports + receptions; }
    std::uint32_t port_mask(NodeId node) const;  ///< output ports that have a link
    /// The reception queue of a packet that came by `port`.
    std::uint32_t reception_queue(std::uint32_t port, const Packet& packet) const;
    /// The names of Region::pins, as in "link_flit_o[2] word 1".
    std::vector<std::string> pin_names() const;
};

}  // namespace interlace
