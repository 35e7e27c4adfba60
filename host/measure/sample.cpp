// Interlace: what several runs with different seeds say together
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/measure/sample.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace interlace {

std::uint32_t runs_of(std::uint32_t seeds, bool random) {
    if (!random) return 1;
    return seeds != 0 ? seeds : default_seeds;
}

namespace {

/// The p quantile of the standard normal distribution, by Newton's method: from 0 on, where the distribution
/// is concave, it climbs to the quantile without passing it.
double normal_quantile(double p) {
    double z = 0;
    for (int i = 0; i < 60; ++i) {
        const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
        const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
        z += (p - below) / density;
    }
    return z;
}

}  // namespace

double student_t(std::size_t degrees, double p) {
    assert(degrees > 0 && p > 0.5 && p < 1);
    if (degrees == 1) return std::tan(std::numbers::pi * (p - 0.5));
    if (degrees == 2) return (2 * p - 1) / std::sqrt(2 * p * (1 - p));
    const double z = normal_quantile(p);
    const auto n = static_cast<double>(degrees);
    const double z2 = z * z;
    const double g1 = z * (z2 + 1) / 4;
    const double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
    const double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    const double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z + g1 / n + g2 / (n * n) + g3 / (n * n * n) + g4 / (n * n * n * n);
}

Sample sample_of(const std::vector<double>& values) {
    assert(!values.empty());
    Sample sample{values.size()};
    sample.values = values;
    for (const double value : values) sample.mean += value;
    sample.mean /= static_cast<double>(values.size());
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    sample.min = *min;
    sample.max = *max;
    if (values.size() < 2) return sample;
    double squares = 0;
    for (const double value : values) squares += (value - sample.mean) * (value - sample.mean);
    const auto n = static_cast<double>(values.size());
    sample.half_interval = student_t(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
    return sample;
}

Sample divided(Sample sample, double divisor) {
    for (double* value : {&sample.mean, &sample.half_interval, &sample.min, &sample.max}) *value /= divisor;
    for (double& value : sample.values) value /= divisor;
    return sample;
}

Json to_json(const Sample& sample) {
    return {{"runs", sample.count}, {"mean", sample.mean}, {"half_interval", sample.half_interval},
            {"min", sample.min},    {"max", sample.max},   {"values", sample.values}};
}

void add_sample(Json& json, const std::string& key, const Sample& sample, bool whole) {
    const bool one = sample.count == 1;
    json[key] = one && whole ? Json(static_cast<std::uint64_t>(sample.mean)) : Json(sample.mean);
    if (!one) json[key + "_of_runs"] = to_json(sample);
}

}  // namespace interlace
