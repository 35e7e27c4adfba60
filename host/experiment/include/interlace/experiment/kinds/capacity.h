// Interlace: what a network can carry at most under a traffic pattern
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interlace/capacity/capacity.h"
#include "interlace/capacity/check_capacity.h"
#include "interlace/experiment/experiment.h"
#include "interlace/harness/traffic/traffic_pattern.h"
#include "interlace/node/parameters.h"

namespace interlace {

struct CapacityExperiment : Experiment {
    std::string network;
    std::string pattern = "uniform";  ///< one of capacity_patterns()
    AllowedPaths paths = AllowedPaths::any;
    /// Whose routing is compared with the best one; none: the best one alone.
    std::optional<NodeParameters> node = {};

    bool is_worst() const { return pattern == "worst"; }

    Json to_json() const override;
    std::uint32_t runs() const override { return 1; }
    std::vector<Measure> measures() const override;
    Json run(const Preparation* prepared, const RunListener& listener) const override;
};

/// Of the sections capacity and node. Throws InputError.
std::unique_ptr<Experiment> read_capacity(ConfigMap& config);

/// Those of traffic, and worst: the permutation under which the routing of the node loads a link most.
Choices capacity_patterns();
/// any, shortest.
Choices path_choices();

/// What a routing does to the links.
struct RoutingLoad {
    double max = 0, mean = 0;  ///< packets over a link in a unit of traffic
    NodeId from{0}, to{0};     ///< the ends of the fullest one
};

/// What the node's queues can pass on, in flits/node/cycle: at most a flit of each in a cycle, over the links
/// that there are. Offered load above these is not carried, whatever the links can.
struct NodeLimits {
    double injection = 0, ejection = 0;
};

struct CapacityRun {
    CapacityExperiment experiment;
    Network network;
    LinkClasses classes;
    Demands demands;
    std::optional<Capacity> found;       ///< none of a worst permutation among many nodes
    std::optional<RoutingLoad> routing;  ///< of experiment.node
    std::optional<NodeLimits> limits;    ///< likewise
    std::vector<std::uint32_t> worst;    ///< of pattern worst: [node] its destination

    /// Flits that a host can send in a cycle, each that sends alike, when the fullest link carries
    /// `link_load` packets of a unit of traffic.
    double capacity_at(double link_load) const {
        return static_cast<double>(demands.most_sent(network.endpoint_count())) / link_load;
    }
};

/// Throws InputError for what the user can mend.
CapacityRun run_capacity(const CapacityExperiment& experiment, const RunListener& listener = {});

Json to_json(const CapacityRun& run);

/// A number with at most three digits behind the point.
bool is_in_thousandths(double share);

/// The packets of a pattern in a unit of traffic. Throws InputError where nobody sends, and for a share of
/// hot spots that is not in thousandths.
Demands demands_of(const TrafficPattern& pattern, std::uint32_t nodes);

/// Over any paths; none where the search may take more than some seconds, or needs CLP and that is not there.
std::optional<Capacity> capacity_soon_found(const Network& network, const Demands& demands);

/// By the routing of the node, in flits/node/cycle: no permutation of one destination for each host fills a
/// link below it.
double guaranteed_load(const std::string& network, const NodeParameters& node);

/// A result of interlace capacity, as its file has it, and what an independent checker finds of its lengths.
struct CapacityCheck {
    std::string file;
    double lower_bound = 0;  ///< as the file has it
    CheckedBound bound;
    /// Empty: the lengths prove what the file says.
    std::string problem;
};

/// Reads the result in a JSON file of interlace capacity and checks its certificate by shortest paths alone.
/// Throws InputError with the place in the file.
CapacityCheck check_capacity_file(const std::string& network, const std::string& file);

Json to_json(const CapacityCheck& check);

}  // namespace interlace
