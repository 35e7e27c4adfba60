// Interlace: hosts that send unicast packets, at random or as a trace says
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "interlace/core/csv.h"
#include "interlace/core/error.h"
#include "interlace/harness/hosts/waits.h"
#include "interlace/harness/traffic/host_foresight.h"
#include "interlace/harness/traffic/traffic_generator.h"
#include "interlace/harness/traffic/traffic_hosts.h"
#include "interlace/measure/trend.h"

namespace interlace {
namespace {

/// A measurement that has not drained after this many times its own length is of a network beyond saturation.
constexpr std::uint64_t drain = 4;
/// Equal parts of a measurement, after each of which the packets under way are counted.
constexpr std::uint64_t parts = 32;

/// The machine and its hosts, cycle by cycle.
class Clock {
  public:
    Clock(const Fabric& fabric, Machine& machine, TrafficHosts& hosts)
        : fabric_(fabric), machine_(machine), hosts_(hosts) {}

    std::uint64_t cycle() const { return cycle_; }
    std::uint64_t hops() const { return machine_.usage().hops; }

    /// Throws FellShort when nothing has moved for too long.
    void tick() {
        inputs_.clear();
        hosts_.drive(cycle_, inputs_);
        machine_.tick(inputs_, outputs_);
        hosts_.receive(outputs_, cycle_++);
        const bool moved = !outputs_.receptions.empty() || inputs_.writes();
        quiet_ = !moved && under_way() > 0 ? quiet_ + 1 : 0;
        if (quiet_ > hosts_.patience()) give_up();
    }

    /// Leaves out the cycles to come before `cycle` in which nothing can happen, no packet being under way.
    void skip_to(std::uint64_t cycle) {
        if (under_way() > 0) return;
        const std::uint64_t idle =
            std::min({machine_.idle(), hosts_.busy_from(cycle_) - cycle_, cycle - cycle_});
        machine_.skip(idle);
        cycle_ += idle;
    }

  private:
    std::uint64_t under_way() const { return hosts_.packets().made() - hosts_.packets().arrivals(); }

    /// Unless packets still cross links, which hosts may not see for long.
    void give_up() {
        const std::uint64_t before = std::exchange(hops_, hops());
        if (hops_ == before)
            throw FellShort(
                fmt::format("no host has sent or received for {} cycles; {} of {} are on their way{}", quiet_,
                            under_way(), hosts_.packets().made(), who_waits(fabric_, machine_)));
        quiet_ = 0;
    }

    const Fabric& fabric_;
    Machine& machine_;
    TrafficHosts& hosts_;
    RegionInputs inputs_;
    RegionOutputs outputs_;
    std::uint64_t cycle_ = 0, quiet_ = 0;
    std::uint64_t hops_ = 0;  // when nobody had moved anything for long
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

/// Flits/node/cycle.
double load(std::uint64_t flits, const Fabric& fabric, std::uint64_t cycles) {
    return static_cast<double>(flits) / (static_cast<double>(cycles) * fabric.nodes);
}

/// What has been counted up to a cycle.
struct Counters {
    std::uint64_t cycle, made, taken, flits_made, flits_taken, hops;

