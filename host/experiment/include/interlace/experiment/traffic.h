// Interlace: synthetic traffic on a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/experiment/cycles.h"
#include "interlace/harness/traffic.h"
#include "interlace/measure/json_result.h"

namespace interlace {

struct TrafficExperiment {
    std::string network;
    std::string engine = "native";
    std::string pattern = "uniform";  ///< as traffic_pattern() takes them, or trace:FILE.csv
    CycleOptions nodes;
    TrafficOptions traffic;   ///< its pattern is the one named above
    bool saturation = false;  ///< search the load at which the network saturates; traffic.load is ignored

    bool is_trace() const { return pattern.starts_with("trace:"); }
};

/// A load that was tried in the search for saturation.
struct LoadTried {
    double load = 0, accepted = 0, latency_mean = 0;
    bool carried = false;
};

struct TrafficRun {
    TrafficExperiment experiment;  ///< of a search: with the load that was found
    TrafficResult result;
    std::uint32_t nodes = 0;
    Usage queues = {};                  ///< over all cycles
    Json links = nullptr;               ///< of Records::details: links_json()
    double mean_distance = 0;           ///< of the network, over pairs of different nodes
    double cpu_seconds = 0;             ///< of the run, without making the network
    std::vector<LoadTried> tried = {};  ///< of a search, in the order of trying
    double router_cycles_per_second() const {
        return cpu_seconds > 0 ? static_cast<double>(result.cycles) * nodes / cpu_seconds : 0;
    }
};

/// A search bisects: the result is of a load that the network carried (TrafficResult::carried) while one
/// higher by a thousandth of what its links take was not. Throws InputError for what the engines cannot
/// represent, FellShort for a run that is stuck, or a network that carries nothing.
TrafficRun run_traffic(const TrafficExperiment& experiment);

/// As a configuration file (docs/experiments.md) that names everything.
Json to_json(const TrafficExperiment& experiment);
Json to_json(const TrafficRun& run);

}  // namespace interlace
