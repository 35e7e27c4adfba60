// Interlace: where every packet of a run was, and when
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/machine/machine.h"

namespace interlace {

/// Observes a machine (whose links have to be watched) and keeps an event for every birth, injection, hop and
/// arrival of a packet: about 32 bytes each.
class PacketLog {
  public:
    explicit PacketLog(const Fabric& fabric);

    /// A host has made packet number `packet` (PacketFields::sequence).
    void born(std::uint64_t cycle, NodeId node, std::uint32_t packet);
    /// As Machine::Observer.
    void observe(std::uint64_t cycle, const RegionInputs& inputs, const RegionOutputs& outputs);

    /// What has been kept so far, saved or loaded.
    void state(Archive& archive);

    /// CSV: packet,event,cycle,until,node,port,channel. Events in the order of their cycles: `birth`;
    /// `injection` by the host into queue `port`, from the first flit to the last; `hop` by link `port` and
    /// `channel` out of the node, likewise; `arrival`: the host takes the last flit from queue `port`.
    void write_csv(std::ostream& out) const;
    /// The trace event format of Chrome and Perfetto: a process for each node, a thread for each queue and
    /// channel of a link in it; a cycle counts as a microsecond.
    void write_trace(std::ostream& out) const;

  private:
    enum class Kind : std::uint8_t { birth, injection, hop, arrival };
    struct Event {
        std::uint64_t cycle, until;
        std::uint32_t packet, node;
        Kind kind;
        std::uint8_t port, channel;
    };

    void pass(Kind kind, std::uint64_t cycle, const LinkFlit& flit, std::size_t place);
    std::uint32_t list(const Event& event) const;
    std::string list_name(std::uint32_t list) const;

    const Fabric& f_;
    std::vector<Event> events_;
    std::vector<std::size_t> in_flight_;  // events of the packets on links' channels, then in injection
};

}  // namespace interlace
