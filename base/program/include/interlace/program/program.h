// Interlace: what every node sends, in which order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interlace/network/network.h"

namespace interlace {

/// A send before it is put in its send list: `packet` over `link`.
struct Send {
    LinkId link;
    PacketId packet;
};

/// A broadcast as every engine runs it: for each directed link used (a send list), the packets it carries in
/// their order. A send list sends its next packet as soon as its node holds that packet and the link is free;
/// to hold a packet is the only condition, and it is implicit. So a program has no times: each engine finds
/// its own. Immutable; 4 bytes a send and 16 a send list.
class Program {
  public:
    /// `sends` in an order in which each link's own sends are as it shall send them (by step, say).
    Program(const Network& network, NodeId source, std::uint32_t packets, const std::vector<Send>& sends);

    NodeId source() const { return source_; }
    std::uint32_t packet_count() const { return packets_; }
    std::uint32_t list_count() const { return static_cast<std::uint32_t>(link_.size()); }
    std::uint64_t send_count() const { return packet_.size(); }

    LinkId link(std::uint32_t list) const { return link_[list]; }
    std::span<const PacketId> sends(std::uint32_t list) const {
        return {packet_.data() + first_[list], packet_.data() + first_[list + 1]};
    }

  private:
    NodeId source_;
    std::uint32_t packets_;
    std::vector<LinkId> link_;          // ascending
    std::vector<std::uint64_t> first_;  // send lists + 1
    std::vector<PacketId> packet_;
};

/// [node]: the first of the send lists that leave it, which end where the next node's begin; nodes + 1 of
/// them.
std::vector<std::uint32_t> first_lists(const Network& network, const Program& program);

}  // namespace interlace
