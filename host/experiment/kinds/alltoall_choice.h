// Interlace: the choice among all ways of a complete exchange: tuned and best
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/experiment/kinds/alltoall.h"

namespace interlace {

/// tuned: the fastest schedule, and a note where something else is faster; best: the fastest of all. Throws
/// FellShort where none ends.
AllToAllRun run_choice(const AllToAllRun& base, bool best, const Cluster& cluster,
                       const RunListener& listener);

}  // namespace interlace
