// Interlace: nodes of SystemC: made once, clocked by sc_start
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/systemc.h"

#include "systemc_region.h"

/// libsystemc asks for it; the kernel here is driven by sc_start alone.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

namespace interlace {

using detail::reserve;
using detail::SystemCRegion;
using systemc::Node;

void systemc_reserve(std::uint32_t ports, std::size_t nodes, std::uint32_t pipeline) {
    const systemc::Built built{.pipeline = pipeline};
    switch (ports) {
        case 2:
            return reserve<Node<2>>(nodes, built);
        case 4:
            return reserve<Node<4>>(nodes, built);
        case 6:
            return reserve<Node<6>>(nodes, built);
        case 8:
            return reserve<Node<8>>(nodes, built);
        default:
            return reserve<Node<10>>(nodes, built);
    }
}

std::unique_ptr<Region> systemc_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                       const PortTables* tables) {
    switch (fabric.ports) {
        case 2:
            return std::make_unique<SystemCRegion<Node<2>>>(fabric, nodes, tables);
        case 4:
            return std::make_unique<SystemCRegion<Node<4>>>(fabric, nodes, tables);
        case 6:
            return std::make_unique<SystemCRegion<Node<6>>>(fabric, nodes, tables);
        case 8:
            return std::make_unique<SystemCRegion<Node<8>>>(fabric, nodes, tables);
        default:
            return std::make_unique<SystemCRegion<Node<10>>>(fabric, nodes, tables);
    }
}

}  // namespace interlace
