// Interlace: nodes of Verilated SystemVerilog
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/verilated.h"

#include "Vil_node_10.h"
#include "Vil_node_10___024root.h"
#include "Vil_node_10_pipelined.h"
#include "Vil_node_10_pipelined___024root.h"
#include "Vil_node_2.h"
#include "Vil_node_2___024root.h"
#include "Vil_node_2_pipelined.h"
#include "Vil_node_2_pipelined___024root.h"
#include "Vil_node_4.h"
#include "Vil_node_4___024root.h"
#include "Vil_node_4_pipelined.h"
#include "Vil_node_4_pipelined___024root.h"
#include "Vil_node_6.h"
#include "Vil_node_6___024root.h"
#include "Vil_node_6_pipelined.h"
#include "Vil_node_6_pipelined___024root.h"
#include "Vil_node_8.h"
#include "Vil_node_8___024root.h"
#include "Vil_node_8_pipelined.h"
#include "Vil_node_8_pipelined___024root.h"
#include "verilated_region.h"

namespace interlace {

using detail::VerilatedRegion;

namespace {

template <class Node, class PipelinedNode>
std::unique_ptr<Region> region_of(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                  const PortTables* tables) {
    if (fabric.parameters.pipelined())
        return std::make_unique<VerilatedRegion<PipelinedNode>>(fabric, nodes, tables);
    return std::make_unique<VerilatedRegion<Node>>(fabric, nodes, tables);
}

}  // namespace

std::unique_ptr<Region> verilated_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                         const PortTables* tables) {
    switch (fabric.ports) {
        case 2:
            return region_of<Vil_node_2, Vil_node_2_pipelined>(fabric, nodes, tables);
        case 4:
            return region_of<Vil_node_4, Vil_node_4_pipelined>(fabric, nodes, tables);
        case 6:
            return region_of<Vil_node_6, Vil_node_6_pipelined>(fabric, nodes, tables);
        case 8:
            return region_of<Vil_node_8, Vil_node_8_pipelined>(fabric, nodes, tables);
        default:
            return region_of<Vil_node_10, Vil_node_10_pipelined>(fabric, nodes, tables);
    }
}

}  // namespace interlace
