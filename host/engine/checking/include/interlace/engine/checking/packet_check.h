// Interlace: whether what hosts take from hardware is what came to it, from their pins alone
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/fabric/fabric.h"

namespace interlace {

/// Throws NodeFault (scoreboard.h) where a packet that leaves a node is not whole or not as its first two
/// words say, and where a host is given one more often than it came by links. Which way packets go, in which
/// order and when, is not looked at; packets that are lost are missed by those who wait for them.
class PacketCheck {
  public:
    /// `nodes` of the fabric, which go by their places in it.
    PacketCheck(const Fabric& fabric, const std::vector<NodeId>& nodes);

    /// A flit is on the input pins of a link of node n.
    void enters(std::uint32_t n, const RawFlit& flit);
    /// A flit leaves node n by a link.
    void leaves(std::uint32_t n, std::uint32_t port, std::uint32_t vc, const RawFlit& flit,
                std::uint64_t cycle);
    /// A host took the flit that rx_flit_o showed.
    void taken(std::uint32_t n, std::uint32_t queue, const RawFlit& flit, std::uint64_t cycle);

    /// Of node n, saved or loaded.
    void state(std::uint32_t n, Archive& archive);

  private:
    struct Coming {
        Packet packet;
        std::uint8_t next = 0;
        bool runs = false;
    };
    /// Words 0 and 1 of a packet, and how often it came.
    struct There {
        std::uint64_t header = 0, identity = 0;
        std::uint32_t times = 0;
    };
    /// The next flit on a pin. True: the packet's last.
    bool follow(std::uint32_t n, Coming& coming, const RawFlit& flit, const std::string& pin,
                std::uint64_t cycle);

    const Fabric& f_;
    std::vector<NodeId> nodes_;
    std::vector<Coming> leaving_, coming_;  // [node][port][channel], [node][reception queue]
    /// (node, words 0 and 1): how often it came and was not yet taken.
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, std::uint32_t> there_;
};

}  // namespace interlace
