// Interlace: collectives as unicast packets that the routers route
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "collective_unicast.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <numeric>
#include <system_error>
#include <tuple>
#include <utility>

#include "collective_plan.h"
#include "collective_rounds.h"
#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/core/value_error.h"
#include "interlace/experiment/nodes/checkpoints.h"
#include "interlace/experiment/nodes/options_json.h"
#include "interlace/experiment/nodes/unicast_runs.h"

namespace interlace {
namespace {

/// Each is a packet of a trace.
constexpr std::size_t most_transfers = std::size_t{1} << 24U;
/// Of which one waits for another.
constexpr std::size_t most_pairs = std::size_t{1} << 26U;

using Pairs = std::vector<TraceDependences::Pair>;

/// Of `places` of one packet's transfers, by round.
void add_dependences(Pairs& pairs, const std::vector<Transfer>& transfers,
                     const std::vector<std::uint32_t>& places) {
    std::map<NodeId, std::vector<std::uint32_t>> came;
    for (std::size_t first = 0, next = 0; first < places.size(); first = next) {
        const std::uint32_t round = transfers[places[first]].round;
        while (next < places.size() && transfers[places[next]].round == round) ++next;
        for (std::size_t i = first; i < next; ++i)
            if (const auto before = came.find(transfers[places[i]].from); before != came.end())
                for (const std::uint32_t other : before->second) pairs.push_back({other, places[i]});
        if (pairs.size() > most_pairs)
            throw InputError("cannot send unicast packets that wait for so many others",
                             fmt::format("{} pairs of packets at most: fewer nodes", most_pairs));
        for (std::size_t i = first; i < next; ++i) came[transfers[places[i]].to].push_back(places[i]);
    }
}

Pairs dependences_of(const std::vector<Transfer>& transfers) {
    std::vector<std::uint32_t> places(transfers.size());
    std::iota(places.begin(), places.end(), 0U);
    const auto key = [&](std::uint32_t i) { return std::tuple(transfers[i].packet, transfers[i].round, i); };
    std::sort(places.begin(), places.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    Pairs pairs;
    for (auto first = places.begin(); first != places.end();) {
        const auto next = std::find_if(first, places.end(), [&](std::uint32_t i) {
            return transfers[i].packet != transfers[*first].packet;
        });
        if (next - first > 1) add_dependences(pairs, transfers, {first, next});
        first = next;
    }
    return pairs;
}

/// The packets of a node change places, not the steps in which they go.
void shuffle(std::vector<Transfer>& transfers, std::uint64_t seed) {
    for (std::size_t first = 0, next = 0; first < transfers.size(); first = next) {
        while (next < transfers.size() && transfers[next].from == transfers[first].from) ++next;
        Draws draws(seed, transfers[first].from);
        for (std::size_t i = next - 1; i > first; --i) {
            const std::size_t other = first + draws.below(static_cast<std::uint32_t>(i - first + 1));
            std::swap(transfers[i], transfers[other]);
            std::swap(transfers[i].step, transfers[other].step);
        }
    }
}

std::vector<Transfer> transfers_of_schedule(const CollectiveRun& run) {
    if (!run.transfers.empty()) return run.transfers;
    std::vector<MessageSend> hops;
    // Of a barrier each is a message of its own, which waits for those of earlier steps.
    const bool alone = run.experiment.collective == DirectCollective::barrier;
    for (const TimedSend& send : rows_of_copies(run))
        hops.push_back(
            {{send, false}, alone ? send.step : 0, alone ? static_cast<std::uint32_t>(hops.size()) : 0});
    return transfers_of(std::move(hops));
}

/// Of a bound by what links carry: no packet of so many flits takes fewer cycles on a link.
std::uint64_t bound_cycles(const CollectiveRun& run) {
    const CycleOptions& cycles = run.experiment.cycles;
    return std::uint64_t{run.bound.link_steps} * cycles.node.packet_flits * cycles.links.cycles_per_flit;
}

/// How much of the rate at which the fullest links would never be idle.
double share_of_rate(const std::string& pace) {
    double share = 0;
    const auto [end, error] = std::from_chars(pace.data(), pace.data() + pace.size(), share);
    if (error != std::errc{} || end != pace.data() + pace.size() || !(share > 0 && share <= 1))
        throw ValueError({"cannot use pace '" + pace + "'", "off, step, or a share above 0 to 1"}, "pace");
    return share;
}

/// Packets that a node has from the beginning leave evenly, so that their rate is a share of the bound's.
void pace_by_bound(std::vector<std::uint64_t>& cycles, const std::vector<Transfer>& transfers,
                   const std::vector<bool>& waits, const CollectiveRun& run) {
    const std::uint64_t bound = bound_cycles(run);
    if (bound == 0)
        throw ValueError(
            {"cannot pace packets by a bound that is not what links carry (" + run.bound.kind + ")",
             "off or step"},
            "pace");
    const double all = static_cast<double>(bound) / share_of_rate(run.experiment.cycles.pace);
    if (all > static_cast<double>(last_trace_cycle))
        throw ValueError({"cannot use a pace of " + run.experiment.cycles.pace,
                          fmt::format("one by which packets leave before cycle {}", last_trace_cycle)},
                         "pace");
    std::vector<std::uint32_t> own(run.network.node_count(), 0), left(own.size(), 0);
    for (std::size_t i = 0; i < transfers.size(); ++i)
        if (!waits[i]) ++own[transfers[i].from];
    if (*std::max_element(own.begin(), own.end()) < 2)
        throw ValueError({"cannot pace packets where each host has one from the beginning", "off or step"},
                         "pace");
    for (std::size_t i = 0; i < transfers.size(); ++i)
        if (const NodeId from = transfers[i].from; !waits[i])
            cycles[i] = static_cast<std::uint64_t>(all * left[from]++ / own[from]);
}

/// [transfer]: before which it does not leave.
std::vector<std::uint64_t> paced(const std::vector<Transfer>& transfers, const Pairs& pairs,
                                 const CollectiveRun& run) {
    const CycleOptions& options = run.experiment.cycles;
    std::vector<std::uint64_t> cycles(transfers.size(), 0);
    if (options.pace == "off") return cycles;
    if (options.pace == "step") {
        const std::uint64_t step = std::uint64_t{options.node.packet_flits} * options.links.cycles_per_flit;
        for (std::size_t i = 0; i < transfers.size(); ++i) cycles[i] = (transfers[i].step - 1) * step;
        return cycles;
    }
    std::vector<bool> waits(transfers.size(), false);
    for (const auto& pair : pairs) waits[pair.after] = true;
    pace_by_bound(cycles, transfers, waits, run);
    return cycles;
}

}  // namespace

bool is_unicast(const CollectiveExperiment& e) {
    return is_cycle_engine(e.engine) && e.cycles.forwarding == "unicast";
}

void check_unicast(const CollectiveExperiment& e) {
    const CycleOptions& cycles = e.cycles;
    const std::string& forwarding = cycles.forwarding;
    if (forwarding != "unicast" && forwarding != "host" && forwarding != "table" && forwarding != "deposit")
        throw ValueError({"cannot use forwarding '" + forwarding + "'", "host, table, deposit or unicast"},
                         "forwarding");
    if (e.order != "schedule" && e.order != "random")
        throw ValueError({"cannot use order '" + e.order + "'", "schedule or random"}, "order");
    const bool by_steps = cycles.pace == "off" || cycles.pace == "step";
    if (!by_steps) share_of_rate(cycles.pace);
    if (forwarding != "unicast" && (!by_steps || e.order == "random"))
        throw ValueError({fmt::format("cannot use {} with forwarding by {}",
                                      by_steps ? "order random" : "pace " + cycles.pace, forwarding),
                          "forwarding unicast"},
                         by_steps ? "order" : "pace");
    const bool is_barrier = e.collective == DirectCollective::barrier;
    if (is_barrier && is_cycle_engine(e.engine) && forwarding != "unicast")
        throw ValueError({"cannot forward what hosts say in a barrier by " + forwarding, "unicast"},
                         "forwarding");
    if (forwarding != "unicast") return;
    if (!is_cycle_engine(e.engine))
        throw ValueError({"cannot send unicast packets on the engine " + e.engine, or_list(cycle_engines())},
                         "engine");
    if (cycles.host.memory_packets > 0)
        throw ValueError({"cannot bound the memory of hosts with forwarding unicast", "0: any number"},
                         "host.memory_packets");
    const bool of_one_path = is_barrier || e.collective == DirectCollective::alltoall ||
                             e.collective == DirectCollective::scatter ||
                             e.collective == DirectCollective::gather;
    if (e.algorithm == "optimal" && !of_one_path)
        throw ValueError({"cannot send algorithm optimal, whose packets follow trees, as unicast packets",
                          "an algorithm in rounds, or forwarding host"},
                         "forwarding");
}

namespace {

void refuse_many(std::uint64_t transfers) {
    if (transfers > most_transfers)
        throw InputError(fmt::format("cannot send {} unicast packets", transfers),
                         fmt::format("{} at most: fewer chunks or nodes", most_transfers));
}

}  // namespace

void check_unicast_size(const CollectiveExperiment& e, const Network& network) {
    const std::uint64_t nodes = network.node_count();
    if (is_unicast(e) && e.collective == DirectCollective::alltoall)
        refuse_many(nodes * (nodes - 1) * e.chunks);
}

std::vector<Transfer> transfers_of(std::vector<MessageSend> hops) {
    const auto same = [](const MessageSend& a, const MessageSend& b) {
        return a.message == b.message && a.send.packet == b.send.packet;
    };
    std::sort(hops.begin(), hops.end(), [](const MessageSend& a, const MessageSend& b) {
        return std::tuple(a.message, +a.send.packet, a.send.step) <
               std::tuple(b.message, +b.send.packet, b.send.step);
    });
    std::vector<Transfer> transfers;
    for (std::size_t i = 0; i < hops.size(); ++i) {
        const TimedSend& send = hops[i].send;
        if (i > 0 && same(hops[i - 1], hops[i]))
            transfers.back().to = send.to;
        else
            transfers.push_back({send.step, send.from, send.to, send.packet, hops[i].round, hops[i].reduces});
    }
    return transfers;
}

UnicastTrace unicast_trace(const CollectiveRun& run, std::vector<Transfer> transfers, std::uint64_t seed) {
    const CollectiveExperiment& e = run.experiment;
    std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
        return std::tie(a.from, a.step, a.packet) < std::tie(b.from, b.step, b.packet);
    });
    if (e.order == "random") shuffle(transfers, seed);
    Pairs pairs = dependences_of(transfers);
    const std::vector<std::uint64_t> cycles = paced(transfers, pairs, run);
    std::vector<std::uint32_t> order(transfers.size()), place(transfers.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(cycles[a], transfers[a].step) < std::pair(cycles[b], transfers[b].step);
    });
    UnicastTrace trace;
    trace.packets.reserve(transfers.size());
    for (const std::uint32_t i : order) {
        place[i] = static_cast<std::uint32_t>(trace.packets.size());
        trace.packets.push_back({cycles[i], transfers[i].from, transfers[i].to, e.cycles.node.packet_flits,
                                 transfers[i].reduces});
    }
    for (auto& [before, after] : pairs) {
        before = place[before];
        after = place[after];
    }
    trace.dependences = TraceDependences(trace.packets, std::move(pairs));
    return trace;
}

