// Interlace: whether a quantity grows
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/measure/trend.h"

#include <cmath>
#include <cstddef>

#include "interlace/measure/sample.h"

namespace interlace {

namespace {

constexpr double level_of_the_test = 0.05;

}  // namespace

bool grows(const std::vector<double>& levels) {
    if (levels.size() < 3) return false;
    const std::size_t increments = levels.size() - 1;
    const auto n = static_cast<double>(increments);
    const double mean = (levels.back() - levels.front()) / n;
    double squares = 0;
    for (std::size_t i = 0; i < increments; ++i) {
        const double deviation = levels[i + 1] - levels[i] - mean;
        squares += deviation * deviation;
    }
    return mean > student_t(increments - 1, 1 - level_of_the_test) * std::sqrt(squares / (n - 1) / n);
}

std::size_t growing_by_chance(std::size_t runs) {
    constexpr double level = level_of_the_test;
    // The binomial distribution, term by term.
    double term = std::pow(1 - level, static_cast<double>(runs));
    double at_most = term;
    std::size_t grown = 0;
    while (1 - at_most > level * (1 + 1e-9)) {
        term *= static_cast<double>(runs - grown) / static_cast<double>(grown + 1) * level / (1 - level);
        at_most += term;
        ++grown;
    }
    return grown;
}

}  // namespace interlace
