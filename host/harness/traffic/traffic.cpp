// Interlace: hosts that send unicast packets, at random or as a trace says
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "interlace/core/csv.h"
#include "interlace/core/error.h"
#include "interlace/harness/hosts/machine_checkpoint.h"
#include "interlace/harness/hosts/waits.h"
#include "interlace/harness/traffic/host_lookahead.h"
#include "interlace/harness/traffic/traffic_hosts.h"
#include "interlace/measure/trend.h"

namespace interlace {
namespace {

/// A measurement that has not drained after this many times its own length is of a network beyond saturation.
constexpr std::uint64_t drain = 4;
/// Equal parts of a measurement, after each of which the packets in flight are counted.
constexpr std::uint64_t parts = 32;

/// The machine and its hosts.
class TrafficRun {
  public:
    TrafficRun(const Fabric& fabric, Machine& machine, const TrafficHostOptions& options,
               std::uint32_t packet_flits, const PacketMix& mix = {})
        : f_(fabric),
          machine_(machine),
          o_(options),
          packet_flits_(packet_flits),
          traffic_(fabric, machine, mix, options.seed, options.made),
          patience_(traffic_watchdog + fabric.longest_delay + fabric.longest_repetition() +
                    options.host.start_skew_cycles + longest_task(fabric, options.host, packet_flits)) {}

    /// Hosts make packets at random, from cycle `begin` on.
    void generate(const TrafficOptions& options, std::uint64_t begin) {
        traffic_.generate(f_, options, begin);
        at_random_ = true;
        const std::vector<NodeRange> shares = machine_.shares();
        for (std::size_t i = 0; i < shares.size(); ++i) add_hosts(i, shares[i], UINT64_MAX);
    }
    /// Hosts make these packets.
    void replay(const std::vector<TracePacket>& trace, const TraceDependences& dependences) {
        traffic_.draw(f_, trace, dependences);
        packets_ = trace.size();
        // One of several ranks may have a terminal, and all do the same.
        tells_ = machine_.ranks().reduced(o_.progress ? 1U : 0U, Reduction::most) > 0;
        const std::vector<NodeRange> shares = machine_.shares();
        for (std::size_t i = 0; i < shares.size(); ++i)
            add_hosts(i, shares[i],
                      static_cast<std::uint64_t>(std::count_if(
                          trace.begin(), trace.end(),
                          [&](const TracePacket& packet) { return shares[i].contains(packet.to); })));
    }

    std::uint64_t cycle() const { return cycle_; }
    std::uint64_t hops() const {
        return o_.checkpoint->reading<std::uint64_t>([&] { return machine_.usage().hops; });
    }
    TrafficCounts counts() const {
        return o_.checkpoint->reading<TrafficCounts>([&] { return traffic_.counts(cycle_); });
    }
    /// As UnicastTraffic has them.
    std::uint64_t missing(std::uint64_t first, std::uint64_t last) {
        return o_.checkpoint->reading<std::uint64_t>([&] { return traffic_.missing(first, last); });
    }
    SortedValues latencies(std::uint64_t first, std::uint64_t last) {
        return traffic_.latencies(first, last);
    }
    double mean_links(std::uint64_t first, std::uint64_t last) {
        return traffic_.mean_links(first, last, *o_.paths);
    }
    std::vector<std::uint64_t> injection_stalls() const {
        std::vector<std::uint64_t> stalls;
        for (const auto& hosts : hosts_)
            stalls.insert(stalls.end(), hosts->injection_stalls().begin(), hosts->injection_stalls().end());
        return stalls;
    }

    /// Goes on to cycle `until`, or to the end of the cycle in which the last packet of a trace is taken.
    /// Throws FellShort when nothing has moved for too long.
    void go_to(std::uint64_t until) {
        if (goes_back(*o_.checkpoint, machine_, until, cycle_, state())) return;
        while (cycle_ < until) {
            if (end_ <= cycle_) begin_stretch(until);
            const std::uint64_t saves = o_.checkpoint->next(cycle_), stop = std::min(end_, saves);
            cycle_ = machine_.run(stop, pins_);
            const bool over = cycle_ < stop;
            if (over || cycle_ == end_) watch();
            if (over) return;
            if (cycle_ == saves) save(*o_.checkpoint, machine_, state());
        }
    }

