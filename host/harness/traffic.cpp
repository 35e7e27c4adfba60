// Interlace: hosts that send unicast packets, at random or as a trace says
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "interlace/core/csv.h"
#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "traffic_hosts.h"
#include "waits.h"

namespace interlace {
namespace {

constexpr std::uint64_t watchdog = 100'000;
/// A measurement that has not drained after this many times its own length is of a network beyond saturation.
constexpr std::uint64_t drain = 4;
constexpr std::uint64_t first_warmup = 500;
constexpr std::uint64_t longest_warmup = 32'000;

/// `share` of 2^64.
std::uint64_t threshold(double share) {
    return share >= 1 ? UINT64_MAX : static_cast<std::uint64_t>(std::ldexp(share, 64));
}

/// Which hosts make a packet in which cycle, and for whom.
class Generator {
  public:
    Generator(std::uint32_t nodes, const TrafficOptions& options)
        : nodes_(nodes), o_(options), on_(options.burst_cycles > 0 ? nodes : 0, false) {
        double load = o_.load;
        if (!on_.empty()) {
            // On for a share p = load / burst_load of the time: p / (1 - p) = mean time on / mean time off.
            const double share = o_.load / o_.burst_load;
            off_ = threshold(1 / o_.burst_cycles);
            on_again_ = threshold(share / (1 - share) / o_.burst_cycles);
            load = o_.burst_load;
            for (std::uint32_t v = 0; v < nodes; ++v)
                on_[v] = random_bits(o_.seed, stream(4, v), UINT64_MAX) < threshold(share);
        }
        makes_ = threshold(load / o_.packet_flits);
    }

    void make(std::uint64_t cycle, TrafficHosts& hosts) {
        for (std::uint32_t v = 0; v < nodes_; ++v) {
            if (!on_.empty() && !is_on(v, cycle)) continue;
            if (random_bits(o_.seed, v, cycle) >= makes_ || !o_.pattern.sends(v)) continue;
            hosts.make(v, o_.pattern.destination(nodes_, v, cycle, o_.seed), o_.packet_flits, cycle);
        }
    }

  private:
    std::uint64_t stream(std::uint64_t number, std::uint32_t node) const { return number * nodes_ + node; }
    bool is_on(std::uint32_t v, std::uint64_t cycle) {
        if (random_bits(o_.seed, stream(4, v), cycle) < (on_[v] ? off_ : on_again_)) on_[v] = !on_[v];
        return on_[v];
    }

    std::uint32_t nodes_;
    const TrafficOptions& o_;
    std::uint64_t makes_ = 0, off_ = 0, on_again_ = 0;
    std::vector<bool> on_;  // [node]: in a burst; empty: no bursts
};

/// How many packets are under way, and whether that has settled.
class WarmUp {
  public:
    explicit WarmUp(std::uint64_t cycles) : wanted_(cycles) {}

    /// Called at the start of every cycle; true in the one in which the measurement begins.
    bool over(std::uint64_t cycle, std::uint64_t made, std::uint64_t arrived) {
        if (wanted_ != detect_warmup) return cycle == wanted_;
        if (over_) return false;
        if (cycle % (first_warmup / 2) == 0) marks_.push_back({sum_, made});
        sum_ += made - arrived;
        if (cycle != 2 * tried_) return false;
        settled_ = has_settled();
        over_ = settled_ || tried_ == longest_warmup;
        tried_ *= 2;
        return over_;
    }
    bool settled() const { return settled_; }

  private:
    struct Mark {
        std::uint64_t sum, made;
    };
    bool has_settled() const {
        const std::size_t half = marks_.size() / 4;  // of the time T since which the windows are
        const Mark& a = marks_[2 * half];
        const Mark& b = marks_[3 * half];
        const Mark& c = marks_[4 * half];
        const auto first = static_cast<double>(b.sum - a.sum);
        const auto second = static_cast<double>(c.sum - b.sum);
        const auto packets = static_cast<double>(std::max<std::uint64_t>(c.made - b.made, 1));
        const double noise = 2 * std::sqrt(2 / packets);
        return std::abs(second - first) <= (0.05 + noise) * std::max(first, second);
    }

    std::uint64_t wanted_, tried_ = first_warmup, sum_ = 0;
    std::vector<Mark> marks_;  // every first_warmup / 2 cycles
    bool settled_ = true, over_ = false;
};

/// The machine and its hosts, cycle by cycle.
class Clock {
  public:
    Clock(const Fabric& fabric, Machine& machine, TrafficHosts& hosts)
        : fabric_(fabric), machine_(machine), hosts_(hosts) {}

    std::uint64_t cycle() const { return cycle_; }
    std::uint64_t hops() const { return machine_.usage().hops; }

