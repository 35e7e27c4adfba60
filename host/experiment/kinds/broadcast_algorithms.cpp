// Interlace: the algorithms of pipelined broadcasts, by name
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/broadcast_algorithms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interlace/broadcast/torus/optimal.h"
#include "interlace/broadcast/torus/paper.h"
#include "interlace/broadcast/torus/spanning_trees.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/program/check.h"
#include "interlace/program/schedule.h"

namespace interlace {
namespace {

void need_axes(const BroadcastRequest& r) {
    if (r.axes.empty())
        throw InputError(fmt::format("cannot use algorithm '{}' for the group '{}' of {}", r.algorithm,
                                     r.group_name, r.network.name()),
                         "a line, rectangle or global broadcast on a torus without a twist or an ibt, or the "
                         "algorithm optimal");
}

BroadcastPlan plan_paper(const BroadcastRequest& r) {
    need_axes(r);
    Patterns patterns = paper_patterns(r.axes.size());
    if (r.pattern != "best")
        patterns = {static_cast<std::uint32_t>(parse_integer(r.pattern, "pattern (or best)", 0, 15))};
    PaperBroadcast paper = paper_broadcast(r.network, r.source, r.axes, r.packets, patterns);
    return {std::move(paper.sends), std::move(paper.patterns), std::move(paper.split), {}};
}

BroadcastPlan plan_spanning_tree(const BroadcastRequest& r) {
    need_axes(r);
    return {spanning_tree_broadcast(r.network, r.source, r.axes, r.packets), {}, {}, {}};
}

BroadcastPlan plan_ring(const BroadcastRequest& r) {
    need_axes(r);
    if (r.axes.size() != 1)
        throw InputError("cannot use algorithm 'ring' for the group '" + r.group_name + "'",
                         "the group line");
    return {ring_broadcast(r.network, r.source, r.axes.front(), r.packets).sends, {}, {}, {}};
}

BroadcastPlan plan_optimal(const BroadcastRequest& r) {
    OptimalOptions options;
    options.seed = r.seed;
    options.progress = r.progress;
    OptimalBroadcast optimal = optimal_broadcast(r.network, r.group, r.source, r.packets, options);
    return {std::move(optimal.sends), {}, {}, optimal.bound};
}

/// Anyone's.
BroadcastPlan plan_schedule(const BroadcastRequest& r) {
    const std::string& file = r.schedule;
    if (file.empty())
        throw InputError("cannot use algorithm 'schedule' without a schedule", "a file: --schedule FILE");
    std::vector<std::uint32_t> lines;
    std::vector<TimedSend> schedule = read_schedule(file, &lines);
    check_schedule(r.network, r.group, r.source, r.packets, schedule, lines)
        .problems.refuse(file, "a schedule that interlace check finds valid");
    std::stable_sort(schedule.begin(), schedule.end(),
                     [](const TimedSend& a, const TimedSend& b) { return a.step < b.step; });
    BroadcastPlan plan;
    for (const TimedSend& send : schedule)
        plan.sends.push_back({r.network.link_between(send.from, send.to), send.packet});
    return plan;
}

}  // namespace

const std::vector<BroadcastAlgorithm>& broadcast_algorithms() {
    static const std::vector<BroadcastAlgorithm> all = {
        {"paper", "the paper's multi-colour broadcast on an iBT or torus", plan_paper},
        {"spanning_tree", "one spanning tree per colour, on a torus or iBT", plan_spanning_tree},
        {"ring", "both directions round the ring of a line", plan_ring},
        {"optimal", "a scheduler for any network and any list of nodes", plan_optimal},
        {"schedule", "a schedule from a file", plan_schedule}};
    return all;
}

}  // namespace interlace