    /// The warm-up is over.
    void be_warm() { save_warm_state(*o_.checkpoint, machine_, state()); }

  private:
    void add_hosts(std::size_t share, NodeRange nodes, std::uint64_t expected) {
        hosts_.push_back(std::make_unique<TrafficHosts>(f_, machine_, nodes, o_, packet_flits_,
                                                        traffic_.share(share), expected));
        pins_.push_back(hosts_.back().get());
    }

    /// After which it is looked at whether anything moves.
    void begin_stretch(std::uint64_t until) {
        end_ = std::min(until, active_ + patience_ + 1);
        if (!at_random_ && !tells_) return;
        end_ = std::min(end_, cycle_ + UnicastTraffic::block);
        if (at_random_) traffic_.draw(end_);
    }

    StateAtMachine state() {
        return [this](NodeStates& nodes, std::uint64_t cycle, Archive& whole) {
            whole(active_, hops_, end_);
            hosts_state(hosts_, machine_, nodes, cycle, whole);
            traffic_.state(nodes, cycle, whole);
            if (nodes.loads()) whole.expect(is_whole(cycle));
        };
    }

    /// Of what was loaded: when anything moved last, and when that is looked at.
    bool is_whole(std::uint64_t cycle) {
        return active_ <= std::max(cycle, next_of_trace()) && end_ <= active_ + patience_ + 1 &&
               (!at_random_ || end_ <= cycle + UnicastTraffic::block);
    }

    /// The cycle of the next packet, before which nothing is to move; 0: none, or nobody knows.
    std::uint64_t next_of_trace() {
        const std::uint64_t next = at_random_ ? UINT64_MAX : traffic_.next_cycle();
        return next == UINT64_MAX ? 0 : next;
    }

    void watch() {
        const TrafficCounts counts = traffic_.counts(cycle_);
        for (const auto& hosts : hosts_) active_ = std::max(active_, hosts->moved_until());
        active_ = machine_.ranks().reduced(active_, Reduction::most);
        const std::uint64_t waiting = traffic_.waiting();
        if (o_.progress && packets_ > 0)
            o_.progress(static_cast<double>(counts.taken) / static_cast<double>(packets_));
        const std::uint64_t next = next_of_trace();
        // Packets that wait for others, with none that could come, wait for one another.
        if (counts.in_flight() == 0 && (waiting == 0 || next > 0)) active_ = std::max(cycle_, next);
        if (cycle_ <= active_ + patience_) return;
        // Packets may still cross links, which hosts may not see for long.
        const std::uint64_t before = std::exchange(hops_, machine_.usage().hops);
        if (hops_ == before)
            throw FellShort(fmt::format(
                "no host has sent or received for {} cycles; {} of {} are in flight{}{}", cycle_ - active_,
                counts.in_flight(), counts.made,
                waiting == 0 ? "" : fmt::format(", {} wait for others", waiting), who_waits(f_, machine_)));
        active_ = cycle_;
    }