void run_unicast(CollectiveRun& run, const RunListener& listener) {
    CollectiveExperiment& e = run.experiment;
    const std::uint32_t runs = e.runs();
    check_records(e.cycles.records, runs);
    if (e.cycles.node.routing == Routing::automatic)
        e.cycles.node.routing = default_routing(run.network, e.cycles.node);
    const std::vector<Transfer> transfers = transfers_of_schedule(run);
    refuse_many(transfers.size());
    UnicastRuns nodes(run.network, e.engine, e.cycles,
                      open_checkpoint(e.cycles, e.to_json(), nullptr, listener), listener);
    UnicastCycles& result = run.unicast.emplace();
    std::vector<double> cycles, latencies, hops;
    for (std::uint32_t i = 0; i < runs; ++i) {
        const UnicastTrace trace = unicast_trace(run, transfers, e.seed + i);
        const auto hosts = [&](Machine& machine, TrafficHostOptions options) {
            if (listener.progress)
                options.progress = [&](double share) { listener.progress("run", (i + share) / runs); };
            return run_trace(nodes.fabric(), machine, trace.packets, options, trace.dependences);
        };
        UnicastRuns::Outcome outcome = nodes.run(e.seed + i, hosts);
        cycles.push_back(static_cast<double>(outcome.result.cycles));
        latencies.push_back(outcome.result.latency_mean);
        hops.push_back(outcome.result.mean_hops);
        result.queues.add(outcome.queues);
        result.links = std::move(outcome.links);
    }
    result.cycles = sample_of(cycles);
    result.latency_mean = sample_of(latencies);
    result.mean_hops = sample_of(hops);
    result.packets = transfers.size();
    result.bound_cycles = bound_cycles(run);
}

}  // namespace interlace
