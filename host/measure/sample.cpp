// Interlace: what several runs with different seeds say together
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/measure/sample.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>

namespace interlace {

std::uint32_t runs_of(std::uint32_t seeds, bool random) {
    if (!random) return 1;
    return seeds != 0 ? seeds : default_seeds;
}

double student_t(std::size_t degrees, double p) {
    // Not by long doubles, whose constants are out of range for valgrind, which has none.
    using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
    return boost::math::quantile(
        boost::math::students_t_distribution<double, Policy>(static_cast<double>(degrees)), p);
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
