// Interlace: forwarding tables from next hops
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "balanced_paths.h"
#include "interlace/engine/routing/routing_tables.h"

namespace interlace {

/// Tables of paths that lead from every node to every other. `any_channel`: packets may use all channels of
/// the links that they take, whichever the paths name.
RoutingTables tables_of_paths(const Network& network, const Fabric& fabric, const Paths& paths,
                              bool any_channel);

}  // namespace interlace
