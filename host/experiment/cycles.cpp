// Interlace: a program on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/cycles.h"

#include "interlace/core/error.h"
#include "interlace/engine/max_plus.h"
#include "make_machine.h"

namespace interlace {
namespace {

/// What the step theorem says of the program: docs/node.md, section 7.
std::uint64_t predicted_cycles(const Network& network, const Fabric& fabric, const Program& program,
                               std::uint32_t flits, std::uint64_t pace) {
    HopTimes times;
    times.packet = std::uint64_t{flits} * fabric.links.cycles_per_flit;
    times.overhead = host_hop_overhead;
    times.pace = pace;
    times.latency = [&](LinkId link) {
        const NodeId node = network.origin(link);
        return fabric.flit_delay(node, link - network.first_link(node)) + 1 - fabric.links.cycles_per_flit;
    };
    return max_plus_time(network, program, times);
}

}  // namespace

CycleResult run_cycles(const Network& network, const Program& program, const std::string& engine,
                       const CycleOptions& options, const RunListener& listener) {
    if (options.pace != "off" && options.pace != "step")
        throw InputError("pace '" + options.pace + "'", "off or step");
    const Fabric fabric(network, options.node, options.links);
    InjectionPlan plan(network, fabric, program, parse_forwarding(options.forwarding));
    CycleResult result;
    result.deadlock = secure(network, fabric, options.host, plan);
    if (!result.deadlock.free && listener.warn) listener.warn("this run may lock up: " + result.deadlock.how);
    Machine machine = make_machine(network, fabric, engine, options, &plan.tables());
    result.regions = machine.region_count();
    ProgramRunOptions run;
    run.packet_flits = options.node.packet_flits;
    run.host = options.host;
    if (listener.progress) run.progress = [&](double share) { listener.progress("run", share); };
    if (options.pace == "step")
        run.pace = std::uint64_t{run.packet_flits} * options.links.cycles_per_flit + host_hop_overhead +
                   fabric.longest_delay + 1 - options.links.cycles_per_flit;
    const ProgramRun measured = run_program(fabric, machine, program, plan, run);
    result.cycles = measured.cycles;
    result.queues = measured.queues;
    result.max_plus_cycles = predicted_cycles(network, fabric, program, run.packet_flits, run.pace);
    return result;
}

}  // namespace interlace
