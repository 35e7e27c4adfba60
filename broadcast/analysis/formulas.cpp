// Interlace: closed formulas of the literature
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/analysis/formulas.h"

#include <cmath>

namespace interlace {
namespace {

double ceil_ratio(std::uint32_t k, std::uint32_t divisor) {
    return std::ceil(static_cast<double>(k) / divisor);
}

}  // namespace

double ring_steps(double n, std::uint32_t k) {
    return n / 2 + ceil_ratio(k, 2) - 1;
}

double torus_global_steps(double n, std::uint32_t d, std::uint32_t k) {
    return d * (n - 1) + ceil_ratio(k, 2 * d) - 1;
}

double torus_rectangle_steps(double n, std::uint32_t k) {
    return 2 * n + ceil_ratio(k, 4) - 3;
}

double torus_diameter(double n, std::uint32_t d) {
    return d * n / 2;
}

double torus_mean_distance(double n, std::uint32_t d) {
    return d * n / 4;
}

double Fit::operator()(double nodes) const {
    return coefficient * std::pow(nodes, exponent) + constant;
}

double improvement(double value, double baseline) {
    return 1 - value / baseline;
}

}  // namespace interlace
