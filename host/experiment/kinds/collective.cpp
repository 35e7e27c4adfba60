// Interlace: collectives over the links of a direct network, in steps
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/collective.h"

#include <fmt/format.h>

#include <stdexcept>

#include "check_json.h"
#include "interlace/broadcast/collectives/allgather.h"
#include "interlace/broadcast/collectives/alltoall.h"
#include "interlace/broadcast/collectives/reducescatter.h"
#include "interlace/broadcast/collectives/routed_alltoall.h"
#include "interlace/capacity/check_capacity.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/value_error.h"
#include "interlace/core/whole_file.h"
#include "interlace/network/specification.h"
#include "interlace/program/check_collective.h"
#include "interlace/program/schedule.h"

namespace interlace {
namespace {

constexpr Names<DirectCollective, 4> collectives = {
    {{"allgather", DirectCollective::allgather, "every node gets the packets of all"},
     {"reducescatter", DirectCollective::reducescatter, "every node gets sums of its own"},
     {"allreduce", DirectCollective::allreduce, "every node gets all sums"},
     {"alltoall", DirectCollective::alltoall, "every node sends packets of their own to all others"}}};
constexpr Names<int, 1> algorithms = {{{"optimal", 0, "few steps over all links, with a lower bound"}}};
constexpr std::uint32_t max_chunks = 1'000'000;
/// Sends that are written out at most, 16 bytes each.
constexpr std::uint64_t max_sends = 250'000'000;

Network direct_network(const std::string& specification) {
    Network network = make_network(specification);
    if (network.has_switches())
        throw InputError("cannot run algorithm optimal on " + specification + ", which has switches",
                         "a network whose nodes all have hosts, or another algorithm");
    return network;
}

std::uint64_t packets(const CollectiveExperiment& e, const Network& network) {
    const std::uint64_t nodes = network.node_count();
    return (e.collective == DirectCollective::alltoall ? nodes * nodes : nodes) * e.chunks;
}

void check_chunks(const CollectiveExperiment& e, const Network& network) {
    if (std::uint64_t{network.node_count()} * e.chunks >= UINT32_MAX)
        throw ValueError({fmt::format("cannot number {} chunks of {} nodes", e.chunks, network.node_count()),
                          "fewer than 2^32 of all nodes"},
                         collective_name(e.collective) + ".chunks");
}

/// A schedule of a file has a number for each packet.
void check_packets(const CollectiveExperiment& e, const Network& network) {
    check_chunks(e, network);
    if (packets(e, network) >= UINT32_MAX)
        throw InputError(fmt::format("cannot number {} packets", packets(e, network)),
                         "fewer than 2^32, for a schedule in a file");
}

/// `come`: packets come by links to a node, or leave it.
CollectiveBound bound_text(const AllGatherBound& bound, std::uint64_t packets, bool come) {
    if (bound.kind == AllGatherBound::Kind::diameter)
        return {bound.steps, "diameter",
                fmt::format("node {} is as many links away from another", +bound.node)};
    return {bound.steps, "degree",
            fmt::format("{} packets {} by {} link{} {} node {}", packets, come ? "come" : "go", bound.links,
                        bound.links == 1 ? "" : "s", come ? "to" : "from", +bound.node)};
}

bool is_torus(const Network& network) {
    return network.lattice() && network.lattice()->kind() == Lattice::Kind::torus;
}

/// Proves the bound of an exchange by the independent checker, too.
void check_lengths(const CapacityRun& capacity) {
    const Network& network = capacity.network;
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (std::uint32_t port = 0; port < network.degree(NodeId{v}); ++port)
            lengths.push_back(capacity.found->bound.lengths[capacity.classes.of(NodeId{v}, port)]);
    const CheckedBound proven = check_capacity(network, capacity.demands, lengths, false);
    const LengthBound& claimed = capacity.found->bound;
    if (proven.distances != claimed.distances || proven.lengths != claimed.all_lengths)
        throw std::logic_error("the lengths of " + network.name() + " do not prove its capacity");
}

CapacityRun capacity_of(const CollectiveExperiment& e, const RunListener& listener) {
    CapacityExperiment capacity;
    capacity.network = e.network;
    CapacityRun run = run_capacity(capacity, listener);
    check_lengths(run);
    return run;
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
                        chunks == 1 ? "" : "s", lengths.distances * chunks, lengths.all_lengths)};
}

