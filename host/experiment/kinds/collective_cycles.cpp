// Interlace: collectives over links on the routers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "collective_cycles.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "collective_best.h"
#include "collective_plan.h"
#include "collective_unicast.h"
#include "interlace/core/error.h"
#include "interlace/core/value_error.h"
#include "interlace/experiment/nodes/checkpoints.h"

namespace interlace {
namespace {

/// Arrivals are counted for each node and packet.
constexpr std::uint64_t most_places = std::uint64_t{1} << 28U;

PacketOrigins origins_of(const CollectiveExperiment& e, std::uint32_t nodes) {
    switch (e.collective) {
        case DirectCollective::scatter:
            return {NodeId{e.root}, 0, 0};
        case DirectCollective::reduce:
            return {NodeId{e.root}, 0, e.chunks};
        case DirectCollective::alltoall:
            return {NodeId{0}, nodes * e.chunks, 0};
        case DirectCollective::reducescatter:
        case DirectCollective::allreduce:
            return {NodeId{0}, e.chunks, nodes * e.chunks};
        default:
            return {NodeId{0}, e.chunks, 0};
    }
}

/// Of an all-reduce the sums, and after them what they are.
std::uint64_t packets_of(const CollectiveExperiment& e, std::uint64_t nodes) {
    switch (e.collective) {
        case DirectCollective::reduce:
            return e.chunks;
        case DirectCollective::alltoall:
            return nodes * nodes * e.chunks;
        case DirectCollective::allreduce:
            return 2 * nodes * e.chunks;
        default:
            return nodes * e.chunks;
    }
}

void check_places(const CollectiveExperiment& e, std::uint64_t nodes) {
    const std::uint64_t places = packets_of(e, nodes) * nodes;
    if (places > most_places)
        throw InputError(fmt::format("cannot run {} packets on {} nodes", packets_of(e, nodes), nodes),
                         fmt::format("a product of {} at most", most_places));
}

/// A node sends its part of a sum once, and all parts meet on the way.
void check_single_links(const CollectiveRun& run, const std::vector<MessageSend>& rows) {
    const auto same = [](const MessageSend& a, const MessageSend& b) {
        return a.message == b.message && a.send.packet == b.send.packet;
    };
    std::vector<MessageSend> sorted = rows;
    std::sort(sorted.begin(), sorted.end(), [](const MessageSend& a, const MessageSend& b) {
        return std::pair(a.message, +a.send.packet) < std::pair(b.message, +b.send.packet);
    });
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sums;  // sender and packet
    for (const MessageSend& row : rows)
        if (row.reduces) sums.emplace_back(row.send.from, row.send.packet);
    std::sort(sums.begin(), sums.end());
    if (std::adjacent_find(sorted.begin(), sorted.end(), same) == sorted.end() &&
        std::adjacent_find(sums.begin(), sums.end()) == sums.end())
        return;
    throw InputError(
        "cannot send " + run.experiment.algorithm +
            " from neighbour to neighbour, as sums would go over several links or leave a node twice",
        "algorithm optimal, on a torus without a twist ring or bucket, or forwarding unicast");
}

/// Where two nodes send each other their parts of a sum in a step, one of them waits for that of the other
/// and sends the sum, after this step and before the next one. So each sum ends at one node. Steps are
/// numbered anew.
std::vector<ReducingSend> with_one_end(std::vector<ReducingSend> rows) {
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> sent;  // packet, from, to
    for (const auto& [send, reduces] : rows)
        if (reduces) sent.emplace(send.packet, send.from, send.to);
    for (auto& [send, reduces] : rows) {
        const bool waits = reduces && send.from < send.to && sent.contains({send.packet, send.to, send.from});
        send.step = 2 * send.step + (waits ? 1 : 0);
        reduces = reduces && !waits;
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const ReducingSend& a, const ReducingSend& b) { return a.send.step < b.send.step; });
    return rows;
}

std::vector<ReducingSend> reducing_rows(const CollectiveRun& run) {
    if (const auto* messages = std::get_if<std::vector<MessageSend>>(&run.schedule)) {
        check_single_links(run, *messages);
        return {messages->begin(), messages->end()};
    }
    if (const auto* along_trees = std::get_if<std::vector<ReducingSend>>(&run.schedule))
        return with_one_end(*along_trees);
    return rows_of_reduction(run);
}

/// [sum]: the one node that sends no part of it.
std::vector<NodeId> ends_of(const std::vector<ReducingSend>& rows, std::uint32_t nodes, std::uint32_t sums) {
    const std::uint32_t all = nodes * (nodes - 1) / 2;
    std::vector<std::uint32_t> left(sums, all);
    for (const ReducingSend& row : rows)
        if (row.reduces) left[row.send.packet] -= row.send.from;
    return {left.begin(), left.end()};
}

}  // namespace

std::vector<ReducingSend> rows_between_neighbours(const CollectiveRun& run) {
    return reduces(run.experiment.collective) ? reducing_rows(run)
                                              : with_operation(rows_of_copies(run), false);
}

namespace {

std::vector<Send> sends_of(const CollectiveRun& run, std::vector<ReducingSend> rows, std::uint32_t sums) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const ReducingSend& a, const ReducingSend& b) { return a.send.step < b.send.step; });
    std::vector<Send> sends;
    sends.reserve(rows.size());
    for (const ReducingSend& row : rows)
        sends.push_back({*run.network.link(row.send.from, row.send.to),
                         PacketId{row.send.packet + (row.reduces ? 0 : sums)}});
    return sends;
}

}  // namespace

void check_engine(const CollectiveExperiment& e) {
    check_unicast(e);
    if (e.engine == "step") {
        if (e.cycles.records.any() || e.cycles.checkpoint.any())
            throw ValueError(
                {"cannot record details, traces, logs or checkpoints of a collective on the engine step",
                 or_list(cycle_engines())},
                "engine");
        return;
    }
    if (!is_cycle_engine(e.engine))
        throw ValueError(unknown_name("engine", e.engine, collective_engines()), "engine");
    if (e.algorithm == best_algorithm)
        throw ValueError({"cannot run algorithm best on the engine " + e.engine, "step"}, "engine");
}

Program program_of(const CollectiveRun& run) {
    const CollectiveExperiment& e = run.experiment;
    const std::uint32_t nodes = run.network.node_count();
    check_places(e, nodes);
    std::vector<ReducingSend> rows = rows_between_neighbours(run);
    PacketOrigins origins = origins_of(e, nodes);
    if (std::holds_alternative<std::vector<ReducingSend>>(run.schedule))
        origins.ends = ends_of(rows, nodes, origins.sums);
    const std::vector<Send> sends = sends_of(run, std::move(rows), origins.sums);
    return {run.network, std::move(origins), static_cast<std::uint32_t>(packets_of(e, nodes)), sends};
}

void run_on_routers(CollectiveRun& run, const RunListener& listener) {
    const CollectiveExperiment& e = run.experiment;
    const Program program = program_of(run);
    Checkpoint checkpoint = open_checkpoint(e.cycles, e.to_json(), nullptr, listener);
    const Communicator& ranks = *e.cycles.ranks;
    std::optional<CyclePlan> plan;
    if (ranks.rank() == 0) plan.emplace(run.network, program, e.cycles, listener);
    CyclePlan own =
        ranks.alone() ? *std::move(plan) : CyclePlan::divided(std::move(plan), run.network, e.cycles);
    run.cycles = run_cycles(run.network, std::move(own), e.engine, e.cycles, e.seed, listener, checkpoint);
}

}  // namespace interlace
