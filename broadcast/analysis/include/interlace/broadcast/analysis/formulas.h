// Interlace: closed formulas of the literature
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace interlace {

/// Steps of torus baselines (Zhang and Deng 2012). `n`: nodes in a dimension, `k`: packets, `d`: dimensions.
/// The sizes are real numbers because eq. 3 compares with tori of n^(d / (d + 1)) nodes a side, which are
/// seldom whole; the formulas of even sizes hold for those.
double ring_steps(double n, std::uint32_t k);  ///< eq. 4: n/2 + ceil(k/2) - 1; odd n: ceil((n + k)/2) - 1
double torus_global_steps(double n, std::uint32_t d, std::uint32_t k);  ///< eq. 5: d (n - 1) + ceil(k/2d) - 1
double torus_rectangle_steps(double n, std::uint32_t k);                ///< eq. 6: 2n + ceil(k/4) - 3

/// Diameter and mean distance over all ordered pairs, a node with itself included, of a torus of d sizes n,
/// in hops: d n / 2 and d n / 4; odd n: d (n - 1) / 2 and d (n - 1/n) / 4.
double torus_diameter(double n, std::uint32_t d);
double torus_mean_distance(double n, std::uint32_t d);

/// Moore's bounds on any network of `nodes` nodes with at most `degree` links out of each (2 or more): at
/// most degree (degree - 1)^(h - 1) nodes are h hops away. The least diameter, and the least mean distance
/// over all ordered pairs, a node with itself included.
std::uint32_t moore_diameter(std::uint32_t nodes, std::uint32_t degree);
double moore_mean_distance(std::uint32_t nodes, std::uint32_t degree);

/// coefficient * N^exponent + constant: the form of the fits of Table 2 and of eqs. 7 and 8.
struct Fit {
    double coefficient = 0, exponent = 0, constant = 0;
    double operator()(double nodes) const;
};

/// The published fit of `quantity` (lambda, mu, T_x, T_xy, T_all) for iBT(n^d; bypass): Table 2 and eqs. 7.1
/// to 8.2 of Zhang and Deng 2012, made at 2K to 65K nodes, 32 packets, source 0. None where the paper gives
/// none.
std::optional<Fit> published_fit(const std::string& quantity, std::uint32_t d,
                                 const std::vector<std::uint32_t>& bypass);

/// alpha and beta of eqs. 2 and 3: 1 - value / baseline, the improvement of a metric over a torus of the same
/// dimensions (alpha) or the same degree (beta).
double improvement(double value, double baseline);

}  // namespace interlace