CollectiveBound torus_bound(const Network& network, std::uint32_t chunks) {
    const AllToAllBound bound = alltoall_bound(network, chunks);
    if (bound.kind == AllToAllBound::Kind::diameter) return diameter_bound(bound.steps);
    return {bound.steps, "links",
            fmt::format("the packets of a node make {} hops in dimension {}, by two links a node", bound.hops,
                        bound.dimension)};
}

/// For each sum 2 N - 2 packets have to be sent, so that all nodes have what depends on all (one-way gossip:
/// Harary and Schwenk, "The communication problem on graphs and digraphs", 1974).
CollectiveBound allreduce_bound(const Network& network, std::uint32_t chunks) {
    const std::uint64_t nodes = network.node_count(), links = network.link_count();
    const std::uint64_t sends = 2 * (nodes - 1) * nodes * chunks;
    const AllGatherBound distances = allgather_bound(network, 1);
    const auto steps = static_cast<std::uint32_t>((sends + links - 1) / links);
    if (distances.kind == AllGatherBound::Kind::diameter && steps < distances.steps)
        return bound_text(distances, 0, true);
    return {steps, "sends", fmt::format("{} packets have to be sent over {} links", sends, links)};
}

/// Of an exchange on another network than a torus by its capacity.
CollectiveBound bound_of(const CollectiveExperiment& e, const Network& network,
                         const std::optional<CapacityRun>& capacity) {
    const std::uint64_t of_others = (network.node_count() - std::uint64_t{1}) * e.chunks;
    switch (e.collective) {
        case DirectCollective::allgather:
            return bound_text(allgather_bound(network, e.chunks), of_others, true);
        case DirectCollective::reducescatter:
            return bound_text(allgather_bound(reversed_links(network), e.chunks), of_others, false);
        case DirectCollective::allreduce:
            return allreduce_bound(network, e.chunks);
        case DirectCollective::alltoall:
            break;
    }
    return capacity ? routed_bound(*capacity, e.chunks) : torus_bound(network, e.chunks);
}

bool needs_capacity(const CollectiveExperiment& e, const Network& network) {
    return e.collective == DirectCollective::alltoall && !is_torus(network);
}

/// One report of two schedules that follow one another.
CheckReport joined(const CheckReport& first, const CheckReport& second) {
    CheckReport both = first.valid() ? second : first;
    both.steps = first.steps + second.steps;
    both.sends = first.sends + second.sends;
    both.redundant_sends = first.redundant_sends + second.redundant_sends;
    return both;
}

void schedule(CollectiveRun& run, const std::function<void(double)>& progress) {
    const CollectiveExperiment& e = run.experiment;
    const Network& network = run.network;
    AllGatherOptions options;
    options.seed = e.seed;
    options.progress = progress;
    if (e.collective == DirectCollective::allgather) {
        const auto& found =
            run.schedule.emplace<SymmetricSchedule>(optimal_allgather(network, e.chunks, options).schedule);
        run.report = check_allgather(network, found);
    } else if (run.capacity) {
        RoutedOptions routed;
        routed.seed = e.seed;
        const auto& found = run.schedule.emplace<SymmetricSchedule>(
            routed_alltoall(network, run.capacity->classes, *run.capacity->found, e.chunks, routed).schedule);
        run.report = check_alltoall(network, found);
    } else if (e.collective == DirectCollective::alltoall) {
        const auto& found =
            run.schedule.emplace<ExchangeSchedule>(optimal_alltoall(network, e.chunks, progress).schedule);
        run.report = check_alltoall(network, found);
    } else {
        SymmetricSchedule scatter = optimal_reducescatter(network, e.chunks, options).schedule;
        run.report = check_reducescatter(network, scatter);
        if (e.collective == DirectCollective::reducescatter) {
            run.schedule = std::move(scatter);
        } else {
            SymmetricSchedule gather = optimal_allgather(network, e.chunks, options).schedule;
            run.report = joined(run.report, check_allgather(network, gather));
            run.schedule = AllReduceSchedule{std::move(scatter), std::move(gather)};
        }
    }
}

