// Interlace: how a result repeats what its nodes were
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/experiment/cycles.h"

namespace interlace {

/// The keys node, rtl_nodes, systemc_nodes and lockstep.
void add_nodes(Json& json, const CycleOptions& options);

/// Of each class of queues: depth, high_water, stall_cycles.
Json queues_json(const NodeParameters& node, const Usage& queues);

}  // namespace interlace
