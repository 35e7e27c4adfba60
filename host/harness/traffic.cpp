// Interlace: hosts that send unicast packets, at random or as a trace says
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "interlace/core/csv.h"
#include "interlace/core/error.h"
#include "traffic_generator.h"
#include "traffic_hosts.h"
#include "waits.h"

namespace interlace {
namespace {

/// A measurement that has not drained after this many times its own length is of a network beyond saturation.
constexpr std::uint64_t drain = 4;

/// The machine and its hosts, cycle by cycle.
class Clock {
  public:
    Clock(const Fabric& fabric, Machine& machine, TrafficHosts& hosts)
        : fabric_(fabric), machine_(machine), hosts_(hosts) {}

    std::uint64_t cycle() const { return cycle_; }
    std::uint64_t hops() const { return machine_.usage().hops; }

    /// Throws FellShort when no host has written or taken a flit for too long.
    void tick() {
        inputs_.clear();
        hosts_.drive(cycle_, inputs_);
        machine_.tick(inputs_, outputs_);
        hosts_.receive(outputs_, cycle_++);
        const bool moved = !outputs_.receptions.empty() || !inputs_.injections.empty();
        quiet_ = !moved && hosts_.packets().made() > hosts_.packets().arrivals() ? quiet_ + 1 : 0;
        if (quiet_ > hosts_.patience())
            throw FellShort(
                fmt::format("no host has sent or received for {} cycles; {} of {} are on their way{}", quiet_,
                            hosts_.packets().made() - hosts_.packets().arrivals(), hosts_.packets().made(),
                            who_waits(fabric_, machine_)));
    }

