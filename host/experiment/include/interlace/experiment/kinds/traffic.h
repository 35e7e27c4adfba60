// Interlace: synthetic traffic on a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interlace/engine/routing/routing_tables.h"
#include "interlace/experiment/experiment.h"
#include "interlace/experiment/nodes/cycles.h"
#include "interlace/harness/traffic/traffic.h"
#include "interlace/measure/json_result.h"

namespace interlace {

struct TrafficExperiment : Experiment {
    std::string network;
    std::string engine = "native";
    std::string pattern = "uniform";  ///< as traffic_pattern() takes them, or trace:FILE.csv
    CycleOptions nodes;               ///< but for background, forwarding and pace; see runs()
    TrafficOptions traffic;           ///< its pattern is the one named above
    bool saturation = false;  ///< search the load at which the network saturates; traffic.load is ignored

    bool is_trace() const { return pattern.starts_with("trace:"); }
    /// Runs with different seeds: nodes.seeds as runs_of() takes it, but one where it is 0 and the traffic
    /// alone is random, of which one run has many packets.
    std::uint32_t runs() const override;

    Json to_json() const override;
    std::vector<Measure> measures() const override;
    std::vector<QueueToSize> queues() const override;
    CycleOptions* cycle_options() override { return &nodes; }
    /// All but how long it measures, and under how many seeds.
    Json warm_up() const override;
    Json run(const Preparation* prepared, const RunListener& listener) const override;
};

/// What TrafficExperiment::pattern may be.
Choices traffic_sources();

/// Of the section traffic. Throws InputError.
std::unique_ptr<Experiment> read_traffic(ConfigMap& config);

/// A load that was tried in the search for saturation.
struct LoadTried {
    std::uint64_t seed = 1;
    double load = 0, accepted = 0, latency_mean = 0;
    bool carried = false;
};

struct TrafficRun {
    TrafficExperiment experiment;               ///< of a search: with the mean of the loads that were found
    std::vector<TrafficResult> results;         ///< of each seed
    std::vector<double> saturation_loads = {};  ///< of a search, of each seed
    std::uint32_t nodes = 0;
    std::uint32_t hosts = 0;                 ///< nodes that are no switches
    std::optional<LinkLoad> link_load = {};  ///< of routing by table, for every pair of hosts alike
    /// In flits/node/cycle, where the pattern's paths are known: at higher loads the fullest link would have
    /// to carry more than it can.
    std::optional<double> routing_capacity = {};
    /// Of a search, where it is soon found: by no routing can the load be higher.
    std::optional<double> capacity_at_most = {};
    Usage queues = {};                  ///< over all cycles of `results`
    Json links = nullptr;               ///< of Records::details: links_json()
    std::uint64_t link_count = 0;       ///< directed links of the network
    double mean_distance = 0;           ///< of the network, over pairs of different hosts
    std::uint64_t cycles = 0;           ///< of everything that ran
    double cpu_seconds = 0;             ///< of that, without making the network
    std::vector<LoadTried> tried = {};  ///< of a search, in the order of trying
    double router_cycles_per_second() const {
        return cpu_seconds > 0 ? static_cast<double>(cycles) * nodes / cpu_seconds : 0;
    }
    /// What all links together carry of packets that cross as many links as those measured, in
    /// flits/node/cycle: no load above it is carried. Infinite where no packet arrived.
    double link_bound() const {
        const double hops = sample_of_packets(&TrafficResult::mean_hops).mean;
        return static_cast<double>(link_count) / (hosts * hops * experiment.nodes.links.cycles_per_flit);
    }
    /// Of one seed TrafficResult::settled; of several, whether the increments of all
    /// (TrafficResult::in_flight) have no mean above 0 (mean_is_positive() in interlace/measure/trend.h):
    /// together they show an excess that no single run does.
    bool settled() const;
    /// The load is above routing_capacity.
    bool exceeds_routing() const;
    /// It settled, no measured packet of any seed is missing, and the fullest link can carry its packets.
    bool carried() const;
    /// Over the seeds.
    template <class Number>
    Sample sample(Number TrafficResult::*measure) const {
        return sample_of(results, measure);
    }
    /// Over those under which packets of the measurement arrived, if there are any: what is said of packets.
    template <class Number>
    Sample sample_of_packets(Number TrafficResult::*measure) const {
        std::vector<TrafficResult> arrived;
        for (const TrafficResult& result : results)
            if (result.packets > result.packets_missing) arrived.push_back(result);
        return sample_of(arrived.empty() ? results : arrived, measure);
    }
};

/// A search bisects: the result is of a load that the network carried (TrafficResult::carried) while one
/// higher by a thousandth of what its links take was not; each seed has a search of its own. Throws
/// InputError for what the engines cannot represent, FellShort for a run that is stuck, or a network that
/// is saturated at every load.
TrafficRun run_traffic(const TrafficExperiment& experiment, const RunListener& listener = {});

/// Latencies are null where the load was saturated: they grow with the length of the measurement.
Json to_json(const TrafficRun& run);

}  // namespace interlace
