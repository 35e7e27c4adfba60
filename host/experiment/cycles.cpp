// Interlace: a program on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/cycles.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "details.h"
#include "interlace/core/error.h"
#include "interlace/engine/max_plus.h"
#include "make_machine.h"
#include "recorder.h"

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

/// When each node had each packet, [node * packets + packet]: the first cycle in which its host could act on
/// it, UINT64_MAX: never.
class Arrivals {
  public:
    Arrivals(Machine& machine, std::uint32_t nodes, std::uint32_t packets)
        : arrival_(std::size_t{nodes} * packets, UINT64_MAX) {
        machine.observe([this, packets](std::uint64_t cycle, const RegionInputs&, const RegionOutputs& out) {
            for (const Reception& r : out.receptions) {
                std::uint64_t& first = arrival_[std::size_t{r.node} * packets + r.packet.sequence()];
                first = std::min(first, cycle + 1);
            }
        });
    }
    const std::vector<std::uint64_t>& get() const { return arrival_; }

  private:
    std::vector<std::uint64_t> arrival_;
};

/// Everything that runs of one program on one fabric share.
struct Bench {
    const Network& network;
    const Fabric& fabric;
    const Program& program;
    const InjectionPlan& plan;
    const std::string& engine;
    const CycleOptions& options;
};

/// One run, from a machine of its own.
ProgramRun run_once(const Bench& b, const ProgramRunOptions& run, CycleResult& result) {
    Machine machine = make_machine(b.network, b.fabric, b.engine, b.options, &b.plan.tables());
    result.regions = machine.region_count();
    Recorder recorder(b.network, b.fabric, machine, b.options);
    const std::uint32_t packets = b.program.packet_count();
    std::optional<Arrivals> arrivals;
    if (b.options.records.details) arrivals.emplace(machine, b.network.node_count(), packets);
    for (std::uint32_t p = 0; p < packets; ++p) recorder.born(0, b.program.source(), p);
    ProgramRun measured;
    recorder.run([&] { measured = run_program(b.fabric, machine, b.program, b.plan, run); });
    result.links = recorder.links(measured.cycles);
    if (arrivals)
        result.wavefront = wavefront_json(b.network, b.program.source(), packets, "cycle", arrivals->get());
    return measured;
}

std::uint64_t pace_of(const CycleOptions& options, const Fabric& fabric) {
    if (options.pace == "off") return 0;
    if (options.pace != "step") throw InputError("pace '" + options.pace + "'", "off or step");
    return std::uint64_t{options.node.packet_flits} * options.links.cycles_per_flit + host_hop_overhead +
           fabric.longest_delay + 1 - options.links.cycles_per_flit;
}

}  // namespace

std::uint32_t CycleOptions::runs() const {
    if (seeds > 1 && seeds < least_seeds)
        throw InputError(fmt::format("{} seeds", seeds), fmt::format("1, or {} and more", least_seeds));
    return seeds != 0 ? seeds : host.random() ? least_seeds : 1;
}

CycleResult run_cycles(const Network& network, const Program& program, const std::string& engine,
                       const CycleOptions& options, std::uint64_t seed, const RunListener& listener) {
    const Fabric fabric(network, options.node, options.links);
    InjectionPlan plan(network, fabric, program, parse_forwarding(options.forwarding));
    const std::uint32_t runs = options.host.random() ? options.runs() : 1;
    if (runs > 1 && options.records.any())
        throw InputError(fmt::format("a trace, log, queue use or details of {} runs", runs),
                         "1 seed (seeds)");
    CycleResult result;
    result.deadlock = secure(network, fabric, options.host, plan);
    if (!result.deadlock.free && listener.warn) listener.warn("this run may lock up: " + result.deadlock.how);
    ProgramRunOptions run;
    run.packet_flits = options.node.packet_flits;
    run.host = options.host;
    run.pace = pace_of(options, fabric);
    std::vector<double> cycles;
    for (std::uint32_t i = 0; i < runs; ++i) {
        run.seed = seed + i;
        if (listener.progress)
            run.progress = [&](double share) { listener.progress("run", (i + share) / runs); };
        const ProgramRun measured = run_once({network, fabric, program, plan, engine, options}, run, result);
        cycles.push_back(static_cast<double>(measured.cycles));
        result.queues.add(measured.queues);
    }
    result.cycles = sample_of(cycles);
    result.max_plus_cycles = predicted_cycles(network, fabric, program, run.packet_flits, run.pace);
    return result;
}

}  // namespace interlace
