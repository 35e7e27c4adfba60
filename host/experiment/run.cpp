// Interlace: from an experiment to its result: the only place that picks an algorithm and an engine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "details.h"
#include "interlace/broadcast/optimal.h"
#include "interlace/broadcast/paper.h"
#include "interlace/broadcast/spanning_trees.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/experiment.h"
#include "interlace/harness/injection_plan.h"

namespace interlace {
namespace {

/// An experiment with its names looked up.
struct Resolved {
    Experiment experiment;
    Network network;
    NodeId source;
    std::vector<std::uint32_t> axes;  // empty for a list of nodes and where there are no coordinates
    Group group;
    std::function<void(double)> progress = {};
};

std::vector<std::uint32_t> resolve_axes(const Network& network, Experiment& experiment) {
    const bool line = experiment.group == "line";
    if (line || experiment.group == "rectangle") {
        if (experiment.axes.empty()) experiment.axes = line ? "x" : "xy";
        auto axes = parse_axes(experiment.axes);
        if (axes.size() != (line ? 1U : 2U))
            throw InputError(fmt::format("axes '{}' of a {}", experiment.axes, experiment.group),
                             line ? "one axis, as in x" : "two axes, as in xy");
        return axes;
    }
    if (!experiment.axes.empty())
        throw InputError("axes of the group '" + experiment.group + "'", "no axes, or a line or rectangle");
    if (experiment.group != "global" || !network.lattice()) return {};
    std::vector<std::uint32_t> axes(network.lattice()->dimensions());
    std::iota(axes.begin(), axes.end(), 0U);
    return axes;
}

std::string default_algorithm(const Network& network, const std::vector<std::uint32_t>& axes) {
    if (axes.empty() || !network.lattice() || !network.lattice()->wraps()) return "optimal";
    return network.lattice()->kind() == Lattice::Kind::ibt ? "paper" : "spanning_tree";
}

void check_engine(const Experiment& experiment) {
    const auto refuse = [](const char* path, const std::string& problem, const std::string& expected) {
        throw ValueError({problem, expected}, path);
    };
    const CycleOptions& cycles = experiment.cycles;
    if (experiment.engine != "step" && !is_cycle_engine(experiment.engine))
        refuse("engine", "engine '" + experiment.engine + "'", "step, native, systemc or rtl");
    if (experiment.engine != "step") return;
    const char* others = "native, systemc or rtl";
    if (cycles.records.files())
        refuse("engine", "a trace, packet log or use of queues on the engine step", others);
    if (cycles.background.any()) refuse("background", "background traffic on the engine step", others);
    // What a step engine has no use for is read by another engine in the next run.
    if (cycles.pace != "off" && cycles.pace != "step")
        refuse("pace", "pace '" + cycles.pace + "'", "off or step");
    about("forwarding", [&] { parse_forwarding(cycles.forwarding); });
    for (const std::string& engine : split(cycles.lockstep, ','))
        if (!cycles.lockstep.empty() && !is_cycle_engine(engine))
            refuse("lockstep", "lockstep with '" + engine + "'", others);
}

Resolved resolve(Experiment experiment) {
    Network network = about("network", [&] { return make_network(experiment.network); });
    if (network.has_switches())
        throw ValueError(
            InputError("a pipelined broadcast on a cluster, whose switches are no hosts",
                       "--algorithm binomial, spoc, fnf or optimal_tree; or a torus, mesh, ibt or graph")
                .at(experiment.network),
            "network");
    const NodeId source = about("broadcast.source", [&] { return parse_node(network, experiment.source); });
    if (experiment.packets < 1 ||
        std::uint64_t{experiment.packets} * network.node_count() > (std::uint64_t{1} << 31U))
        throw ValueError({fmt::format("{} packets on {} nodes", experiment.packets, network.node_count()),
                          "at least 1 packet, and at most 2^31 deliveries"},
                         "broadcast.packets");
    if (experiment.pattern != "best")
        about("broadcast.pattern", [&] { parse_integer(experiment.pattern, "pattern (or best)", 0, 15); });
    auto axes = about("broadcast.axes", [&] { return resolve_axes(network, experiment); });
    Group group = about("broadcast.group", [&] { return make_group(network, experiment, source); });
    if (experiment.algorithm.empty())
        experiment.algorithm = experiment.schedule.empty() ? default_algorithm(network, axes) : "schedule";
    if (!experiment.schedule.empty() && experiment.algorithm != "schedule")
        throw ValueError(
            {"algorithm '" + experiment.algorithm + "' beside the schedule " + experiment.schedule,
             "one of them"},
            "broadcast.algorithm");
    return {experiment, std::move(network), source, std::move(axes), std::move(group)};
}

struct Plan {
    std::vector<Send> sends;
    std::vector<std::uint32_t> patterns, split;
    LowerBound bound;  // steps 0: not computed with the plan
};

void need_axes(const Resolved& r) {
    if (r.axes.empty())
        throw InputError(fmt::format("algorithm '{}' for the group '{}' of {}", r.experiment.algorithm,
                                     r.experiment.group, r.network.name()),
                         "a line, rectangle or global broadcast on a torus or ibt, or the algorithm optimal");
}

Plan plan_paper(const Resolved& r) {
    need_axes(r);
    Patterns patterns = paper_patterns(r.axes.size());
    if (r.experiment.pattern != "best")
        patterns = {
            static_cast<std::uint32_t>(parse_integer(r.experiment.pattern, "pattern (or best)", 0, 15))};
    PaperBroadcast paper = paper_broadcast(r.network, r.source, r.axes, r.experiment.packets, patterns);
    return {std::move(paper.sends), std::move(paper.patterns), std::move(paper.split), {}};
}

Plan plan_spanning_tree(const Resolved& r) {
    need_axes(r);
    return {spanning_tree_broadcast(r.network, r.source, r.axes, r.experiment.packets), {}, {}, {}};
}

Plan plan_ring(const Resolved& r) {
    need_axes(r);
    if (r.axes.size() != 1)
        throw InputError("algorithm 'ring' for the group '" + r.experiment.group + "'", "the group line");
    return {ring_broadcast(r.network, r.source, r.axes.front(), r.experiment.packets).sends, {}, {}, {}};
}

Plan plan_optimal(const Resolved& r) {
    OptimalOptions options;
    options.seed = r.experiment.seed;
    options.progress = r.progress;
    OptimalBroadcast optimal = optimal_broadcast(r.network, r.group, r.source, r.experiment.packets, options);
    return {std::move(optimal.sends), {}, {}, optimal.bound};
}

/// Anyone's.
Plan plan_schedule(const Resolved& r) {
    const std::string& file = r.experiment.schedule;
    if (file.empty()) throw InputError("algorithm 'schedule' without a schedule", "a file: --schedule FILE");
    std::vector<TimedSend> schedule = read_schedule(file);
    const CheckReport report = check_schedule(r.network, r.group, r.source, r.experiment.packets, schedule);
    if (!report.valid())
        throw InputError(report.problem, "a schedule that interlace check finds valid").at(file);
    std::stable_sort(schedule.begin(), schedule.end(),
                     [](const TimedSend& a, const TimedSend& b) { return a.step < b.step; });
    Plan plan;
    for (const TimedSend& send : schedule)
        plan.sends.push_back({*r.network.link(send.from, send.to), send.packet});
    return plan;
}

using Planner = std::function<Plan(const Resolved&)>;

Planner planner(const std::string& algorithm) {
    static const std::vector<std::pair<std::string, Planner>> planners = {
        {"paper", plan_paper},
        {"spanning_tree", plan_spanning_tree},
        {"ring", plan_ring},
        {"optimal", plan_optimal},
        {"schedule", plan_schedule}};
    for (const auto& [name, make] : planners)
        if (name == algorithm) return make;
    throw InputError("algorithm '" + algorithm + "'", "paper, spanning_tree, ring, optimal or schedule");
}

/// A broadcast's program, what it takes in steps and what it must, proven by the checker: all that no engine
/// and no node has a part in.
struct Planned {
    Planned(const Experiment& experiment, const RunListener& listener);
    Planned(const Planned&) = delete;
    Planned& operator=(const Planned&) = delete;

