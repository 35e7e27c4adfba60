// Interlace: hosts that do at random whatever hosts may do
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/stress.h"

#include <fmt/format.h>

#include "interlace/core/error.h"
#include "interlace/core/value_error.h"
#include "interlace/engine/scoreboard.h"
#include "interlace/harness/random_hosts.h"
#include "interlace/network/specification.h"
#include "make_machine.h"

namespace interlace {
namespace {

/// A scoreboard looks so often, and names what has been left over for as long.
constexpr std::uint64_t settling = 3 * Scoreboard::patience;

RandomTraffic traffic_of(const StressExperiment& e) {
    return {.seed = e.seed,
            .load = 0.1,
            .stall = 0.02,
            .longest = e.nodes.node.packet_flits,
            .replication = e.nodes.node.switching == Switching::wormhole ? 1U : 3U,
            .slots = 0,
            .only_explicit = true};
}

}  // namespace

std::uint64_t run_stress(const StressExperiment& e) {
    const Network network = make_network(e.network);
    const Fabric fabric =
        about("node", [&] { return Fabric(network, e.nodes.node.without_unicast(), e.nodes.links); });
    const PortTables tables(fabric.nodes);
    Machine machine =
        make_machine(network, fabric, e.engine, e.nodes, kind_bit(PacketKind::explicit_mask), &tables);
    RandomHosts hosts(fabric, traffic_of(e), tables);
    RegionInputs inputs;
    RegionOutputs outputs;
    for (std::uint64_t cycle = 0; cycle < e.cycles + settling; ++cycle) {
        inputs.clear();
        if (cycle == e.cycles) hosts.wind_down(inputs);
        hosts.drive(cycle, outputs.injection_credits, inputs);
        machine.tick(inputs, outputs);
    }
    for (std::uint32_t v = 0; v < fabric.nodes; ++v)
        if (machine.stalled(NodeId{v}) != 0)
            throw FellShort(
                fmt::format("packets in node {} still wait {} cycles after the last began", v, settling));
    return machine.usage().hops;
}

}  // namespace interlace
