// Interlace: schedules and bounds of collectives over all links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "collective_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "collective_check.h"
#include "collective_rounds.h"
#include "interlace/broadcast/analysis/lower_bound.h"
#include "interlace/broadcast/collectives/allgather.h"
#include "interlace/broadcast/collectives/allreduce.h"
#include "interlace/broadcast/collectives/alltoall.h"
#include "interlace/broadcast/collectives/barrier.h"
#include "interlace/broadcast/collectives/reducescatter.h"
#include "interlace/broadcast/collectives/routed_alltoall.h"
#include "interlace/broadcast/collectives/scatter.h"
#include "interlace/broadcast/torus/optimal.h"
#include "interlace/capacity/check_capacity.h"
#include "interlace/engine/step/step.h"
#include "interlace/network/metrics.h"
#include "interlace/program/check_collective.h"
#include "interlace/program/group.h"

namespace interlace {
namespace {

/// `come`: packets come by links to a node, or leave it.
CollectiveBound bound_text(const AllGatherBound& bound, std::uint64_t packets, bool come) {
    if (bound.kind == AllGatherBound::Kind::diameter)
        return {bound.steps, "diameter",
                fmt::format("node {} is as many links away from another", +bound.node)};
    if (bound.kind == AllGatherBound::Kind::flow)
        return {bound.steps, "flow",
                fmt::format("in {} steps at most {} packets {} node {}", bound.steps - 1, bound.packets,
                            come ? "come to" : "leave", +bound.node)};
    return {bound.steps, "degree",
            fmt::format("{} packets {} by {} link{} {} node {}", packets, come ? "come" : "go", bound.links,
                        bound.links == 1 ? "" : "s", come ? "to" : "from", +bound.node),
            bound.steps};
}

bool is_torus(const Network& network) {
    return network.lattice() && network.lattice()->kind() == Lattice::Kind::torus &&
           network.lattice()->has_rings();
}

/// An all-to-all whose packets are routed; on a torus each takes the hops of its offset.
bool is_routed(const CollectiveExperiment& e, const Network& network) {
    return e.collective == DirectCollective::alltoall && !is_torus(network);
}

/// Proves the bound of an exchange by the independent checker, too.
void check_lengths(const CapacityRun& capacity) {
    const Network& network = capacity.network;
    const LengthBound& claimed = capacity.found->bound;
    const CheckedBound proven =
        check_capacity(network, capacity.demands, capacity.classes.by_link(network, claimed.lengths), false);
    if (proven.distances != claimed.distances || proven.lengths != claimed.all_lengths)
        throw std::logic_error("the lengths of " + network.name() + " do not prove its capacity");
}

CollectiveBound diameter_bound(std::uint32_t links) {
    return {links, "diameter", "as many links are between the nodes farthest from one another"};
}

CollectiveBound routed_bound(const CapacityRun& capacity, std::uint32_t chunks) {
    const LengthBound& lengths = capacity.found->bound;
    const RoutedBound bound = routed_alltoall_bound(capacity.network, lengths, chunks);
    if (bound.by_diameter) return diameter_bound(bound.steps);
    return {bound.steps, "lengths",
            fmt::format("by lengths of links {} packet{} of each pair go {} in all, and {} in a step", chunks,
                        chunks == 1 ? "" : "s", lengths.distances * chunks, lengths.all_lengths),
            bound.steps};
}

CollectiveBound torus_bound(const Network& network, std::uint32_t chunks) {
    const AllToAllBound bound = alltoall_bound(network, chunks);
    if (bound.kind == AllToAllBound::Kind::diameter) return diameter_bound(bound.steps);
    return {bound.steps, "links",
            fmt::format("the packets of a node make {} hops in dimension {}, by two links a node", bound.hops,
                        bound.dimension),
            bound.steps};
}

CollectiveBound sums_bound(const AllReduceBound& bound, const Network& network) {
    if (bound.kind == AllReduceBound::Kind::flow)
        return {bound.steps, "flow",
                fmt::format("in {} steps at most {} packets get from node {} to node {}", bound.steps - 1,
                            bound.packets, +bound.from, +bound.to),
                bound.link_steps};
    if (bound.kind == AllReduceBound::Kind::distance)
        return {bound.steps, "distance",
                fmt::format("{} packets go from node {} by {} link{} to node {}, {} links away",
                            bound.packets, +bound.from, bound.links, bound.links == 1 ? "" : "s", +bound.to,
                            bound.steps + 1 - (bound.packets + bound.links - 1) / bound.links),
                bound.link_steps};
    return {bound.steps, "sends",
            fmt::format("{} packets have to be sent over {} links{}", bound.packets, bound.links,
                        bound.parts == network.node_count()
                            ? ""
                            : fmt::format(" between {} parts of the network", bound.parts)),
            bound.link_steps};
}

CollectiveBound rooted_bound(const ScatterBound& bound, NodeId root, bool come) {
    if (bound.kind == ScatterBound::Kind::flow)
        return {bound.steps, "flow",
                fmt::format("in {} steps at most {} packets {} node {}", bound.steps - 1, bound.packets,
                            come ? "come to" : "leave", +root)};
    return {
        bound.steps, bound.distance == 1 ? "degree" : "distance",
        fmt::format("{} packet{} {} by {} link{} {} node {}{}", bound.packets, bound.packets == 1 ? "" : "s",
                    bound.packets == 1 ? (come ? "comes" : "goes") : (come ? "come" : "go"), bound.links,
                    bound.links == 1 ? "" : "s", come ? "to" : "from", +root,
                    bound.distance == 1 ? "" : fmt::format(", over {} or more in all", bound.distance)),
        bound.distance == 1 ? bound.steps : 0};
}

/// A reduce is a broadcast on reversed links, reversed in time.
CollectiveBound reduce_bound(const CollectiveExperiment& e, const Network& network, std::uint32_t enough) {
    const Network reversed = reversed_links(network);
    const LowerBound bound = lower_bound(reversed, global_group(reversed), NodeId{e.root}, e.chunks, enough);
    return {bound.steps, bound.argument, "as of a broadcast on reversed links"};
}

/// A broadcast on reversed links, which brings each packet to a node once, reversed in time.
std::vector<TimedSend> optimal_reduce(const CollectiveExperiment& e, const Network& network,
                                      const std::function<void(double)>& progress) {
    const Network reversed = reversed_links(network);
    const Group group = global_group(reversed);
    OptimalOptions options;
    options.seed = e.seed;
    options.progress = progress;
    const NodeId root{e.root};
    const Program program(reversed, root, e.chunks,
                          optimal_broadcast(reversed, group, root, e.chunks, options).sends);
    const StepRun run = run_steps(reversed, group, program);
    std::vector<TimedSend> sends = timed_sends(reversed, program, run);
    for (TimedSend& send : sends) send = {run.steps + 1 - send.step, send.to, send.from, send.packet};
    std::sort(sends.begin(), sends.end(), [](const TimedSend& a, const TimedSend& b) {
        return std::tie(a.step, a.from, a.to) < std::tie(b.step, b.from, b.to);
    });
    return sends;
}

/// One report of two schedules that follow one another.
CheckReport joined(const CheckReport& first, const CheckReport& second) {
    CheckReport both = first.valid() ? second : first;
    both.steps = first.steps + second.steps;
    both.sends = first.sends + second.sends;
    both.redundant_sends = first.redundant_sends + second.redundant_sends;
    return both;
}

/// Replaces a reduce-scatter and an all-gather if a schedule along trees is shorter. It is not looked for
/// where the gap is what large networks lose by rounding steps up.
void shorten_by_trees(CollectiveRun& run, const std::function<void(double)>& progress) {
    const CollectiveExperiment& e = run.experiment;
    constexpr std::uint64_t small = 32;
    const std::uint32_t bound = allreduce_bound(run.network, e.chunks).steps;
    if (run.report.steps - bound <= std::max(1U, bound / 32) &&
        run.network.node_count() * std::uint64_t{e.chunks} > small)
        return;
    TreeOptions options;
    options.seed = e.seed;
    options.progress = progress;
    options.fewer_than = static_cast<std::uint32_t>(run.report.steps);
    options.enough = bound;
    auto rows = allreduce_on_trees(run.network, e.chunks, options);
    if (!rows) return;
    run.report = check_sums(e, run.network, *rows);
    run.schedule = std::move(*rows);
}

void schedule_for_all(CollectiveRun& run, const std::function<void(double)>& progress) {
    const CollectiveExperiment& e = run.experiment;
    const Network& network = run.network;
    AllGatherOptions options;
    options.seed = e.seed;
    options.progress = progress;
    if (e.collective == DirectCollective::allgather) {
        const auto& found =
            run.schedule.emplace<SymmetricSchedule>(optimal_allgather(network, e.chunks, options).schedule);
        run.report = check_allgather(network, found);
        return;
    }
    SymmetricSchedule scatter = optimal_reducescatter(network, e.chunks, options).schedule;
    run.report = check_reducescatter(network, scatter);
    if (e.collective == DirectCollective::reducescatter) {
        run.schedule = std::move(scatter);
        return;
    }
    SymmetricSchedule gather = optimal_allgather(network, e.chunks, options).schedule;
    run.report = joined(run.report, check_allgather(network, gather));
    run.schedule = AllReduceSchedule{std::move(scatter), std::move(gather)};
    shorten_by_trees(run, progress);
}

void schedule_exchange(CollectiveRun& run, const std::function<void(double)>& progress) {
    const CollectiveExperiment& e = run.experiment;
    if (run.capacity) {
        RoutedOptions options;
        options.seed = e.seed;
        const auto& found = run.schedule.emplace<SymmetricSchedule>(
            routed_alltoall(run.network, run.capacity->classes, *run.capacity->found, e.chunks, options)
                .schedule);
        run.report = check_alltoall(run.network, found);
    } else {
        const auto& found = run.schedule.emplace<ExchangeSchedule>(
            optimal_alltoall(run.network, e.chunks, progress).schedule);
        run.report = check_alltoall(run.network, found);
    }
}

void schedule_rows(CollectiveRun& run, const std::function<void(double)>& progress) {
    const CollectiveExperiment& e = run.experiment;
    const NodeId root{e.root};
    ScatterOptions options;
    options.seed = e.seed;
    auto& rows = run.schedule.emplace<std::vector<TimedSend>>();
    if (e.collective == DirectCollective::reduce)
        rows = optimal_reduce(e, run.network, progress);
    else if (e.collective == DirectCollective::scatter)
        rows = optimal_scatter(run.network, root, e.chunks, options).sends;
    else if (e.collective == DirectCollective::gather)
        rows = optimal_gather(run.network, root, e.chunks, options).sends;
    else
        rows = optimal_barrier(run.network);
    run.report = reduces(e.collective) ? check_sums(e, run.network, with_operation(rows, true))
                                       : check_copies(e, run.network, rows);
}

}  // namespace

std::vector<ReducingSend> rows_of_reduction(const CollectiveRun& run) {
    if (const auto* scatter = std::get_if<SymmetricSchedule>(&run.schedule))
        return with_operation(all_sends(run.network, *scatter), true);
    if (const auto* reduce = std::get_if<std::vector<TimedSend>>(&run.schedule))
        return with_operation(*reduce, true);
    if (const auto* sums = std::get_if<std::vector<ReducingSend>>(&run.schedule)) return *sums;
    const auto& both = std::get<AllReduceSchedule>(run.schedule);
    std::vector<ReducingSend> rows = with_operation(all_sends(run.network, both.scatter), true);
    const auto gather = with_operation(all_sends(run.network, both.gather), false, both.scatter.steps());
    rows.insert(rows.end(), gather.begin(), gather.end());
    return rows;
}

std::vector<TimedSend> rows_of_copies(const CollectiveRun& run) {
    if (const auto* exchange = std::get_if<ExchangeSchedule>(&run.schedule))
        return all_sends(run.network, *exchange);
    if (const auto* rows = std::get_if<std::vector<TimedSend>>(&run.schedule)) return *rows;
    return all_sends(run.network, std::get<SymmetricSchedule>(run.schedule));
}

std::vector<ReducingSend> with_operation(const std::vector<TimedSend>& sends, bool reduces,
                                         std::uint32_t after_step) {
    std::vector<ReducingSend> rows;
    rows.reserve(sends.size());
    for (TimedSend send : sends) {
        send.step += after_step;
        rows.push_back({send, reduces});
    }
    return rows;
}

Network direct_network(const CollectiveExperiment& e) {
    Network network = make_network(e.network);
    if (network.has_switches())
        throw InputError("cannot run algorithm " + e.algorithm + " on " + e.network + ", which has switches",
                         "a network whose nodes all have hosts, or an algorithm between machines");
    return network;
}

CapacityRun capacity_of(const CollectiveExperiment& e, const RunListener& listener) {
    CapacityExperiment capacity;
    capacity.network = e.network;
    CapacityRun run = run_capacity(capacity, listener);
    check_lengths(run);
    return run;
}

void check_schedulable(const CollectiveExperiment& e, const Network& network) {
    if (is_routed(e, network)) check_routed_alltoall(network, e.chunks);
}

std::optional<CapacityRun> capacity_for(const CollectiveExperiment& e, const Network& network,
                                        const RunListener& listener) {
    if (!is_routed(e, network)) return {};
    return capacity_of(e, listener);
}

CollectiveBound bound_of(const CollectiveExperiment& e, const Network& network,
                         const std::optional<CapacityRun>& capacity, std::uint32_t enough) {
    const std::uint64_t of_others = (network.node_count() - std::uint64_t{1}) * e.chunks;
    const NodeId root{e.root};
    switch (e.collective) {
        case DirectCollective::allgather:
            return bound_text(allgather_bound(network, e.chunks, enough), of_others, true);
        case DirectCollective::reducescatter:
            return bound_text(allgather_bound(reversed_links(network), e.chunks, enough), of_others, false);
        case DirectCollective::allreduce:
            return sums_bound(allreduce_bound(network, e.chunks), network);
        case DirectCollective::reduce:
            return reduce_bound(e, network, enough);
        case DirectCollective::scatter:
            return rooted_bound(scatter_bound(network, root, e.chunks, enough), root, false);
        case DirectCollective::gather:
            return rooted_bound(scatter_bound(reversed_links(network), root, e.chunks, enough), root, true);
        case DirectCollective::barrier:
            return diameter_bound(measure_network(network).diameter);
        case DirectCollective::alltoall:
            break;
    }
    if (capacity) return routed_bound(*capacity, e.chunks);
    return is_torus(network) ? torus_bound(network, e.chunks)
                             : diameter_bound(measure_network(network).diameter);
}

namespace {

void schedule_optimal(CollectiveRun& run, const std::function<void(double)>& progress) {
    switch (run.experiment.collective) {
        case DirectCollective::allgather:
        case DirectCollective::reducescatter:
        case DirectCollective::allreduce:
            return schedule_for_all(run, progress);
        case DirectCollective::alltoall:
            return schedule_exchange(run, progress);
        case DirectCollective::reduce:
        case DirectCollective::scatter:
        case DirectCollective::gather:
        case DirectCollective::barrier:
            return schedule_rows(run, progress);
    }
}

}  // namespace

void schedule(CollectiveRun& run, const std::function<void(double)>& progress) {
    if (const RoundAlgorithm* algorithm = round_algorithm(run.experiment))
        return schedule_rounds(run, *algorithm);
    schedule_optimal(run, progress);
    const std::uint64_t steps = run.report.steps;
    run.cost = {steps, steps, steps};
}

}  // namespace interlace