    Resolved r;
    Plan plan;  // without its sends
    Program program;
    StepRun run;

  private:
    static Resolved resolved(const Experiment& experiment, const RunListener& listener);
    static Program take_program(const Resolved& r, Plan& plan);
};

Planned::Planned(const Experiment& experiment, const RunListener& listener)
    : r(resolved(experiment, listener)),
      plan(about("broadcast.algorithm", [&] { return planner(r.experiment.algorithm)(r); })),
      program(take_program(r, plan)),
      run(run_steps(r.network, r.group, program)) {
    const CheckReport report = check_schedule(r.network, r.group, r.source, r.experiment.packets,
                                              timed_sends(r.network, program, run));
    if (!report.valid() || report.steps != run.steps)
        throw std::logic_error(
            fmt::format("the {} schedule does not hold: {}", r.experiment.algorithm, report.problem));
    if (plan.bound.steps == 0)
        plan.bound = lower_bound(r.network, r.group, r.source, r.experiment.packets, run.steps);
}

Resolved Planned::resolved(const Experiment& experiment, const RunListener& listener) {
    Resolved r = resolve(experiment);
    if (listener.progress)
        r.progress = [tell = listener.progress](double share) { tell("scheduled", share); };
    return r;
}

Program Planned::take_program(const Resolved& r, Plan& plan) {
    const std::vector<Send> sends = std::move(plan.sends);
    return {r.network, r.source, r.experiment.packets, sends};
}

/// What plan_ahead() has planned, and its key.
std::pair<std::string, std::unique_ptr<const Planned>>& planned_ahead() {
    static std::pair<std::string, std::unique_ptr<const Planned>> ahead;
    return ahead;
}

void write_links(const std::string& path, const Network& network, const Program& program,
                 std::uint32_t steps) {
    write_whole_file(path, [&](std::ostream& out) {
        out << "from,to,packets,utilisation\n";
        const auto sends = sends_per_link(network, program);
        for (std::uint32_t v = 0, link = 0; v < network.node_count(); ++v)
            for (const NodeId to : network.neighbours(NodeId{v})) {
                out << fmt::format("{},{},{},{:.6g}\n", v, +to, sends[link],
                                   static_cast<double>(sends[link]) / std::max(steps, 1U));
                ++link;
            }
    });
}

/// What a report draws of a run in steps.
void add_details(BroadcastResult& result, const Network& network, const Program& program,
                 std::uint32_t packets) {
    const auto sends = sends_per_link(network, program);
    const StepRun& run = result.run;
    LinkShares shares;
    shares.of_link = [&](NodeId node, std::uint32_t port) {
        return static_cast<double>(sends[network.first_link(node) + port]) / std::max(run.steps, 1U);
    };
    for (const std::uint64_t in_step : run.sends_in_step)
        shares.over_time.push_back(static_cast<double>(in_step) / network.link_count());
    shares.unit = "steps";
    result.links = links_json(network, shares);
    std::vector<std::uint64_t> arrival(run.arrival.begin(), run.arrival.end());
    std::replace(arrival.begin(), arrival.end(), std::uint64_t{UINT32_MAX}, UINT64_MAX);
    result.wavefront = wavefront_json(network, result.source, packets, "step", arrival);
}

}  // namespace

Group make_group(const Network& network, const Experiment& experiment, NodeId source) {
    if (experiment.group == "global") return global_group(network);
    if (experiment.group == "line" || experiment.group == "rectangle")
        return axes_group(network, source, parse_axes(experiment.axes));
    if (experiment.group.starts_with("nodes:")) {
        std::vector<NodeId> targets;
        for (const std::string& piece : split(experiment.group.substr(6), ','))
            targets.push_back(parse_node(network, piece));
        return node_group(network, source, targets);
    }
    throw InputError("group '" + experiment.group + "'", "line, rectangle, global or nodes:0,5,7");
}

std::string program_key(const Experiment& e) {
    return Json({e.network, e.group, e.axes, e.source, e.packets, e.algorithm, e.schedule, e.pattern, e.seed})
        .dump();
}

void plan_ahead(const Experiment& experiment) {
    auto& [key, planned] = planned_ahead();
    if (planned && key == program_key(experiment)) return;
    planned = nullptr;  // two may not fit into memory
    planned = std::make_unique<const Planned>(experiment, RunListener{});
    key = program_key(experiment);
}

BroadcastResult run_broadcast(const Experiment& experiment, const BroadcastFiles& files,
                              const RunListener& listener) {
    check_engine(experiment);
    std::unique_ptr<const Planned> own;
    const auto& [key, ahead] = planned_ahead();
    if (!ahead || key != program_key(experiment)) own = std::make_unique<const Planned>(experiment, listener);
    const Planned& p = own ? *own : *ahead;
    const Network& network = p.r.network;
    const std::uint32_t packets = experiment.packets;
    BroadcastResult result{experiment, p.r.source, p.plan.patterns, p.plan.split, p.run, p.plan.bound};
    result.experiment.axes = p.r.experiment.axes;
    result.experiment.algorithm = p.r.experiment.algorithm;
    result.sends = p.program.send_count();
    result.usable_links = usable_links(network, p.r.group);
    if (is_cycle_engine(experiment.engine))
        result.cycles =
            run_cycles(network, p.program, experiment.engine, experiment.cycles, experiment.seed, listener);
    if (result.cycles) {
        result.links = std::move(result.cycles->links);
        result.wavefront = std::move(result.cycles->wavefront);
    } else if (experiment.cycles.records.details) {
        add_details(result, network, p.program, packets);
    }
    if (files.forwarding_table) {
        const ForwardingTable table = forwarding_table(network, p.program);
        result.table_bits = table.bits_per_node;
        result.packed_table_bits = table.packed_bits_per_node;
    }
    if (!files.schedule.empty())
        write_whole_file(files.schedule, [&](std::ostream& out) {
            write_schedule(out, timed_sends(network, p.program, p.run));
        });
    if (!files.links.empty()) write_links(files.links, network, p.program, p.run.steps);
    return result;
}

CheckResult run_check(const Experiment& experiment, const std::string& schedule_file) {
    check_engine(experiment);
    const Resolved r = resolve(experiment);
    const auto schedule = read_schedule(schedule_file);
    CheckResult result{
        r.experiment, check_schedule(r.network, r.group, r.source, r.experiment.packets, schedule), {}};
    result.bound = lower_bound(r.network, r.group, r.source, r.experiment.packets);
    return result;
}

}  // namespace interlace
