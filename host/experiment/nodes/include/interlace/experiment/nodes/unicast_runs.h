// Interlace: unicast packets on the nodes of a network, for any number of runs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "interlace/checkpoint/checkpoint.h"
#include "interlace/core/run_listener.h"
#include "interlace/engine/routing/path_lengths.h"
#include "interlace/engine/routing/routing_tables.h"
#include "interlace/experiment/nodes/cycles.h"
#include "interlace/harness/traffic/traffic.h"
#include "interlace/measure/json_result.h"

namespace interlace {

/// A network and what its nodes know of routes. Called by all ranks.
class UnicastRuns {
  public:
    /// Throws InputError for routing that the network or its nodes cannot have. Keeps references. `listener`
    /// hears of nodes that are built first.
    UnicastRuns(const Network& network, const std::string& engine, const CycleOptions& options,
                Checkpoint checkpoint, RunListener listener = {});

    const Fabric& fabric() const { return fabric_; }
    const RoutingTables& tables() const { return tables_; }
    const std::optional<PathLengths>& paths() const { return paths_; }

    /// What comes of a run.
    struct Outcome {
        TrafficResult result;
        Usage queues;
        Json links = nullptr;  ///< of Records::details
    };
    using Hosts = std::function<TrafficResult(Machine& machine, const TrafficHostOptions& hosts)>;
    using HearOfPacket = std::function<void(std::uint64_t cycle, std::uint32_t packet)>;
    /// `hosts` runs the machine to its end; `made`, if set, hears of each packet that a host makes.
    Outcome run(std::uint64_t seed, const Hosts& hosts, const HearOfPacket& made = {});

  private:
    Outcome run_machine(std::uint64_t seed, const Hosts& hosts, const HearOfPacket& made);

    const Network& network_;
    std::string engine_;
    const CycleOptions& options_;
    Checkpoint checkpoint_;
    RunListener listener_;
    Fabric fabric_;
    RoutingTables tables_;
    std::optional<PathLengths> paths_;
};

}  // namespace interlace
