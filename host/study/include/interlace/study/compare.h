// Interlace: two networks side by side, in every metric
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/experiment/kinds/broadcast.h"

namespace interlace {

/// One metric of two networks and 1 - first / second: alpha (eq. 2) when the second is the torus of the same
/// dimensions, beta (eq. 3) when it is the torus of the same degree, defined for any two networks.
struct ComparedMetric {
    /// diameter, mean_distance, link_load, capacity, line_steps, rectangle_steps, global_steps; ..._optimal;
    /// allgather_steps, allreduce_steps, alltoall_steps; ..._by_degree
    std::string metric;
    double first = 0, second = 0, coefficient = 0;
};

struct Comparison {
    std::string first, second;
    std::string coefficient;  ///< what metrics' coefficients are called: alpha, beta or "1 - first/second"
    std::uint32_t packets = 0;
    std::vector<ComparedMetric> metrics;
};

/// link_load and capacity are those of interlace capacity under uniform traffic, of which more capacity is
/// better; they are left out where one of them is not soon found. Broadcast metrics that one of the two
/// cannot have (a line of a network without coordinates) are left out; each broadcast runs by its network's
/// default algorithm (a torus line by the two-way ring, eq. 4), and by optimal. Steps of collectives, with
/// one packet a node or pair, are left out where one of the two is large; times the degree they are the time
/// of nodes with equally many pins, whose links are the wider the fewer they are.
Comparison compare(const std::string& first, const std::string& second, std::uint32_t packets,
                   std::uint64_t seed);

Json to_json(const Comparison& comparison, std::uint64_t seed);

}  // namespace interlace
