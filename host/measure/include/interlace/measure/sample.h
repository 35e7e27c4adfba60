// Interlace: what several runs with different seeds say together
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

struct Sample {
    std::size_t count = 0;
    double mean = 0, min = 0, max = 0;
    /// The mean of all possible runs lies within this of `mean`, with 95% confidence: Student's t times the
    /// standard error. 0 of one run.
    double half_interval = 0;
    std::vector<double> values = {};  ///< of each run
};

/// Of at least one value.
Sample sample_of(const std::vector<double>& values);

/// Of a member of each run.
template <class Run, class Result, class Number>
Sample sample_of(const std::vector<Run>& runs, Number Result::*measure) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const Run& run : runs) values.push_back(static_cast<double>(run.*measure));
    return sample_of(values);
}

/// In units of `divisor` (1e12 for seconds of picoseconds): the quotient is the nearest double, which a
/// product with 1e-12 often is not.
Sample divided(Sample sample, double divisor);

/// {runs, mean, half_interval, min, max, values}.
Json to_json(const Sample& sample);

/// `key`: the mean, as a whole number where it is one value that is `whole`; of several values,
/// `key`_of_runs: the Sample.
void add_sample(Json& json, const std::string& key, const Sample& sample, bool whole);

/// Runs of what is random where nobody asks for another number.
inline constexpr std::uint32_t default_seeds = 30;

/// Runs with different seeds where a user asks for `seeds`; 0: default_seeds. What is not random runs once.
std::uint32_t runs_of(std::uint32_t seeds, bool random);

/// The `p` quantile, 0 < p < 1, of Student's t with `degrees` degrees of freedom, 1 or more.
double student_t(std::size_t degrees, double p = 0.975);

}  // namespace interlace
