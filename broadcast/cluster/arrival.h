// Interlace: trees in the order of arrival
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "interlace/broadcast/cluster/trees.h"

namespace interlace {

inline void sort_by_arrival(TreePlan& plan) {
    std::stable_sort(plan.begin(), plan.end(),
                     [](const TreeSend& a, const TreeSend& b) { return a.received < b.received; });
}

}  // namespace interlace
