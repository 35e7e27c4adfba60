// Interlace: the routing of a network for which none is chosen
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/fabric/default_routing.h"

#include "interlace/engine/fabric/fabric.h"

namespace interlace {

bool has_dimension_order(const Network& network) {
    return network.lattice() && network.lattice()->has_rows();
}

bool fits_coordinates(const Network& network) {
    return has_dimension_order(network) && 2 * network.lattice()->dimensions() <= most_ports_built;
}

Routing default_routing(const Network& network, const NodeParameters& node) {
    if (!fits_coordinates(network)) return Routing::table;
    const Lattice& lattice = *network.lattice();
    const bool is_short = lattice.is_product() && (!lattice.wraps() || node.vcs >= 2);
    return is_short || network.node_count() > max_slots ? Routing::dimension_order : Routing::table;
}

}  // namespace interlace
