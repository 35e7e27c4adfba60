// Interlace: how far the pairs of a benchmark lie apart
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

namespace interlace {

/// Counters of a benchmark: `name`, the median of `values`, and the least and the most. One value at least.
inline void count_spread(benchmark::State& state, const std::string& name, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    state.counters["least"] = values.front();
    state.counters[name] = values[values.size() / 2];
    state.counters["most"] = values.back();
}

}  // namespace interlace
