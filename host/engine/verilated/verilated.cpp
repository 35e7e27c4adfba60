// Interlace: nodes of Verilated SystemVerilog
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/verilated.h"

#include "Vil_node_10.h"
#include "Vil_node_10___024root.h"
#include "Vil_node_2.h"
#include "Vil_node_2___024root.h"
#include "Vil_node_4.h"
#include "Vil_node_4___024root.h"
#include "Vil_node_6.h"
#include "Vil_node_6___024root.h"
#include "Vil_node_8.h"
#include "Vil_node_8___024root.h"
#include "verilated_region.h"

namespace interlace {

using detail::VerilatedRegion;

std::unique_ptr<Region> verilated_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                         const PortTables* tables) {
    switch (fabric.ports) {
        case 2:
            return std::make_unique<VerilatedRegion<Vil_node_2>>(fabric, nodes, tables);
        case 4:
            return std::make_unique<VerilatedRegion<Vil_node_4>>(fabric, nodes, tables);
        case 6:
            return std::make_unique<VerilatedRegion<Vil_node_6>>(fabric, nodes, tables);
        case 8:
            return std::make_unique<VerilatedRegion<Vil_node_8>>(fabric, nodes, tables);
        default:
            return std::make_unique<VerilatedRegion<Vil_node_10>>(fabric, nodes, tables);
    }
}

}  // namespace interlace
