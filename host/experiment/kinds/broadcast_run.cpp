// Interlace: a broadcast, run on an engine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "broadcast_program.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/nodes/checkpoints.h"
#include "interlace/experiment/nodes/details.h"
#include "interlace/experiment/nodes/same_on_ranks.h"
#include "interlace/harness/hosts/injection_plan.h"
#include "interlace/program/schedule.h"

namespace interlace {
namespace {

void check_engine(const BroadcastExperiment& experiment) {
    const auto refuse = [](const char* path, const std::string& problem, const std::string& expected) {
        throw ValueError({problem, expected}, path);
    };
    const CycleOptions& cycles = experiment.cycles;
    if (experiment.engine != "step" && !is_cycle_engine(experiment.engine))
        throw ValueError(unknown_name("engine", experiment.engine, broadcast_engines()), "engine");
    if (experiment.engine != "step") return;
    const std::string others = or_list(cycle_engines());
    if (!cycles.ranks->alone())
        refuse("engine", fmt::format("cannot divide the engine step among {} ranks", cycles.ranks->size()),
               others);
    if (cycles.records.files())
        refuse("engine", "cannot record a trace, packet log or use of queues on the engine step", others);
    if (cycles.background.any())
        refuse("background", "cannot run background traffic on the engine step", others);
    if (cycles.checkpoint.any()) refuse("engine", "cannot use checkpoints of the engine step", others);
    // What a step engine has no use for is read by another engine in the next run.
    if (cycles.pace != "off" && cycles.pace != "step")
        refuse("pace", "cannot use pace '" + cycles.pace + "'", "off or step");
    about("forwarding", [&] { parse_forwarding(cycles.forwarding); });
    for (const std::string& engine : split(cycles.lockstep, ','))
        if (!cycles.lockstep.empty() && !is_cycle_engine(engine))
            refuse("lockstep", "cannot use lockstep with '" + engine + "'", others);
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

/// `sends`: [link], over `steps`; `over_time`: sends in each window.
template <class Counts>
Json step_links_json(const Network& network, const Counts& sends, std::uint32_t steps,
                     const std::vector<std::uint64_t>& over_time, std::uint32_t window = 1) {
    LinkShares shares;
    shares.of_link = [&](NodeId node, std::uint32_t port) {
        return static_cast<double>(sends[network.first_link(node) + port]) / std::max(steps, 1U);
    };
    for (const std::uint64_t in_window : over_time)
        shares.over_time.push_back(static_cast<double>(in_window) / network.link_count() / window);
    shares.window = window;
    shares.unit = "steps";
    return links_json(network, shares);
}

/// What a report draws of a run in steps.
void add_details(BroadcastResult& result, const Network& network, const Program& program, const StepRun& run,
                 std::uint32_t packets) {
    result.links = step_links_json(network, sends_per_link(network, program), run.steps, run.sends_in_step);
    std::vector<std::uint64_t> arrival(run.arrival.begin(), run.arrival.end());
    std::replace(arrival.begin(), arrival.end(), std::uint64_t{UINT32_MAX}, UINT64_MAX);
    result.wavefront = wavefront_json(network, result.source, packets, "step", arrival);
}

/// Of a schedule as it is written.
void add_details(CheckResult& result, const ResolvedBroadcast& r, const std::vector<TimedSend>& schedule) {
    constexpr std::uint32_t max_windows = 1000;
    const std::uint32_t packets = r.experiment.packets;
    std::uint32_t steps = 1;
    for (const TimedSend& send : schedule) steps = std::max(steps, send.step);
    const std::uint32_t window = (steps - 1) / max_windows + 1;
    std::vector<std::uint64_t> sends(r.network.link_count(), 0), over_time((steps - 1) / window + 1, 0);
    std::vector<std::uint64_t> arrival(std::size_t{r.network.node_count()} * packets, UINT64_MAX);
    for (const TimedSend& send : schedule) {
        ++sends[*r.network.link(send.from, send.to)];
        ++over_time[(send.step - 1) / window];
        std::uint64_t& first = arrival[std::size_t{send.to} * packets + send.packet];
        first = std::min<std::uint64_t>(first, send.step);
    }
    result.links = step_links_json(r.network, sends, steps, over_time, window);
    result.wavefront = wavefront_json(r.network, r.source, packets, "step", arrival);
}

}  // namespace

Choices broadcast_engines() {
    Choices engines = cycle_engines();
    engines.insert(engines.begin(), {"step", "one packet crosses one link in one step"});
    return engines;
}

std::string BroadcastExperiment::preparation_key() const {
    if (planner) return {};
    return Json({network, group, axes, source, packets, algorithm, schedule, pattern, seed}).dump();
}

std::shared_ptr<const Preparation> BroadcastExperiment::prepare() const {
    return std::make_shared<const BroadcastProgram>(*this, RunListener{});
}

Json BroadcastExperiment::run(const Preparation* prepared, const RunListener& listener) const {
    return interlace::to_json(run_broadcast(*this, {}, listener, prepared));
}

namespace {

/// Steps without what each node has when.
StepRun without_arrivals(const StepRun& run) {
    StepRun steps;
    steps.steps = run.steps;
    steps.sends_in_step = run.sends_in_step;
    steps.peak_packets_in_flight = run.peak_packets_in_flight;
    steps.peak_packets_waiting = run.peak_packets_waiting;
    steps.peak_list_waiting = run.peak_list_waiting;
    steps.link_utilisation = run.link_utilisation;
    return steps;
}

/// What is known of a program before it runs on nodes.
BroadcastResult result_of(const BroadcastExperiment& experiment, const BroadcastProgram& p,
                          const BroadcastFiles& files) {
    const Network& network = p.r.network;
    BroadcastResult result{experiment,  p.r.source, p.plan.patterns, p.plan.split, without_arrivals(p.run),
                           p.plan.bound};
    result.experiment.axes = p.r.experiment.axes;
    result.experiment.algorithm = p.r.experiment.algorithm;
    result.sends = p.program.send_count();
    result.usable_links = usable_links(network, p.r.group);
    if (!is_cycle_engine(experiment.engine) && experiment.cycles.records.details)
        add_details(result, network, p.program, p.run, experiment.packets);
    if (files.forwarding_table) {
        const ForwardingTable table = forwarding_table(network, p.program);
        result.table_bits = table.bits_per_node;
        result.packed_table_bits = table.packed_bits_per_node;
    }
    return result;
}

void write_files(const BroadcastProgram& p, const BroadcastFiles& files) {
    if (!files.schedule.empty())
        write_whole_file(files.schedule, [&](std::ostream& out) {
            write_schedule(out, timed_sends(p.r.network, p.program, p.run));
        });
    if (!files.links.empty()) write_links(files.links, p.r.network, p.program, p.run.steps);
}

/// On nodes.
void run_on_nodes(BroadcastResult& result, const Network& network, CyclePlan plan, Checkpoint& checkpoint,
                  const RunListener& listener) {
    const BroadcastExperiment& e = result.experiment;
    result.cycles = run_cycles(network, std::move(plan), e.engine, e.cycles, e.seed, listener, checkpoint);
    result.links = std::move(result.cycles->links);
    result.wavefront = std::move(result.cycles->wavefront);
}

/// On several ranks, of which the first plans, proves, keeps its part and tells the others theirs.
BroadcastResult run_on_ranks(const BroadcastExperiment& experiment, const BroadcastFiles& files,
                             const RunListener& listener, Checkpoint& checkpoint) {
    Communicator& ranks = *experiment.cycles.ranks;
    const Network network = about("network", [&] { return make_network(experiment.network); });
    BroadcastResult result{experiment, {}, {}, {}, {}, {}};
    std::unique_ptr<const BroadcastProgram> program;
    std::optional<CyclePlan> plan;
    std::exception_ptr thrown;
    try {
        if (ranks.rank() == 0) {
            program = std::make_unique<const BroadcastProgram>(experiment, listener);
            result = result_of(experiment, *program, files);
            plan.emplace(program->r.network, program->program, experiment.cycles, listener);
            write_files(*program, files);
        }
    } catch (...) {
        thrown = std::current_exception();
    }
    rethrow_first(ranks, 0, thrown);
    CyclePlan part = CyclePlan::divided(std::move(plan), network, experiment.cycles);
    program.reset();
    run_on_nodes(result, network, std::move(part), checkpoint, listener);
    return result;
}

}  // namespace

BroadcastResult run_broadcast(const BroadcastExperiment& experiment, const BroadcastFiles& files,
                              const RunListener& listener, const Preparation* prepared) {
    check_engine(experiment);
    require_same_experiment(*experiment.cycles.ranks, experiment.to_json());
    Checkpoint checkpoint =
        open_checkpoint(experiment.cycles, experiment.to_json(), experiment.warm_up(), listener);
    if (!experiment.cycles.ranks->alone()) return run_on_ranks(experiment, files, listener, checkpoint);
    std::unique_ptr<const BroadcastProgram> own;
    if (prepared == nullptr) own = std::make_unique<const BroadcastProgram>(experiment, listener);
    const BroadcastProgram& p = own ? *own : dynamic_cast<const BroadcastProgram&>(*prepared);
    BroadcastResult result = result_of(experiment, p, files);
    if (is_cycle_engine(experiment.engine))
        run_on_nodes(result, p.r.network, CyclePlan(p.r.network, p.program, experiment.cycles, listener),
                     checkpoint, listener);
    write_files(p, files);
    return result;
}

std::vector<TimedSend> make_schedule(const BroadcastExperiment& experiment, const RunListener& listener) {
    check_engine(experiment);
    const BroadcastProgram p(experiment, listener);
    return timed_sends(p.r.network, p.program, p.run);
}

CheckResult run_check(const BroadcastExperiment& experiment, const std::vector<TimedSend>& schedule,
                      const std::vector<std::uint32_t>& lines) {
    check_engine(experiment);
    const ResolvedBroadcast r(experiment);
    CheckResult result{r.experiment,
                       check_schedule(r.network, r.group, r.source, r.experiment.packets, schedule, lines),
                       {}};
    result.bound = lower_bound(r.network, r.group, r.source, r.experiment.packets);
    if (experiment.cycles.records.details && result.report.valid()) add_details(result, r, schedule);
    return result;
}

CheckResult run_check(const BroadcastExperiment& experiment, const std::string& schedule_file) {
    std::vector<std::uint32_t> lines;
    const auto schedule = read_schedule(schedule_file, &lines);
    return run_check(experiment, schedule, lines);
}

}  // namespace interlace
