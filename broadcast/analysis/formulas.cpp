// Interlace: closed formulas of the literature
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/analysis/formulas.h"

#include <algorithm>
#include <cmath>

namespace interlace {
namespace {

struct Moore {
    std::uint32_t diameter = 0;
    std::uint64_t distances = 0;  // from one node, added up
};

/// A node with as many others as can be at each distance.
Moore moore(std::uint32_t nodes, std::uint32_t degree) {
    Moore least;
    std::uint64_t left = nodes - 1;
    for (std::uint64_t ring = degree; left > 0; ring *= degree - 1) {
        const std::uint64_t here = std::min(ring, left);
        least.distances += ++least.diameter * here;
        left -= here;
    }
    return least;
}

/// Sizes that are powers of others are whole but for rounding.
bool is_odd(double n) {
    return std::abs(std::remainder(n - 1, 2)) < 1e-9;
}

double ceil_ratio(std::uint32_t k, std::uint32_t divisor) {
    return std::ceil(static_cast<double>(k) / divisor);
}

}  // namespace

double ring_steps(double n, std::uint32_t k) {
    if (is_odd(n)) return std::ceil((std::round(n) + k) / 2) - 1;
    return n / 2 + ceil_ratio(k, 2) - 1;
}

double torus_global_steps(double n, std::uint32_t d, std::uint32_t k) {
    return d * (n - 1) + ceil_ratio(k, 2 * d) - 1;
}

double torus_rectangle_steps(double n, std::uint32_t k) {
    return 2 * n + ceil_ratio(k, 4) - 3;
}

double torus_diameter(double n, std::uint32_t d) {
    return d * (is_odd(n) ? n - 1 : n) / 2;
}

double torus_mean_distance(double n, std::uint32_t d) {
    return d * (is_odd(n) ? n - 1 / n : n) / 4;
}

std::uint32_t moore_diameter(std::uint32_t nodes, std::uint32_t degree) {
    return moore(nodes, degree).diameter;
}

double moore_mean_distance(std::uint32_t nodes, std::uint32_t degree) {
    return static_cast<double>(moore(nodes, degree).distances) / nodes;
}

double Fit::operator()(double nodes) const {
    return coefficient * std::pow(nodes, exponent) + constant;
}

std::optional<Fit> published_fit(const std::string& quantity, std::uint32_t d,
                                 const std::vector<std::uint32_t>& bypass) {
    struct Published {
        const char* quantity;
        std::uint32_t d;
        std::vector<std::uint32_t> bypass;
        Fit fit;
    };
    static const std::vector<Published> fits = {
        // Table 2
        {"T_x", 2, {8}, {0.0625, 0.5, 21}},
        {"lambda", 2, {8}, {0.63, 0.37, 0}},
        {"mu", 2, {8}, {0.45, 0.34, 0}},
        {"T_x", 2, {8, 32}, {2.15, 0.17, 12.51}},
        {"lambda", 2, {8, 32}, {3.02, 0.15, 0}},
        {"mu", 2, {8, 32}, {1.92, 0.15, 0}},
        {"T_x", 3, {6}, {2.79, 0.16, 0}},
        {"lambda", 3, {6}, {0.46, 0.30, 0}},
        {"mu", 3, {6}, {0.30, 0.29, 0}},
        {"T_x", 4, {8}, {4.01, 0.1, 0}},
        {"lambda", 4, {8}, {3.04, 0.14, 0}},
        {"mu", 4, {8}, {1.77, 0.13, 0}},
        // Eqs. 7.1 to 7.3
        {"T_xy", 2, {8, 32}, {1.75, 0.2, 16.22}},
        {"T_xy", 3, {6}, {0.54, 0.27, 14.97}},
        {"T_xy", 4, {8}, {1.09, 0.16, 14.15}},
        // Eqs. 8.1 and 8.2
        {"T_all", 2, {8, 32}, {1.75, 0.2, 16.22}},
        {"T_all", 3, {6}, {0.54, 0.28, 14.71}},
    };
    for (const Published& published : fits)
        if (published.quantity == quantity && published.d == d && published.bypass == bypass)
            return published.fit;
    return std::nullopt;
}

double improvement(double value, double baseline) {
    return (baseline - value) / baseline;  // 0.2, not 0.19999999999999996, of 2 and 2.5
}

}  // namespace interlace