    const Fabric& f_;
    Machine& machine_;
    const TrafficHostOptions& o_;
    std::uint32_t packet_flits_;
    UnicastTraffic traffic_;
    std::vector<std::unique_ptr<TrafficHosts>> hosts_;  // [share]
    std::vector<PinHosts*> pins_;                       // the same
    std::uint64_t patience_;
    bool at_random_ = false;
    bool tells_ = false;         // of progress, on any rank
    std::uint64_t packets_ = 0;  // of a trace
    std::uint64_t cycle_ = 0;
    std::uint64_t active_ = 0;  // cycles up to the last in which something moved, or nothing was to
    std::uint64_t end_ = 0;     // of the stretch that it is in, or was
    std::uint64_t hops_ = 0;    // when nobody had moved anything for long
};

void set_latencies(TrafficResult& result, const SortedValues& latencies) {
    if (latencies.empty()) return;
    result.latency_mean = latencies.mean();
    const auto percentile = [&](std::uint64_t p) { return latencies[(latencies.size() * p + 99) / 100 - 1]; };
    result.latency_median = percentile(50);
    result.latency_p95 = percentile(95);
    result.latency_p99 = percentile(99);
    result.latency_max = percentile(100);
}

/// Flits/node/cycle.
double load(std::uint64_t flits, const Fabric& fabric, std::uint64_t cycles) {
    return static_cast<double>(flits) / (static_cast<double>(cycles) * fabric.endpoints);
}

/// What has been counted up to a cycle.
struct Counters : TrafficCounts {
    std::uint64_t cycle, hops;
    explicit Counters(const TrafficRun& run)
        : TrafficCounts(run.counts()), cycle(run.cycle()), hops(run.hops()) {}
};

/// A stretch of time between two counts.
struct Measurement {
    Counters begin, end;
    std::vector<double> in_flight;  ///< packets, at its ends and between its parts
};

/// Of `cycles` cycles from now.
Measurement measure(TrafficRun& run, std::uint64_t cycles) {
    Measurement measurement{Counters(run), Counters(run), {}};
    const auto read = [&] {
        measurement.in_flight.push_back(static_cast<double>(measurement.end.in_flight()));
    };
    read();
    for (std::uint64_t part = 1; part <= parts; ++part) {
        run.go_to(measurement.begin.cycle + cycles * part / parts);
        measurement.end = Counters(run);
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
    result.in_flight.assign(m.in_flight.begin() + static_cast<std::ptrdiff_t>(m.in_flight.size() / 2),
                            m.in_flight.end());
    if (result.packets_taken > 0)
        result.mean_hops =
            static_cast<double>(m.end.hops - m.begin.hops) / static_cast<double>(result.packets_taken);
}

/// Throws InputError for packets of both lengths where hosts cannot have them.
void check_one_length(std::uint32_t shorter, std::uint32_t longer, const TrafficHostOptions& options) {
    if (shorter < longer && !options.host.ideal())
        throw InputError(fmt::format("cannot use packets of {} and of {} flits for hosts with costs, "
                                     "which wait for whole packets",
                                     shorter, longer),
                         "packets of one length, or the host ideal");
}

/// The packets of a trace, which has to stay.
std::unique_ptr<HostLookahead> foresee(const Fabric& fabric, const std::vector<TracePacket>& trace,
                                       std::uint64_t seed) {
    return std::make_unique<UnicastLookahead>(
        fabric, PacketMix{}, seed,
        [next = trace.begin(), end = trace.end()](std::uint64_t cycle,
                                                  const UnicastLookahead::MakePacket& make) mutable {
            for (; next != end && next->cycle == cycle; ++next) make(next->from, next->to, next->flits);
            return next == end ? UINT64_MAX : next->cycle;
        });
}

void result_state(Archive& archive, TrafficResult& r) {
    archive(r.warmup, r.settled, r.generated_load, r.accepted_load, r.mean_hops, r.latency_mean,
            r.latency_median, r.latency_p95, r.latency_p99, r.latency_max, r.packets, r.packets_missing,
            r.packets_taken, r.in_flight, r.cycles);
}

}  // namespace

void TrafficResult::write(ByteWriter& bytes) const {
    TrafficResult copy = *this;
    Archive archive(bytes);
    result_state(archive, copy);
}

TrafficResult TrafficResult::read(ByteReader& bytes) {
    TrafficResult result;
    Archive archive(bytes);
    result_state(archive, result);
    return result;
}

TrafficResult run_synthetic_traffic(const Fabric& fabric, Machine& machine, const TrafficOptions& options,
                                    const TrafficHostOptions& host_options) {
    check_traffic(fabric, options);
    if (options.sizes.size() > 1)
        check_one_length(options.sizes.front().flits, options.packet_flits, host_options);
    if (host_options.host.ideal())
        machine.foresee([&] {
            return std::make_unique<UnicastLookahead>(foresee_traffic(fabric, options, host_options.seed));
        });
    const std::uint64_t skew = host_options.host.start_skew_cycles;  // before which no host makes anything
    TrafficRun run(fabric, machine, host_options, options.packet_flits, options.mix);
    run.generate(options, skew);
    run.go_to(skew);
    WarmUp warmup(options.warmup);
    for (auto counts = run.counts();
         !warmup.over(run.cycle() - skew, counts.waiting, counts.made, counts.taken); counts = run.counts())
        run.go_to(skew + warmup.next(run.cycle() - skew));
    run.be_warm();
    TrafficResult result;
    result.warmup = run.cycle();
    result.settled = warmup.settled();
    result.cycles = run.cycle();
    if (options.stop_unsettled && !result.settled) return result;
    Measurement measured = measure(run, options.cycles);
    bool grew = grows(measured.in_flight);
    while (grew && options.warmup == detect_warmup && run.cycle() - skew < longest_warmup) {
        const Measurement before = std::exchange(measured, measure(run, options.cycles));
        grew = grows(from_the_middle(before.in_flight, measured.in_flight));
    }
    set_loads(result, measured, fabric);
    result.settled = result.settled && !grew;
    const std::uint64_t first = measured.begin.made;
    const std::uint64_t last = measured.end.made;
    const std::uint64_t end = measured.end.cycle;
    // Load goes on while the measured packets drain.
    while (run.missing(first, last) > 0 && run.cycle() < drain * end) run.go_to(run.cycle() + 64);
    set_latencies(result, run.latencies(first, last));
    if (host_options.paths != nullptr) result.mean_hops = run.mean_links(first, last);
    result.packets_missing = run.missing(first, last);
    result.cycles = run.cycle();
    result.injection_stalls = run.injection_stalls();
    return result;
}

std::vector<TracePacket> read_trace(const std::string& path, std::uint32_t hosts) {
    std::vector<TracePacket> trace;
    read_csv(path, "cycle,from,to,flits", [&](const CsvRow& row) {
        const auto number = [&](std::size_t column, std::uint64_t low, std::uint64_t high) {
            return static_cast<std::uint32_t>(row.number(column, low, high));
        };
        trace.push_back({row.number(0, 0, last_trace_cycle), number(1, 0, hosts - 1), number(2, 0, hosts - 1),
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

TraceDependences::TraceDependences(const std::vector<TracePacket>& trace, std::vector<Pair> pairs)
    : first_(trace.size() + 1, 0), awaited_(pairs.empty() ? 0 : trace.size(), 0) {
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
        return std::pair(a.before, a.after) < std::pair(b.before, b.after);
    });
    for (const auto& [before, after] : pairs) {
        if (trace[before].to != trace[after].from)
            throw InputError(fmt::format("packet {} waits for packet {}, which goes to another node than {}",
                                         after, before, trace[after].from),
                             "one that arrives where it starts");
        ++first_[before + 1];
        ++awaited_[after];
        after_.push_back(after);
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

TrafficResult run_trace(const Fabric& fabric, Machine& machine, const std::vector<TracePacket>& trace,
                        const TrafficHostOptions& host_options, const TraceDependences& dependences) {
    std::uint32_t longest = 0;
    for (const TracePacket& packet : trace) longest = std::max(longest, packet.flits);
    check_traffic_fabric(fabric, longest);
    for (const TracePacket& packet : trace) check_one_length(packet.flits, longest, host_options);
    if (host_options.host.ideal() && !dependences.any())
        machine.foresee([&] { return foresee(fabric, trace, host_options.seed); });
    TrafficRun run(fabric, machine, host_options, longest);
    run.replay(trace, dependences);
    run.go_to(UINT64_MAX);
    TrafficResult result;
    set_latencies(result, run.latencies(0, trace.size()));
    result.packets = result.packets_taken = trace.size();
    result.cycles = run.cycle();
    result.injection_stalls = run.injection_stalls();
    result.generated_load = result.accepted_load = load(run.counts().flits_taken, fabric, result.cycles);
    result.mean_hops = static_cast<double>(run.hops()) / static_cast<double>(result.packets);
    return result;
}

}  // namespace interlace