std::vector<ReducingSend> with_operation(const std::vector<TimedSend>& sends, bool reduces,
                                         std::uint32_t after_step = 0) {
    std::vector<ReducingSend> rows;
    rows.reserve(sends.size());
    for (TimedSend send : sends) {
        send.step += after_step;
        rows.push_back({send, reduces});
    }
    return rows;
}

/// Of a reduction.
std::vector<ReducingSend> rows_of(const CollectiveRun& run) {
    if (const auto* scatter = std::get_if<SymmetricSchedule>(&run.schedule))
        return with_operation(all_sends(run.network, *scatter), true);
    const auto& both = std::get<AllReduceSchedule>(run.schedule);
    std::vector<ReducingSend> rows = with_operation(all_sends(run.network, both.scatter), true);
    const auto gather = with_operation(all_sends(run.network, both.gather), false, both.scatter.steps());
    rows.insert(rows.end(), gather.begin(), gather.end());
    return rows;
}

std::vector<TimedSend> sends_of(const CollectiveRun& run) {
    if (const auto* exchange = std::get_if<ExchangeSchedule>(&run.schedule))
        return all_sends(run.network, *exchange);
    return all_sends(run.network, std::get<SymmetricSchedule>(run.schedule));
}

CheckReport check_rows(const CollectiveExperiment& e, const Network& network, const std::string& file) {
    std::vector<std::uint32_t> lines;
    if (reduces(e.collective)) {
        const std::vector<ReducingSend> rows = read_reducing_schedule(file, &lines);
        return check_reduction(network, e.chunks, e.collective == DirectCollective::allreduce, rows, lines);
    }
    const std::vector<TimedSend> sends = read_schedule(file, &lines);
    return e.collective == DirectCollective::allgather ? check_allgather(network, e.chunks, sends, lines)
                                                       : check_alltoall(network, e.chunks, sends, lines);
}

}  // namespace

bool reduces(DirectCollective collective) {
    return collective == DirectCollective::reducescatter || collective == DirectCollective::allreduce;
}

bool is_collective(ConfigMap& config, DirectCollective collective) {
    ConfigMap map = config.map(collective_name(collective));
    if (map.has("algorithm")) return has_name(algorithms, map.text("algorithm"));
    for (const char* key : {"message", "barriers", "sync", "block", "permutation", "window", "reorder"})
        if (map.has(key)) return false;
    for (const char* key : {"tree", "root", "routing", "lockstep", "event", "seeds"})
        if (config.has(key)) return false;
    if (config.has("engine") && config.text("engine", "") == "event") return false;
    std::vector<std::string> overrides;
    const std::string network = network_specification(config, overrides);
    return !network.starts_with("cluster:");
}

std::unique_ptr<Experiment> read_collective(ConfigMap& config, DirectCollective collective) {
    auto e = std::make_unique<CollectiveExperiment>();
    e->collective = collective;
    std::vector<std::string> overrides;
    e->network = network_specification(config, overrides);
    if (const std::string engine = config.text("engine", "step"); engine != "step")
        throw InputError("cannot run algorithm optimal on the engine " + engine, "step, or another algorithm")
            .at(config.place("engine"));
    if (config.has("seed")) e->seed = config.integer("seed", 0, UINT64_MAX);
    ConfigMap map = config.map(collective_name(collective));
    e->algorithm = map.text("algorithm", e->algorithm);
    if (!has_name(algorithms, e->algorithm))
        throw unknown_name("algorithm", e->algorithm, collective_algorithms()).at(map.place("algorithm"));
    map.update("chunks", e->chunks, 1, max_chunks);
    map.finish();
    return e;
}