  private:
    const Fabric& fabric_;
    Machine& machine_;
    TrafficHosts& hosts_;
    RegionInputs inputs_;
    RegionOutputs outputs_;
    std::uint64_t cycle_ = 0, quiet_ = 0;
};

void set_latencies(TrafficResult& result, const std::vector<std::uint64_t>& latencies) {
    if (latencies.empty()) return;
    double sum = 0;
    for (const std::uint64_t latency : latencies) sum += static_cast<double>(latency);
    result.latency_mean = sum / static_cast<double>(latencies.size());
    const auto percentile = [&](std::size_t p) { return latencies[(latencies.size() * p + 99) / 100 - 1]; };
    result.latency_median = percentile(50);
    result.latency_p95 = percentile(95);
    result.latency_p99 = percentile(99);
    result.latency_max = latencies.back();
}

/// Flits a node and cycle.
double load(std::uint64_t flits, const Fabric& fabric, std::uint64_t cycles) {
    return static_cast<double>(flits) / (static_cast<double>(cycles) * fabric.nodes);
}

}  // namespace

TrafficResult run_synthetic_traffic(const Fabric& fabric, Machine& machine, const RoutingTables& tables,
                                    const TrafficOptions& options, const TrafficHostOptions& host_options) {
    check_traffic(fabric, options);
    TrafficHosts hosts(fabric, machine, tables, host_options, options.packet_flits);
    TrafficGenerator generator(fabric.nodes, options);
    const auto make = [&](std::uint64_t cycle) {
        generator.make(cycle, [&](std::uint32_t from, std::uint32_t to) {
            hosts.make(from, to, options.packet_flits, cycle);
        });
    };
    WarmUp warmup(options.warmup);
    Clock clock(fabric, machine, hosts);
    const std::uint64_t skew = host_options.host.start_skew_cycles;
    while (clock.cycle() < skew) clock.tick();  // a host that has not begun makes nothing
    while (!warmup.over(clock.cycle() - skew, hosts.packets().made(), hosts.packets().arrivals())) {
        make(clock.cycle());
        clock.tick();
    }
    TrafficResult result;
    result.warmup = clock.cycle();
    result.settled = warmup.settled();
    result.cycles = clock.cycle();
    if (options.stop_unsettled && !result.settled) return result;
    const std::uint64_t end = result.warmup + options.cycles;
    const std::uint64_t first = hosts.packets().made();
    const std::uint64_t before = hosts.packets().arrivals();
    const std::uint64_t hops = clock.hops();
    const std::uint64_t flits_made = hosts.packets().flits_made();
    const std::uint64_t flits_taken = hosts.packets().flits_taken();
    for (std::uint64_t i = 0; i < options.cycles; ++i) {
        make(clock.cycle());
        clock.tick();
    }
    const std::uint64_t last = hosts.packets().made();
    result.generated_load = load(hosts.packets().flits_made() - flits_made, fabric, options.cycles);
    result.accepted_load = load(hosts.packets().flits_taken() - flits_taken, fabric, options.cycles);
    if (hosts.packets().arrivals() > before)
        result.mean_hops = static_cast<double>(clock.hops() - hops) /
                           static_cast<double>(hosts.packets().arrivals() - before);
    // Load goes on while the measured packets drain.
    while ((clock.cycle() - end) % 64 != 0 ||
           (hosts.packets().missing(first, last) > 0 && clock.cycle() < drain * end)) {
        make(clock.cycle());
        clock.tick();
    }
    set_latencies(result, hosts.packets().latencies(first, last));
    result.packets = last - first;
    result.packets_missing = hosts.packets().missing(first, last);
    result.cycles = clock.cycle();
    result.injection_stalls = hosts.injection_stalls();
    return result;
}

std::vector<TracePacket> read_trace(const std::string& path, std::uint32_t nodes) {
    std::vector<TracePacket> trace;
    read_csv(path, "cycle,from,to,flits", [&](const CsvRow& row) {
        const auto number = [&](std::size_t column, std::uint64_t low, std::uint64_t high) {
            return static_cast<std::uint32_t>(row.number(column, low, high));
        };
        trace.push_back({row.number(0, 0, UINT64_MAX / 2), number(1, 0, nodes - 1), number(2, 0, nodes - 1),
                         number(3, 1, 64)});
        if (trace.back().from == trace.back().to)
            throw InputError(fmt::format("a packet from {} to itself", trace.back().from), "another node");
    });
    if (trace.empty()) throw InputError("no packets", "a row after the header cycle,from,to,flits").at(path);
    std::stable_sort(trace.begin(), trace.end(),
                     [](const TracePacket& a, const TracePacket& b) { return a.cycle < b.cycle; });
    return trace;
}

TrafficResult run_trace(const Fabric& fabric, Machine& machine, const RoutingTables& tables,
                        const std::vector<TracePacket>& trace, const TrafficHostOptions& host_options) {
    std::uint32_t longest = 0;
    for (const TracePacket& packet : trace) longest = std::max(longest, packet.flits);
    check_traffic_fabric(fabric, longest);
    for (const TracePacket& packet : trace)
        if (packet.flits < longest && !host_options.host.ideal())
            throw InputError(
                fmt::format("packets of {} and of {} flits for hosts whose work costs something, "
                            "which wait for whole packets",
                            packet.flits, longest),
                "packets of one length, or the host ideal");
    TrafficHosts hosts(fabric, machine, tables, host_options, longest);
    Clock clock(fabric, machine, hosts);
    for (auto next = trace.begin();
         next != trace.end() || hosts.packets().arrivals() < hosts.packets().made();) {
        for (; next != trace.end() && next->cycle == clock.cycle(); ++next)
            hosts.make(next->from, next->to, next->flits, clock.cycle());
        clock.tick();
    }
    TrafficResult result;
    set_latencies(result, hosts.packets().latencies(0, hosts.packets().made()));
    result.packets = hosts.packets().made();
    result.cycles = clock.cycle();
    result.injection_stalls = hosts.injection_stalls();
    result.generated_load = result.accepted_load = load(hosts.packets().flits_taken(), fabric, result.cycles);
    result.mean_hops = static_cast<double>(clock.hops()) / static_cast<double>(result.packets);
    return result;
}

}  // namespace interlace
