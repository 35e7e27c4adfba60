// Interlace: what a paper says of many networks at once
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "row_job.h"

namespace interlace {

/// The row of an entry with the key `claim` (the words that the table shows) in a table of kind `torus`;
/// `holds` is what it says of each of its networks:
/// - favourable_patterns: T_x from `source` is as short with the patterns 1, 3, 5 and 7 as with all eight;
/// - node_0_not_slower: T_x of node 0 is at most that of node 1;
/// - sources_alike: these two differ by one step at most;
/// - lowest: no network of as many nodes has a lower T_xy than the one of bypass scheme `at`;
/// - printed_in_order: of pairs of numbers that the paper prints (`pairs`, no networks), the first is at most
/// the
///   second.
/// 32 packets. Published is "all", as in "23 of 23"; computed is of how many it holds.
RowJob claim_row(ConfigMap config);

}  // namespace interlace
