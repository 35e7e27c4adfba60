// Interlace: which packets of a program hosts inject, and what routers forward by themselves
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interlace/core/bytes.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/program/program.h"

namespace interlace {

/// Who sends a broadcast's packets on at the nodes between: the host from its reception queues, the router by
/// a table that the packet's slot indexes, or the router along a line, with the host at every turn.
enum class Forwarding : std::uint8_t { host, table, deposit };

Forwarding parse_forwarding(const std::string& text);

/// A program as injections: send lists of packets, each send list at one injection queue of a node, in order,
/// a packet when its node holds it. Keeps references to the network and the program, unless it is of some
/// nodes alone.
class InjectionPlan {
  public:
    struct SendList {
        std::uint32_t node = 0, port = 0;  ///< the queue is that of the port
        std::uint64_t first = 0;           ///< its packets' place among those of all send lists
        std::span<const PacketId> packets;
    };

    /// Throws InputError where the program cannot be forwarded like this: `table` and `deposit` need every
    /// packet to reach a node once (so that its links are a tree), `table` at most 4096 different trees,
    /// `deposit` coordinates.
    InjectionPlan(const Network& network, const Fabric& fabric, const Program& program,
                  Forwarding forwarding);
    /// Of some nodes, from what part() told of them.
    explicit InjectionPlan(const Bytes& part);
    InjectionPlan(const InjectionPlan&) = delete;
    InjectionPlan(InjectionPlan&&) = default;  // spans stay where they are

    /// What `nodes` have to do, for another process of this program.
    Bytes part(NodeRange nodes) const;

    Forwarding forwarding() const { return forwarding_; }
    const std::vector<SendList>& lists() const { return lists_; }
    /// The header's fields for the i-th packet of a send list, but for length, source and sequence.
    PacketFields fields(const SendList& list, std::size_t i) const;
    /// [node - nodes.first][packet]: how often the packet arrives there, in all. Of a plan of some nodes, of
    /// these.
    std::vector<std::uint8_t> arrivals(NodeRange nodes) const;
    std::uint32_t packet_count() const { return packet_count_; }
    const PacketOrigins& origins() const { return origins_; }
    /// Whether all that the send list has starts at its node.
    bool is_own(const SendList& list) const;
    std::uint64_t send_count() const { return send_count_; }  ///< of all nodes
    /// Of `deposit`, and all nodes: the link straight on after `link`, UINT32_MAX where there is none.
    std::uint32_t straight_on(LinkId link) const { return straight_on_[link]; }
    /// Of `table`, [node][slot]; else empty.
    const PortTables& tables() const { return tables_; }
    PortTables& tables() { return tables_; }

  private:
    void plan_host();
    void plan_table(const Fabric& fabric);
    void plan_deposit(const Fabric& fabric);
    void check_masks() const;
    void fill_tables(const Fabric& fabric);

    const Network* network_ = nullptr;  // of all nodes
    const Program* program_ = nullptr;
    std::vector<std::uint8_t> arrivals_;  // of some
    Forwarding forwarding_ = Forwarding::host;
    std::uint32_t packet_count_ = 0;
    PacketOrigins origins_;
    std::uint64_t send_count_ = 0;
    std::vector<SendList> lists_;
    std::vector<PacketId> packets_;              // of send lists that are not the program's own
    std::vector<std::uint32_t> destination_;     // deposit: beside packets_
    std::vector<std::uint32_t> straight_on_;     // deposit: [link]
    std::vector<std::uint32_t> slot_of_packet_;  // table
    PortTables tables_;
};

}  // namespace interlace
