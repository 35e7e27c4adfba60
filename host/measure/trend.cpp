// Interlace: whether a quantity grows
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/measure/trend.h"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "interlace/measure/sample.h"

namespace interlace {

namespace {

constexpr double level_of_the_test = 0.05;

}  // namespace

bool grows(const std::vector<double>& levels) {
    if (levels.size() < 3) return false;
    std::vector<double> increments;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) increments.push_back(levels[i + 1] - levels[i]);
    return mean_is_positive(increments);
}

bool mean_is_positive(const std::vector<double>& values) {
    if (values.size() < 2) return false;
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return mean > student_t(values.size() - 1, 1 - level_of_the_test) * std::sqrt(squares / (n - 1) / n);
}

}  // namespace interlace
