// Interlace: values of a sweep that are computed from others
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/experiment/experiment.h"

namespace interlace {

/// Whether a value is a formula, as in "= 2 * links.latency + traffic.packet_flits".
bool is_formula(const std::string& value);

/// A formula that YAML needs quotes for ("= a > b ? 1 : 2", which has a ": ") without them; every other value
/// as it is. `value`: as ConfigMap::values() returns it.
std::string without_quotes_of_formula(const std::string& value);

/// Its value, a whole number where it is one. Names are paths of numbers in the experiment's configuration,
/// and nodes, degree, diameter and mean_distance of its network; operators and functions are those of
/// muParser. Throws InputError for what is no formula, names that are unknown, and results that are not
/// one finite number.
std::string computed_value(const std::string& formula, const Experiment& experiment);

}  // namespace interlace
