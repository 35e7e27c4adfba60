// Interlace: what every node sends, in which order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interlace/network/network.h"

namespace interlace {

/// A send before it is put in its send list: `packet` over `link`.
struct Send {
    LinkId link;
    PacketId packet;
};

/// Where packets start: all at one source, or so many at each node, numbered node by node. Packets below
/// `sums` are sums instead, which end there, or where `ends` says: a node holds its part of a sum when all
/// that is sent to it of the sum has come, and sends it once. Of an all-reduce the sums come first; packet
/// sums + p is sum p when it is complete, and starts where that ends.
struct PacketOrigins {
    NodeId source = NodeId{0};  ///< of all, if of_each is 0
    std::uint32_t of_each = 0;
    std::uint32_t sums = 0;
    std::vector<NodeId> ends = {};  ///< [sum]; none: as packets start

    bool one_source() const { return of_each == 0 && sums == 0; }
    bool is_sum(PacketId packet) const { return packet < sums; }
    /// Where a packet starts, or a sum ends.
    NodeId operator()(PacketId packet) const {
        if (of_each == 0) return source;
        const std::uint32_t number = is_sum(packet) ? +packet : packet - sums;
        return ends.empty() ? NodeId{number / of_each} : ends[number];
    }
};

/// A broadcast, or a collective of packets that start at all nodes, as every engine runs it: for each
/// directed link used (a send list), the packets it carries in their order. A send list sends its next packet
/// as soon as its node holds that packet and the link is free; to hold a packet is the only condition, and it
/// is implicit. So a program has no times: each engine finds its own. Immutable; 4 bytes a send and 16 a send
/// list.
class Program {
  public:
    /// `sends` in an order in which each link's own sends are as it shall send them (by step, say).
    Program(const Network& network, PacketOrigins origins, std::uint32_t packets,
            const std::vector<Send>& sends);
    Program(const Network& network, NodeId source, std::uint32_t packets, const std::vector<Send>& sends);

    const PacketOrigins& origins() const { return origins_; }
    NodeId origin(PacketId packet) const { return origins_(packet); }
    std::uint32_t packet_count() const { return packets_; }
    std::uint32_t list_count() const { return static_cast<std::uint32_t>(link_.size()); }
    std::uint64_t send_count() const { return packet_.size(); }

    LinkId link(std::uint32_t list) const { return link_[list]; }
    std::span<const PacketId> sends(std::uint32_t list) const {
        return {packet_.data() + first_[list], packet_.data() + first_[list + 1]};
    }

  private:
    PacketOrigins origins_;
    std::uint32_t packets_;
    std::vector<LinkId> link_;          // ascending
    std::vector<std::uint64_t> first_;  // send lists + 1
    std::vector<PacketId> packet_;
};

/// [(node - nodes.first) * packet_count + packet]: how often the packet is sent to the node.
std::vector<std::uint8_t> arrivals(const Network& network, const Program& program, NodeRange nodes);

/// Which parts of sums are still to come to some nodes.
class SumParts {
  public:
    /// `due`: arrivals of these nodes; of no use, and not kept, without sums.
    SumParts(PacketOrigins origins, std::uint32_t packets, NodeRange nodes, std::vector<std::uint8_t> due);

    /// Calls hold(node, packet) for all that nodes hold before anything has come.
    template <class Hold>
    void at_start(const Hold& hold) const {
        if (origins_.sums == 0) {
            for (std::uint32_t p = 0; p < packets_; ++p)
                if (const NodeId at = origins_(PacketId{p}); nodes_.contains(at)) hold(at, PacketId{p});
            return;
        }
        for (std::uint32_t v = nodes_.first; v < nodes_.end(); ++v)
            for (std::uint32_t p = 0; p < origins_.sums; ++p)
                if (due_[place(NodeId{v}, PacketId{p})] == 0) hold(NodeId{v}, PacketId{p});
    }

    /// One more has come. Whether the node holds the packet now: any but a sum whose parts have not all come.
    bool complete(NodeId node, PacketId packet) {
        return !origins_.is_sum(packet) || --due_[place(node, packet)] == 0;
    }
    /// The packet that starts at the node when it holds this one, the sum that ends there.
    std::optional<PacketId> starts(NodeId node, PacketId packet) const {
        if (!origins_.is_sum(packet) || origins_.sums + packet >= packets_ || origins_(packet) != node)
            return {};
        return PacketId{origins_.sums + packet};
    }
    std::uint8_t& due(NodeId node, PacketId sum) { return due_[place(node, sum)]; }
    std::uint32_t sums() const { return origins_.sums; }

  private:
    std::size_t place(NodeId node, PacketId packet) const {
        return std::size_t{node - nodes_.first} * packets_ + packet;
    }
    PacketOrigins origins_;
    std::uint32_t packets_;
    NodeRange nodes_;
    std::vector<std::uint8_t> due_;
};

/// Of all nodes.
SumParts sum_parts(const Network& network, const Program& program);

/// [node]: the first of the send lists that leave it, which end where the next node's begin; nodes + 1 of
/// them.
std::vector<std::uint32_t> first_lists(const Network& network, const Program& program);

}  // namespace interlace
