// Interlace: sentences of a paper about several rows of a table
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "row_job.h"

namespace interlace {

/// The row of a claim about other rows of its table, whose computed values it reads as the table shows them.
using ClaimJob = std::function<ReproducedRow(const std::vector<ReproducedRow>&)>;

/// The row of an entry with the key `claim` (the words that the table shows) in a table of kind `torus`; none
/// of a `large` one that is not asked for. The claim is about the rows of `quantity` (one or several),
/// restricted by `network`, by the bypass lengths in `scheme` ("8,32") and by `source`, each optional.
/// `holds` is what has to hold, and for what it is counted:
/// - above: each value is above the number `than`;
/// - rises: each value of a scheme is above that of its next smaller network;
/// - lowest, highest: of each number of nodes, no network has a lower (higher) value than that of scheme
/// `at`;
/// - sooner, no_later, alike: each network's value from source 0 is below that from source 1, not above it,
/// or
///   a step apart at most;
/// - more, less: the value of the first of two networks is above (below) that of the second, for each
/// quantity
///   and source;
/// - favourable_patterns: each value is the minimum of those of patterns 1, 3, 5 and 7 (rows "T_x pn=1").
/// Of rows with several numbers ("from step 7, max 65.6%, mean 47.7%") `part` names the words in front of
/// one; where they are missing it is infinite. Published is "all", as in "23 of 23"; computed is for how many
/// it holds. The job throws InputError where the table has no such rows.
std::vector<ClaimJob> claim_rows(ConfigMap config, const ReproduceOptions& options);

}  // namespace interlace