    Counters(const Clock& clock, const TrafficHosts& hosts)
        : cycle(clock.cycle()),
          made(hosts.packets().made()),
          taken(hosts.packets().arrivals()),
          flits_made(hosts.packets().flits_made()),
          flits_taken(hosts.packets().flits_taken()),
          hops(clock.hops()) {}
    std::uint64_t under_way() const { return made - taken; }
};

/// A stretch of time between two counts.
struct Measurement {
    Counters begin, end;
    std::vector<double> under_way;  ///< packets, at its ends and between its parts
};

/// Of `cycles` cycles from now, each made by `step`.
Measurement measure(const Clock& clock, const TrafficHosts& hosts, std::uint64_t cycles,
                    const std::function<void()>& step) {
    Measurement measurement{{clock, hosts}, {clock, hosts}, {}};
    const auto read = [&] {
        measurement.under_way.push_back(static_cast<double>(measurement.end.under_way()));
    };
    read();
    for (std::uint64_t part = 1; part <= parts; ++part) {
        while (clock.cycle() - measurement.begin.cycle < cycles * part / parts) step();
        measurement.end = Counters(clock, hosts);
        read();
    }
    return measurement;
}

/// The readings of a stretch that follows another, with those of the other's second half: a search that tries
/// again until nothing grows would find such a stretch at any load, one after the other. What has settled by
/// that half is not held against a load.
std::vector<double> from_the_middle(const std::vector<double>& before, const std::vector<double>& after) {
    std::vector<double> both(before.begin() + static_cast<std::ptrdiff_t>(before.size() / 2),
                             before.end() - 1);
    both.insert(both.end(), after.begin(), after.end());
    return both;
}

/// What is known at the end of a measurement, of all but packets that are still to arrive.
void set_loads(TrafficResult& result, const Measurement& m, const Fabric& fabric) {
    const std::uint64_t cycles = m.end.cycle - m.begin.cycle;
    result.warmup = m.begin.cycle;
    result.generated_load = load(m.end.flits_made - m.begin.flits_made, fabric, cycles);
    result.accepted_load = load(m.end.flits_taken - m.begin.flits_taken, fabric, cycles);
    result.packets = m.end.made - m.begin.made;
    result.packets_taken = m.end.taken - m.begin.taken;
    result.packets_under_way = m.end.under_way();
    if (result.packets_taken > 0)
        result.mean_hops =
            static_cast<double>(m.end.hops - m.begin.hops) / static_cast<double>(result.packets_taken);
}

/// Throws InputError for packets of both lengths where hosts cannot have them.
void check_one_length(std::uint32_t shorter, std::uint32_t longer, const TrafficHostOptions& options) {
    if (shorter < longer && !options.host.ideal())
        throw InputError(
            fmt::format("cannot use packets of {} and of {} flits for hosts whose work costs something, "
                        "which wait for whole packets",
                        shorter, longer),
            "packets of one length, or the host ideal");
}

/// The packets of a trace, which has to stay.
std::unique_ptr<Foresight> foresee(const Fabric& fabric, const std::vector<TracePacket>& trace,
                                   std::uint64_t seed) {
    return std::make_unique<UnicastForesight>(
        fabric, PacketMix{}, seed,
        [next = trace.begin(), end = trace.end()](std::uint64_t cycle,
                                                  const UnicastForesight::MakePacket& make) mutable {
            for (; next != end && next->cycle == cycle; ++next) make(next->from, next->to, next->flits);
            return next == end ? UINT64_MAX : next->cycle;
        });
}

}  // namespace

bool TrafficResult::carried() const {
    const auto made = static_cast<double>(packets);
    const auto left = made - static_cast<double>(packets_taken);
    const double chance = 3 * std::sqrt(2 * static_cast<double>(packets_under_way));
    return settled && packets_missing == 0 && left <= std::max(0.02 * made, chance);
}

TrafficResult run_synthetic_traffic(const Fabric& fabric, Machine& machine, const TrafficOptions& options,
                                    const TrafficHostOptions& host_options) {
    check_traffic(fabric, options);
    if (options.sizes.size() > 1)
        check_one_length(options.sizes.front().flits, options.packet_flits, host_options);
    TrafficHosts hosts(fabric, machine, host_options, options.packet_flits, options.mix);
    TrafficGenerator generator(fabric.nodes, options);
    if (host_options.host.ideal())
        machine.foresee([&] {
            return std::make_unique<UnicastForesight>(foresee_traffic(fabric, options, host_options.seed));
        });
    WarmUp warmup(options.warmup);
    Clock clock(fabric, machine, hosts);
    const auto step = [&] {
        generator.make(clock.cycle(), [&](std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
            hosts.make(from, to, flits, clock.cycle());
        });
        clock.tick();
    };
    const std::uint64_t skew = host_options.host.start_skew_cycles;
    while (clock.cycle() < skew) clock.tick();  // a host that has not begun makes nothing
    while (!warmup.over(clock.cycle() - skew, hosts.packets().made(), hosts.packets().arrivals())) step();
    TrafficResult result;
    result.warmup = clock.cycle();
    result.settled = warmup.settled();
    result.cycles = clock.cycle();
    if (options.stop_unsettled && !result.settled) return result;
    Measurement measured = measure(clock, hosts, options.cycles, step);
    bool grew = grows(measured.under_way);
    while (grew && options.warmup == detect_warmup && clock.cycle() - skew < longest_warmup) {
        const Measurement before = std::exchange(measured, measure(clock, hosts, options.cycles, step));
        grew = grows(from_the_middle(before.under_way, measured.under_way));
    }
    set_loads(result, measured, fabric);
    result.settled = result.settled && !grew;
    const std::uint64_t first = measured.begin.made;
    const std::uint64_t last = measured.end.made;
    const std::uint64_t end = measured.end.cycle;
    // Load goes on while the measured packets drain.
    while ((clock.cycle() - end) % 64 != 0 ||
           (hosts.packets().missing(first, last) > 0 && clock.cycle() < drain * end))
        step();
    set_latencies(result, hosts.packets().latencies(first, last));
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
            throw InputError(fmt::format("a packet goes from {} to itself", trace.back().from),
                             "another node");
    });
    if (trace.empty())
        throw InputError("there are no packets", "a row after the header cycle,from,to,flits").at(path);
    std::stable_sort(trace.begin(), trace.end(),
                     [](const TracePacket& a, const TracePacket& b) { return a.cycle < b.cycle; });
    return trace;
}

TrafficResult run_trace(const Fabric& fabric, Machine& machine, const std::vector<TracePacket>& trace,
                        const TrafficHostOptions& host_options) {
    std::uint32_t longest = 0;
    for (const TracePacket& packet : trace) longest = std::max(longest, packet.flits);
    check_traffic_fabric(fabric, longest);
    for (const TracePacket& packet : trace) check_one_length(packet.flits, longest, host_options);
    TrafficHosts hosts(fabric, machine, host_options, longest);
    if (host_options.host.ideal()) machine.foresee([&] { return foresee(fabric, trace, host_options.seed); });
    Clock clock(fabric, machine, hosts);
    for (auto next = trace.begin();
         next != trace.end() || hosts.packets().arrivals() < hosts.packets().made();) {
        for (; next != trace.end() && next->cycle == clock.cycle(); ++next)
            hosts.make(next->from, next->to, next->flits, clock.cycle());
        clock.tick();
        if (next != trace.end()) clock.skip_to(next->cycle);
    }
    TrafficResult result;
    set_latencies(result, hosts.packets().latencies(0, hosts.packets().made()));
    result.packets = result.packets_taken = hosts.packets().made();
    result.cycles = clock.cycle();
    result.injection_stalls = hosts.injection_stalls();
    result.generated_load = result.accepted_load = load(hosts.packets().flits_taken(), fabric, result.cycles);
    result.mean_hops = static_cast<double>(clock.hops()) / static_cast<double>(result.packets);
    return result;
}

}  // namespace interlace
