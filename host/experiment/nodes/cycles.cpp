// Interlace: a program on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/cycles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "interlace/core/error.h"
#include "interlace/core/value_error.h"
#include "interlace/engine/max_plus/max_plus.h"
#include "interlace/engine/routing/routing_tables.h"
#include "interlace/experiment/nodes/checkpoints.h"
#include "interlace/experiment/nodes/details.h"
#include "interlace/experiment/nodes/make_machine.h"
#include "interlace/experiment/nodes/options_json.h"
#include "interlace/experiment/nodes/recorder.h"

namespace interlace {
namespace {

/// What the step theorem says of the program: docs/node.md, section 7.
std::uint64_t predicted_cycles(const Network& network, const Fabric& fabric, const Program& program,
                               std::uint32_t flits, std::uint64_t pace) {
    HopTimes times;
    times.packet = std::uint64_t{flits} * fabric.links.cycles_per_flit;
    times.overhead = fabric.parameters.host_hop_overhead(flits, fabric.links.cycles_per_flit);
    times.pace = std::max<std::uint64_t>(pace, fabric.parameters.min_packet_cycles());
    times.latency = [&](NodeId node, LinkId link) {
        return fabric.flit_delay(node, link - network.first_link(node)) + 1 - fabric.links.cycles_per_flit +
               fabric.layer_delay();
    };
    return max_plus_time(network, program, times);
}

/// When each node had each packet, [node * packets + packet]: the first cycle in which its host could act on
/// it, UINT64_MAX: never.
class FirstArrivals {
  public:
    FirstArrivals(Machine& machine, std::uint32_t nodes, std::uint32_t packets)
        : arrival_(std::size_t{nodes} * packets, UINT64_MAX) {
        machine.observe(
            [this, packets](std::uint64_t cycle, const RegionInputs&, const RegionOutputs& out) {
                for (const Reception& r : out.receptions) {
                    if (r.packet.sequence() >= packets) continue;  // of background traffic
                    std::uint64_t& first = arrival_[std::size_t{r.node} * packets + r.packet.sequence()];
                    first = std::min(first, cycle + 1);
                }
            },
            false,
            [this](Archive& archive) {
                const std::size_t places = arrival_.size();
                archive(arrival_);
                archive.expect(arrival_.size() == places);
            });
    }
    std::vector<std::uint64_t> since(std::uint64_t start) const {
        std::vector<std::uint64_t> since = arrival_;
        for (std::uint64_t& cycle : since) cycle -= cycle == UINT64_MAX ? 0 : start;
        return since;
    }

