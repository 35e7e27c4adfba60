// Interlace: what a run on a cycle engine leaves behind, beside its result
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "interlace/experiment/nodes/cycles.h"
#include "interlace/harness/observers/link_use.h"
#include "interlace/harness/observers/packet_log.h"

namespace interlace {

/// Watches and observes a machine as the options ask for it.
class Recorder {
  public:
    Recorder(const Network& network, const Fabric& fabric, Machine& machine, const CycleOptions& options);
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// A host has made a packet.
    void born(std::uint64_t cycle, NodeId node, std::uint32_t packet) {
        if (log_) log_->born(cycle, node, packet);
    }
    /// Calls `run`, which runs the machine to its end and says how many cycles packets waited for room at
    /// each injection queue, [node * injections + queue]; then writes the files.
    void run(const std::function<std::vector<std::uint64_t>()>& run);
    /// `links` of a run in docs/report.md; null where nobody asked for details.
    Json links(std::uint64_t cycles) const;

  private:
    void write_queues(std::ostream& out, const std::vector<std::uint64_t>& injection_stalls) const;

    const Network& network_;
    const Fabric& f_;
    Machine& machine_;
    const Records& records_;
    bool has_state_;  // what is written while the run goes on is kept, as part of the machine's
    std::optional<PacketLog> log_;
    std::optional<LinkUse> links_;
};

}  // namespace interlace
