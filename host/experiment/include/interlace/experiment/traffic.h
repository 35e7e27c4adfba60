// Interlace: synthetic traffic on a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/experiment/cycles.h"
#include "interlace/harness/traffic.h"
#include "interlace/measure/json_result.h"

namespace interlace {

struct TrafficExperiment {
    std::string network;
    std::string engine = "native";
    std::string pattern = "uniform";
    CycleOptions nodes;
    TrafficOptions traffic;
};

struct TrafficRun {
    TrafficExperiment experiment;
    TrafficResult result;
    std::uint32_t nodes = 0;
    double mean_distance = 0;  ///< of the network, over pairs of different nodes
    double cpu_seconds = 0;    ///< of the run, without making the network
    double router_cycles_per_second() const {
        return cpu_seconds > 0 ? static_cast<double>(result.cycles) * nodes / cpu_seconds : 0;
    }
};

/// Throws InputError for what the engines cannot represent, FellShort for a run that is stuck.
TrafficRun run_traffic(const TrafficExperiment& experiment);

/// As a configuration file (docs/experiments.md) that names everything.
Json to_json(const TrafficExperiment& experiment);
Json to_json(const TrafficRun& run);

}  // namespace interlace