  private:
    std::vector<std::uint64_t> arrival_;
};

/// Everything that runs of one program on one fabric share.
struct Bench {
    const Network& network;
    const Fabric& fabric;
    const InjectionPlan& plan;
    const PortTables& tables;
    const std::string& engine;
    const CycleOptions& options;
    const RunListener& listener;
};

/// The kinds of packets that nodes see.
std::uint8_t kinds_of(const CycleOptions& options, const Fabric& fabric) {
    const Forwarding forwarding = parse_forwarding(options.forwarding);
    const PacketKind kind = forwarding == Forwarding::host    ? PacketKind::explicit_mask
                            : forwarding == Forwarding::table ? PacketKind::table
                                                              : PacketKind::deposit;
    return kind_bit(kind) | (options.background.any() ? unicast_kind(fabric) : 0);
}

/// One run, from a machine of its own.
ProgramRun run_once(const Bench& b, ProgramRunOptions run, CycleResult& result) {
    Machine machine = make_machine(b.network, b.fabric, b.engine, b.options, kinds_of(b.options, b.fabric),
                                   &b.tables, b.listener);
    run.checkpoint = &checkpoint_for(machine, b.options, *run.checkpoint);
    machine.seed_errors(run.seed);
    // Ranks have as many each, and are no part of the experiment.
    result.regions = b.options.ranks->alone() ? machine.region_count()
                                              : regions_of_process(b.network, b.engine, b.options.regions);
    Recorder recorder(b.network, b.fabric, machine, b.options);
    const std::uint32_t packets = b.plan.packet_count();
    std::optional<FirstArrivals> arrivals;
    if (b.options.records.details) arrivals.emplace(machine, b.network.node_count(), packets);
    run.made = [&](std::uint64_t cycle, NodeId node, std::uint32_t packet) {
        recorder.born(cycle, node, packet);
    };
    ProgramRun measured;
    recorder.run([&] {
        measured = run_program(b.fabric, machine, b.plan, run);
        return measured.injection_stalls;
    });
    result.links = recorder.links(measured.start + measured.cycles);
    if (arrivals && b.plan.origins().one_source())
        result.wavefront = wavefront_json(b.network, b.plan.origins().source, packets, "cycle",
                                          arrivals->since(measured.start));
    return measured;
}

Fabric fabric_of(const Network& network, const CycleOptions& options, NodeRange own) {
    return about("node", [&] {
        return Fabric(network, options.background.any() ? options.node : options.node.without_unicast(),
                      options.links, own);
    });
}

std::uint64_t pace_of(const CycleOptions& options, const Fabric& fabric) {
    if (options.pace == "off") return 0;
    if (options.pace != "step")
        throw ValueError({"cannot use pace '" + options.pace + "'", "off or step"}, "pace");
    return std::uint64_t{options.node.packet_flits} * options.links.cycles_per_flit +
           options.node.host_hop_overhead(options.node.packet_flits, options.links.cycles_per_flit) +
           fabric.longest_delay + 1 - options.links.cycles_per_flit + fabric.layer_delay();
}

void check_background(const CycleOptions& options, const Fabric& fabric) {
    if (options.forwarding == "table" && fabric.routes_by_table())
        throw InputError("background traffic and forwarding by tables on nodes whose routing has tables too",
                         "routing: dimension_order, or forwarding by host or deposit");
}

DeadlockCheck check_deadlock(const Network& network, const Fabric& fabric, const CycleOptions& options,
                             InjectionPlan& plan) {
    DeadlockCheck alone = secure(network, fabric, options.host, plan);
    if (!options.background.any()) return alone;
    if (options.forwarding != "host" || options.host.memory_packets > 0)
        return {false,
                "background traffic shares channels with forwarded packets, or waits for hosts with little "
                "memory"};
    return {true,
            "every packet of the program leaves the network at the next node, and the background's channels "
            "depend on one another in no cycle"};
}

/// A run in which no packet arrived is no part of latencies.
BackgroundResult mean_of(const std::vector<BackgroundResult>& runs) {
    const auto mean = [&](double BackgroundResult::*value) {
        double sum = 0, number = 0;
        for (const BackgroundResult& run : runs)
            if (!std::isnan(run.*value)) {
                sum += run.*value;
                ++number;
            }
        return sum / number;
    };
    return {mean(&BackgroundResult::accepted_load), mean(&BackgroundResult::latency_mean),
            mean(&BackgroundResult::latency_before)};
}

/// `own`: the nodes that send it.
TrafficOptions background_traffic(const Network& network, const CycleOptions& options, NodeRange own) {
    TrafficOptions background = options.background.traffic;
    background.packet_flits = options.node.packet_flits;
    background.pattern = traffic_pattern(options.background.pattern, network, own);
    return background;
}

}  // namespace

void check_records(const Records& records, std::uint32_t runs) {
    if (runs > 1 && records.any())
        throw InputError(fmt::format("cannot record a trace, log, queue use or details of {} runs", runs),
                         "1 seed (seeds)");
}

CyclePlan::CyclePlan(const Network& network, const Program& program, const CycleOptions& options,
                     const RunListener& listener)
    : fabric(fabric_of(network, options, {0, network.node_count()})), injections(about("forwarding", [&] {
          return InjectionPlan(network, fabric, program, parse_forwarding(options.forwarding));
      })) {
    check_records(options.records, options.runs());
    if (options.background.any()) check_background(options, fabric);
    deadlock = check_deadlock(network, fabric, options, injections);
    if (!deadlock.free && listener.warn) listener.warn("this run may lock up: " + deadlock.how);
    max_plus_cycles =
        predicted_cycles(network, fabric, program, options.node.packet_flits, pace_of(options, fabric));
}

CyclePlan::CyclePlan(Fabric part, const Bytes& part_of_injections)
    : fabric(std::move(part)), injections(part_of_injections) {}

CyclePlan CyclePlan::divided(std::optional<CyclePlan> all, const Network& network,
                             const CycleOptions& options) {
    Communicator& ranks = *options.ranks;
    const std::uint32_t nodes = network.node_count();
    for (std::uint32_t rank = 1; all && rank < ranks.size(); ++rank)
        ranks.send(rank, all->injections.part(nodes_of_rank(nodes, rank, ranks.size())));
    const NodeRange own = nodes_of_rank(nodes, ranks.rank(), ranks.size());
    CyclePlan part(fabric_of(network, options, own), all ? all->injections.part(own) : ranks.receive(0));
    if (!all) return part;
    part.deadlock = all->deadlock;
    part.max_plus_cycles = all->max_plus_cycles;
    return part;
}

CycleResult run_cycles(const Network& network, CyclePlan plan, const std::string& engine,
                       const CycleOptions& options, std::uint64_t seed, const RunListener& listener,
                       Checkpoint& checkpoint) {
    const std::uint32_t runs = options.runs();
    CycleResult result;
    result.deadlock = plan.deadlock;
    result.max_plus_cycles = plan.max_plus_cycles;
    ProgramRunOptions run;
    run.checkpoint = &checkpoint;
    run.packet_flits = options.node.packet_flits;
    run.host = options.host;
    run.pace = pace_of(options, plan.fabric);
    RoutingTables tables{std::move(plan.injections.tables())};
    if (options.background.any())
        about("background", [&] {
            run.background = background_traffic(network, options, plan.fabric.own);
            if (options.forwarding != "table") tables = routing_tables(network, plan.fabric);
        });
    std::vector<double> cycles;
    std::vector<BackgroundResult> backgrounds;
    for (std::uint32_t i = 0; i < runs; ++i) {
        run.seed = seed + i;
        if (run.background) run.background->seed = run.seed;
        if (listener.progress)
            run.progress = [&](double share) { listener.progress("run", (i + share) / runs); };
        const auto measured = checkpoint.run<ProgramRun>(
            [&] {
                return run_once(
                    {network, plan.fabric, plan.injections, tables.ports, engine, options, listener}, run,
                    result);
            },
            [](ByteWriter& bytes, const ProgramRun& of) { of.write(bytes); },
            [](ByteReader& bytes) { return ProgramRun::read(bytes); });
        cycles.push_back(static_cast<double>(measured.cycles));
        backgrounds.push_back(measured.background);
        result.queues.add(measured.queues);
    }
    result.cycles = sample_of(cycles);
    result.background = mean_of(backgrounds);
    return result;
}

}  // namespace interlace
