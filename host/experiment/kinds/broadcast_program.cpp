// Interlace: a broadcast's program, proven, without an engine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "broadcast_program.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>
#include <utility>

#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
#include "interlace/program/schedule.h"

namespace interlace {
namespace {

std::vector<std::uint32_t> resolve_axes(const Network& network, BroadcastExperiment& experiment) {
    const bool line = experiment.group == "line";
    if (line || experiment.group == "rectangle") {
        if (experiment.axes.empty()) experiment.axes = line ? "x" : "xy";
        auto axes = parse_axes(experiment.axes);
        if (axes.size() != (line ? 1U : 2U))
            throw InputError(fmt::format("cannot use axes '{}' of a {}", experiment.axes, experiment.group),
                             line ? "one axis, as in x" : "two axes, as in xy");
        return axes;
    }
    if (!experiment.axes.empty())
        throw InputError("cannot use axes of the group '" + experiment.group + "'",
                         "no axes, or a line or rectangle");
    if (experiment.group != "global" || !network.lattice()) return {};
    std::vector<std::uint32_t> axes(network.lattice()->dimensions());
    std::iota(axes.begin(), axes.end(), 0U);
    return axes;
}

std::string default_algorithm(const Network& network, const std::vector<std::uint32_t>& axes) {
    if (axes.empty() || !network.lattice() || !network.lattice()->has_rings() ||
        !network.lattice()->has_rows())
        return "optimal";
    return network.lattice()->kind() == Lattice::Kind::ibt ? "paper" : "spanning_tree";
}

Network network_of(const BroadcastExperiment& e) {
    Network network = about("network", [&] { return make_network(e.network); });
    if (network.has_switches())
        throw ValueError(
            InputError("cannot run a pipelined broadcast on a cluster, whose switches are not hosts",
                       "--algorithm binomial, spoc, fnf or optimal_tree; or a torus, mesh, ibt or graph")
                .at(e.network),
            "network");
    return network;
}

void check_values(const BroadcastExperiment& e, const Network& network) {
    if (e.packets < 1 || std::uint64_t{e.packets} * network.node_count() > (std::uint64_t{1} << 31U))
        throw ValueError(
            {fmt::format("cannot broadcast {} packets on {} nodes", e.packets, network.node_count()),
             "at least 1 packet, and at most 2^31 deliveries"},
            "broadcast.packets");
    if (e.pattern != "best")
        about("broadcast.pattern", [&] { parse_integer(e.pattern, "pattern (or best)", 0, 15); });
    if (!e.schedule.empty() && !e.algorithm.empty() && e.algorithm != "schedule")
        throw ValueError(
            {"cannot use algorithm '" + e.algorithm + "' with the schedule " + e.schedule, "one of them"},
            "broadcast.algorithm");
}

BroadcastPlan plan_of(const ResolvedBroadcast& r, const RunListener& listener) {
    const BroadcastExperiment& e = r.experiment;
    BroadcastRequest request{r.network,   r.group,   r.source,   r.axes, e.packets, e.group,
                             e.algorithm, e.pattern, e.schedule, e.seed, {}};
    if (listener.progress) request.progress = [&](double share) { listener.progress("scheduled", share); };
    return about("broadcast.algorithm", [&] {
        return e.planner ? e.planner(request)
                         : item_of(broadcast_algorithms(), e.algorithm, "algorithm").plan(request);
    });
}

[[noreturn]] void refuse_plan(const ResolvedBroadcast& r, const std::string& what) {
    throw FellShort(
        fmt::format("algorithm '{}' planned an invalid broadcast: {}", r.experiment.algorithm, what));
}

/// The program's steps, or what its plan is wrong in.
StepRun steps_of(const ResolvedBroadcast& r, const Program& program) {
    try {
        return run_steps(r.network, r.group, program);
    } catch (const std::logic_error& error) {
        refuse_plan(r, error.what());
    }
}

/// The program of a plan's sends, which are gone afterwards: both may not fit into memory.
Program take_program(const ResolvedBroadcast& r, BroadcastPlan& plan) {
    const std::vector<Send> sends = std::move(plan.sends);
    return {r.network, r.source, r.experiment.packets, sends};
}

}  // namespace

ResolvedBroadcast::ResolvedBroadcast(const BroadcastExperiment& e)
    : experiment(e),
      network(network_of(e)),
      source(about("broadcast.source", [&] { return parse_node(network, e.source); })),
      axes((check_values(e, network),
            about("broadcast.axes", [&] { return resolve_axes(network, experiment); }))),
      group(about("broadcast.group", [&] { return make_group(network, experiment, source); })) {
    if (experiment.algorithm.empty())
        experiment.algorithm = experiment.schedule.empty() ? default_algorithm(network, axes) : "schedule";
}

BroadcastProgram::BroadcastProgram(const BroadcastExperiment& experiment, const RunListener& listener)
    : r(experiment), plan(plan_of(r, listener)), program(take_program(r, plan)), run(steps_of(r, program)) {
    const CheckReport report = check_schedule(r.network, r.group, r.source, r.experiment.packets,
                                              timed_sends(r.network, program, run));
    if (!report.valid()) refuse_plan(r, report.problem());
    if (report.steps != run.steps)
        refuse_plan(r, "in its last step, packets are sent only to nodes that have them");
    if (plan.bound.steps == 0)
        plan.bound = lower_bound(r.network, r.group, r.source, r.experiment.packets, run.steps);
}

Choices group_choices() {
    return {{"line", "a row through the source"},
            {"rectangle", "a plane through the source"},
            {"global", "all nodes"},
            {"nodes:LIST", "these nodes, as in nodes:0,5,7"}};
}

Group make_group(const Network& network, const BroadcastExperiment& experiment, NodeId source) {
    if (experiment.group == "global") return global_group(network);
    if (experiment.group == "line" || experiment.group == "rectangle")
        return axes_group(network, source, parse_axes(experiment.axes));
    if (experiment.group.starts_with("nodes:")) {
        std::vector<NodeId> targets;
        for (const std::string& piece : split(experiment.group.substr(6), ','))
            targets.push_back(parse_node(network, piece));
        return node_group(network, source, targets);
    }
    throw unknown_name("group", experiment.group, group_choices());
}

}  // namespace interlace