    /// Throws FellShort when nothing has arrived for too long.
    void tick() {
        inputs_.injections.clear();
        hosts_.drive(inputs_);
        machine_.tick(inputs_, outputs_);
        hosts_.receive(outputs_, cycle_++);
        quiet_ = outputs_.receptions.empty() && hosts_.made() > hosts_.arrivals() ? quiet_ + 1 : 0;
        if (quiet_ > watchdog)
            throw FellShort(fmt::format("no packet has arrived for {} cycles; {} of {} are on their way{}",
                                        quiet_, hosts_.made() - hosts_.arrivals(), hosts_.made(),
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

void check_fabric(const Fabric& fabric, std::uint32_t packet_flits) {
    const NodeParameters& node = fabric.parameters;
    const bool ordered = node.routing == Routing::dimension_order;
    if (ordered && fabric.dimensions == 0)
        throw InputError("traffic by dimension order",
                         "a torus, mesh or ibt whose coordinates fit a packet's header, or routing: table");
    if (ordered && fabric.wraps && fabric.vcs < 2)
        throw InputError("dimension order on rings with 1 virtual channel",
                         "2 or more (vcs), one for each half of a ring");
    if (fabric.nodes < 2) throw InputError("traffic among 1 node", "2 or more");
    if (fabric.adaptive() && packet_flits > node.packet_flits)
        throw InputError(fmt::format("packets of {} flits under adaptive_bubble", packet_flits),
                         fmt::format("at most the node's packet_flits, {}", node.packet_flits));
    if (node.switching != Switching::wormhole && std::min(node.vc_depth, node.reception_depth) < packet_flits)
        throw InputError(fmt::format("packets of {} flits for queues of {} and {}", packet_flits,
                                     node.vc_depth, node.reception_depth),
                         "queues that hold a whole packet, or switching: wormhole");
}

void check_load(const Fabric& fabric, const TrafficOptions& options) {
    if (!(options.load > 0 && options.load <= options.packet_flits))
        throw InputError(fmt::format("load {}", options.load), "flits a node and cycle, above 0");
    if (!(options.burst_cycles == 0 || options.burst_cycles >= 1))
        throw InputError(fmt::format("bursts of {} cycles", options.burst_cycles), "1 or more, or 0: none");
    if (options.burst_cycles > 0 &&
        !(options.burst_load > options.load && options.burst_load <= options.packet_flits))
        throw InputError(fmt::format("a load of {} flits a cycle in bursts", options.burst_load),
                         fmt::format("above the load, {}, to {}", options.load, options.packet_flits));
    std::uint32_t senders = 0;
    for (std::uint32_t v = 0; v < fabric.nodes; ++v) senders += options.pattern.sends(v) ? 1 : 0;
    if (senders == 0) throw InputError("a pattern in which no node sends", "one to another node");
}

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
                                    const TrafficOptions& options, const MadePacket& made) {
    check_fabric(fabric, options.packet_flits);
    check_load(fabric, options);
    TrafficHosts hosts(fabric, tables, made);
    Generator generator(fabric.nodes, options);
    WarmUp warmup(options.warmup);
    Clock clock(fabric, machine, hosts);
    while (!warmup.over(clock.cycle(), hosts.made(), hosts.arrivals())) {
        generator.make(clock.cycle(), hosts);
        clock.tick();
    }
    TrafficResult result;
    result.warmup = clock.cycle();
    result.settled = warmup.settled();
    result.cycles = clock.cycle();
    if (options.stop_unsettled && !result.settled) return result;
    const std::uint64_t end = result.warmup + options.cycles;
    const std::uint64_t first = hosts.made();
    const std::uint64_t before = hosts.arrivals();
    const std::uint64_t hops = clock.hops();
    const std::uint64_t flits_made = hosts.flits_made();
    const std::uint64_t flits_taken = hosts.flits_taken();
    for (std::uint64_t i = 0; i < options.cycles; ++i) {
        generator.make(clock.cycle(), hosts);
        clock.tick();
    }
    const std::uint64_t last = hosts.made();
    result.generated_load = load(hosts.flits_made() - flits_made, fabric, options.cycles);
    result.accepted_load = load(hosts.flits_taken() - flits_taken, fabric, options.cycles);
    if (hosts.arrivals() > before)
        result.mean_hops =
            static_cast<double>(clock.hops() - hops) / static_cast<double>(hosts.arrivals() - before);
    // Load goes on while the measured packets drain.
    while ((clock.cycle() - end) % 64 != 0 ||
           (hosts.missing(first, last) > 0 && clock.cycle() < drain * end)) {
        generator.make(clock.cycle(), hosts);
        clock.tick();
    }
    set_latencies(result, hosts.latencies(first, last));
    result.packets = last - first;
    result.packets_missing = hosts.missing(first, last);
    result.cycles = clock.cycle();
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
                        const std::vector<TracePacket>& trace, const MadePacket& made) {
    std::uint32_t longest = 0;
    for (const TracePacket& packet : trace) longest = std::max(longest, packet.flits);
    check_fabric(fabric, longest);
    TrafficHosts hosts(fabric, tables, made);
    Clock clock(fabric, machine, hosts);
    for (auto next = trace.begin(); next != trace.end() || hosts.arrivals() < hosts.made();) {
        for (; next != trace.end() && next->cycle == clock.cycle(); ++next)
            hosts.make(next->from, next->to, next->flits, clock.cycle());
        clock.tick();
    }
    TrafficResult result;
    set_latencies(result, hosts.latencies(0, hosts.made()));
    result.packets = hosts.made();
    result.cycles = clock.cycle();
    result.generated_load = result.accepted_load = load(hosts.flits_taken(), fabric, result.cycles);
    result.mean_hops = static_cast<double>(clock.hops()) / static_cast<double>(result.packets);
    return result;
}

}  // namespace interlace
