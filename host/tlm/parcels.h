// Interlace: packets in flight, and what they carry
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/tlm/memory_map.h"

namespace interlace {

/// What a packet carries: nodes move its first two words, and every other is a function of these.
struct Parcel {
    std::uint32_t tag = 0;
    std::uint64_t injected = 0;  ///< the cycle with its head on inj_flit_i
    std::vector<unsigned char> payload;
    std::uint32_t copies = 0;  ///< that have not been taken
};

class Parcels {
  public:
    /// Keeps references. `tables` may be nullptr.
    Parcels(const Fabric& fabric, const PortTables* tables)
        : f_(fabric), tables_(tables), sequence_(fabric.nodes) {}

    /// Bytes of the largest payload: the first two words are the network's own.
    std::uint32_t largest_payload() const;
    /// The packet of what was written to an injection queue of `node`, a header and at most the largest
    /// payload; none where that goes to no node, or the nodes on its way cannot carry it.
    std::optional<Packet> make(NodeId node, std::span<const unsigned char> written);
    void injected(const Packet& packet, std::uint64_t cycle) {
        parcels_.at(packet.identity).injected = cycle;
    }
    /// A copy of it has been taken from the network.
    Parcel take(const Packet& packet);
    std::size_t in_flight() const { return parcels_.size(); }

  private:
    std::optional<PacketFields> fields(NodeId node, const OutgoingHeader& header) const;
    void address_unicast(NodeId node, const OutgoingHeader& header, PacketFields& fields) const;
    std::uint32_t copies(NodeId node, const Packet& packet) const;

    const Fabric& f_;
    const PortTables* tables_;
    std::vector<std::uint32_t> sequence_;                // [node]: of its next packet
    std::unordered_map<std::uint64_t, Parcel> parcels_;  // by Packet::identity
};

}  // namespace interlace
