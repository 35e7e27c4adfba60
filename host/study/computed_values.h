// Interlace: values of a sweep that are computed from others
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/experiment/experiment.h"

namespace interlace {

/// Whether a value is a formula, as in "= 2 * links.latency + traffic.packet_flits".
bool is_formula(const std::string& value);

/// Its value, a whole number where it is one. Names are paths of numbers in the experiment's configuration,
/// and nodes, degree, diameter and mean_distance of its network; operators and functions are those of
/// muParser. Throws InputError for what is no formula, names that are unknown, and results that are no
/// numbers.
std::string computed_value(const std::string& formula, const Experiment& experiment);

}  // namespace interlace
