// Interlace: the routing of a network for which none is chosen
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/fabric/default_routing.h"

#include <optional>

namespace interlace {

Routing default_routing(const Network& network, const NodeParameters& node) {
    const std::optional<Lattice>& lattice = network.lattice();
    if (!lattice || !lattice->has_rows()) return Routing::table;
    const bool is_short = lattice->is_product() && (!lattice->wraps() || node.vcs >= 2);
    return is_short || network.node_count() > max_slots ? Routing::dimension_order : Routing::table;
}

}  // namespace interlace
