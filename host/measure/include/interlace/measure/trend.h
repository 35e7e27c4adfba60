// Interlace: whether a quantity grows
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace interlace {

/// Whether levels that were read at equal intervals grow: a one-sided Student t test, at 5%, on the mean of
/// their increments. Of n increments d with mean m and standard deviation s they grow where m > t(n - 1,
/// 0.95) s / sqrt(n). Where increments are independent, as those of a queue at its critical load nearly are
/// (a random walk), 1 test in 20 calls such levels growing; where a high level is followed by a low one, as
/// below that load, it is fewer; above it a steady growth of m is seen half of the time once sqrt(n) m = 1.7
/// s, and surely soon after. At least 3 levels; fewer never grow.
bool grows(const std::vector<double>& levels);

/// Whether the mean of independent values is above 0: the same test on the values themselves. On the
/// increments of several runs it detects a growth that is too small for any single run: the standard error
/// falls with the square root of their number. At least 2 values; fewer never are.
bool mean_is_positive(const std::vector<double>& values);

}  // namespace interlace
