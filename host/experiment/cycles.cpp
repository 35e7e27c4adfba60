// Interlace: a program on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/cycles.h"

#include <memory>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "interlace/engine/max_plus.h"
#include "interlace/engine/waveform.h"
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

/// The waveform of some nodes of a machine.
class Tracer {
  public:
    Tracer(std::ostream& out, const Network& network, const Fabric& fabric, const Machine& machine,
           const std::string& nodes)
        : machine_(machine) {
        std::vector<std::string> scopes;
        for (const std::string& piece : split(nodes, ',')) {
            nodes_.push_back(parse_node(network, piece));
            scopes.push_back("node" + std::to_string(+nodes_.back()));
        }
        waveform_ = std::make_unique<Waveform>(out, fabric.pin_names(), scopes);
    }
    void show(std::uint64_t cycle) const {
        for (std::size_t i = 0; i < nodes_.size(); ++i) waveform_->show(cycle, i, machine_.pins(nodes_[i]));
    }

  private:
    const Machine& machine_;
    std::vector<NodeId> nodes_;
    std::unique_ptr<Waveform> waveform_;
};

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
    ProgramRun measured;
    if (options.trace.empty())
        measured = run_program(fabric, machine, program, plan, run);
    else
        write_whole_file(options.trace, [&](std::ostream& out) {
            const Tracer tracer(out, network, fabric, machine, options.trace_nodes);
            run.observe = [&](std::uint64_t cycle) { tracer.show(cycle); };
            measured = run_program(fabric, machine, program, plan, run);
        });
    result.cycles = measured.cycles;
    result.queues = measured.queues;
    result.max_plus_cycles = predicted_cycles(network, fabric, program, run.packet_flits, run.pace);
    return result;
}

}  // namespace interlace
