// Interlace: nodes of Verilated SystemVerilog
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/verilated/verilated.h"

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
#include "Vil_node_4_few.h"
#include "Vil_node_4_few___024root.h"
#include "Vil_node_4_pipelined.h"
#include "Vil_node_4_pipelined___024root.h"
#include "Vil_node_6.h"
#include "Vil_node_6___024root.h"
#include "Vil_node_6_few.h"
#include "Vil_node_6_few___024root.h"
#include "Vil_node_6_pipelined.h"
#include "Vil_node_6_pipelined___024root.h"
#include "Vil_node_8.h"
#include "Vil_node_8___024root.h"
#include "Vil_node_8_pipelined.h"
#include "Vil_node_8_pipelined___024root.h"
#include "interlace/engine/verilated/detail/verilated_device.h"
#include "verilated_region.h"

namespace interlace {

namespace {

constexpr std::uint32_t few_vcs = 2;

/// Calls make() with the model that is built for a pipeline, of two.
template <class Node, class PipelinedNode, class Make>
auto of_pipeline(std::uint32_t pipeline, const Make& make) {
    if (pipeline == 1) return make.template operator()<Node>();
    return make.template operator()<PipelinedNode>();
}

/// Calls make() with the model that is built for a port count and a pipeline.
template <class Make>
auto with_model(std::uint32_t ports, std::uint32_t pipeline, const Make& make) {
    switch (ports) {
        case 2:
            return of_pipeline<Vil_node_2, Vil_node_2_pipelined>(pipeline, make);
        case 4:
            return of_pipeline<Vil_node_4, Vil_node_4_pipelined>(pipeline, make);
        case 6:
            return of_pipeline<Vil_node_6, Vil_node_6_pipelined>(pipeline, make);
        case 8:
            return of_pipeline<Vil_node_8, Vil_node_8_pipelined>(pipeline, make);
        default:
            return of_pipeline<Vil_node_10, Vil_node_10_pipelined>(pipeline, make);
    }
}

/// Of nodes with two channels, one injection queue and one reception queue.
template <class Model>
std::unique_ptr<Region> few(const Fabric& fabric, const std::vector<NodeId>& nodes,
                            const PortTables* tables) {
    return std::make_unique<detail::VerilatedRegion<Model, few_vcs>>(fabric, nodes, tables);
}

bool needs_few(const Fabric& fabric) {
    return fabric.vcs <= few_vcs && fabric.injections == 1 && fabric.receptions == 1 &&
           !fabric.parameters.pipelined();
}

}  // namespace

std::unique_ptr<Region> verilated_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                         const PortTables* tables) {
    if (needs_few(fabric)) {
        if (fabric.ports == 4) return few<Vil_node_4_few>(fabric, nodes, tables);
        if (fabric.ports == 6) return few<Vil_node_6_few>(fabric, nodes, tables);
    }
    return with_model(fabric.ports, fabric.parameters.pipeline,
                      [&]<class Model>() -> std::unique_ptr<Region> {
                          return std::make_unique<detail::VerilatedRegion<Model>>(fabric, nodes, tables);
                      });
}

std::unique_ptr<PinDevice> verilated_device(std::uint32_t ports, std::uint32_t pipeline, std::size_t count) {
    const NodeSizes sizes = built_sizes(ports, pipeline, INTERLACE_QUEUE_DEPTH);
    return with_model(ports, pipeline, [&]<class Model>() -> std::unique_ptr<PinDevice> {
        return std::make_unique<detail::VerilatedDevice<Model>>(sizes, count);
    });
}

}  // namespace interlace
