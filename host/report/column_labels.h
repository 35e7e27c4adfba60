// Interlace: the columns of a sweep as readers see them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

/// `label`, as in "Mean latency"; `unit`, as in "cycles", empty for texts and pure numbers.
struct ColumnLabel {
    std::string label, unit;
};

/// Of a key of an experiment or a member of a result, by its path; of several runs, as in
/// latency_mean_of_runs.half_interval, too. A path that has no label is its own, without a unit.
/// `of_capacity`: in a result of capacity, where some members mean something else.
ColumnLabel label_of(const std::string& column, bool of_capacity);

/// {name, label, unit} of each.
Json labelled(const std::vector<std::string>& columns);

}  // namespace interlace