std::unique_ptr<Experiment> read_reducescatter(ConfigMap& config) {
    return read_collective(config, DirectCollective::reducescatter);
}

std::unique_ptr<Experiment> read_allreduce(ConfigMap& config) {
    return read_collective(config, DirectCollective::allreduce);
}

Choices collective_names() {
    return choices_of(collectives);
}

std::string collective_name(DirectCollective collective) {
    return name_of(collectives, collective);
}

DirectCollective collective_of(const std::string& name) {
    return value_of(collectives, name, "collective");
}

Choices collective_algorithms() {
    return choices_of(algorithms);
}

Json CollectiveExperiment::to_json() const {
    return {{"schema", 1},
            {"network", network},
            {"engine", "step"},
            {"seed", seed},
            {collective_name(collective), {{"algorithm", algorithm}, {"chunks", chunks}}}};
}

std::vector<Measure> CollectiveExperiment::measures() const {
    return {{"steps"}, {"lower_bound"}, {"gap"}, {"link_utilisation", true}};
}

Json CollectiveExperiment::run(const Preparation*, const RunListener& listener) const {
    return interlace::to_json(run_collective(*this, listener));
}

double CollectiveRun::link_utilisation() const {
    return report.steps == 0 ? 0 : static_cast<double>(report.sends) / network.link_count() / report.steps;
}

CollectiveRun run_collective(const CollectiveExperiment& e, const RunListener& listener) {
    CollectiveRun run{e, about("network", [&] { return direct_network(e.network); }), {}, {}, {}, {}};
    check_chunks(e, run.network);
    if (needs_capacity(e, run.network)) run.capacity = capacity_of(e, listener);
    std::function<void(double)> progress;
    if (listener.progress) progress = [&](double share) { listener.progress("schedule", share); };
    about("network", [&] {
        run.bound = bound_of(e, run.network, run.capacity);
        schedule(run, progress);
        return 0;
    });
    if (!run.report.valid())
        throw std::logic_error("the " + collective_name(e.collective) +
                               " is not one: " + run.report.problem());
    return run;
}

void write_sends(const CollectiveRun& run, const std::string& file) {
    check_packets(run.experiment, run.network);
    if (run.report.sends > max_sends)
        throw InputError(fmt::format("cannot write {} sends", run.report.sends),
                         fmt::format("{} at most", max_sends));
    write_whole_file(file, [&](std::ostream& out) {
        if (reduces(run.experiment.collective))
            write_reducing_schedule(out, rows_of(run));
        else
            write_schedule(out, sends_of(run));
    });
}

Json to_json(const CollectiveRun& run) {
    const CollectiveExperiment& e = run.experiment;
    Json json = json_result(collective_name(e.collective), e.seed);
    json["experiment"] = e.to_json();
    json["network"] = e.network;
    json["algorithm"] = e.algorithm;
    json["engine"] = "step";
    json["nodes"] = run.network.node_count();
    json["links"] = run.network.link_count();
    json["packets"] = packets(e, run.network);
    json["steps"] = run.report.steps;
    json["lower_bound"] = run.bound.steps;
    json["lower_bound_kind"] = run.bound.kind;
    json["gap"] = run.gap();
    json["sends"] = run.report.sends;
    json["link_utilisation"] = run.link_utilisation();
    return json;
}

CollectiveCheck check_collective(const CollectiveExperiment& e, const std::string& schedule_file) {
    const Network network = direct_network(e.network);
    check_packets(e, network);
    CheckReport report = check_rows(e, network, schedule_file);
    std::optional<CapacityRun> capacity;
    if (needs_capacity(e, network)) capacity = capacity_of(e, {});
    return {e, std::move(report), bound_of(e, network, capacity)};
}

Json to_json(const CollectiveCheck& check) {
    Json json = json_result("check", 1);
    json["experiment"] = check.experiment.to_json();
    json["network"] = check.experiment.network;
    add_report(json, check.report, check.bound.steps);
    json["lower_bound_kind"] = check.bound.kind;
    return json;
}

}  // namespace interlace
