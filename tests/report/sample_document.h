// Interlace: documents for tests of the report, all of whose values come from formulas
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

/// A document of these parts.
Json report_of(const Json& parts);

/// The columns of a sweep's part; some have labels and units.
Json sample_columns(const std::vector<std::string>& names);

/// cycles (latency, mbps) of depths 8 to 128 and links of `latencies`: what a channel of a packet and a round
/// trip would give. The first point has failed.
Json sample_sweep(const std::vector<int>& latencies);
/// Latency against load up to saturation, for three patterns.
Json sample_load_sweep();
/// The cycles of four loads, each with an interval of a tenth of them but for the last, which is one run.
Json sample_seeds_sweep();
/// Cycles for all combinations of five depths, one of them infinite, of each of three classes of queues.
Json sample_depths_sweep();
/// Of two classes, the same channel among them.
Json sample_size();
/// A broadcast on a torus: packet p comes to a node at `distance` hops in step distance + p.
Json sample_run(const std::vector<std::uint32_t>& sizes, std::uint32_t packets);
/// The same of a network that is no lattice.
Json sample_run_without_lattice(std::uint32_t nodes);
Json sample_published();

}  // namespace interlace
