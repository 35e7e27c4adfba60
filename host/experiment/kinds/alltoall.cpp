// Interlace: a complete exchange on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/alltoall.h"

#include <fmt/format.h>

#include <algorithm>

#include "alltoall_choice.h"
#include "alltoall_program.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/value_error.h"
#include "interlace/experiment/kinds/collective.h"

namespace interlace {
namespace {

/// Seconds for a byte of each pair over the links between the halves of a dimension, of a lattice with all of
/// its links, whatever the tree: of the worst dimension.
double bisection_seconds_per_byte(const Network& network) {
    const Lattice& lattice = *network.lattice();
    const double byte = 8 / static_cast<double>(LinkSpeed{}.bits_per_second);
    double bound = 0;
    for (std::uint32_t d = 0; d < lattice.dimensions(); ++d) {
        const auto in_half = [&](NodeId v) { return lattice.coordinate(v, d) < lattice.sizes()[d] / 2; };
        if (lattice.sizes()[d] == 1) continue;
        double half = 0;
        double links = 0;
        for (std::uint32_t v = 0; v < network.node_count(); ++v) {
            if (!in_half(NodeId{v})) continue;
            ++half;
            for (const NodeId to : network.neighbours(NodeId{v})) links += in_half(to) ? 0 : 1;
        }
        bound = std::max(bound, half * (network.node_count() - half) / links * byte);
    }
    return bound;
}

/// A network with coordinates; files are not read for it.
std::optional<Network> lattice_of(const std::string& specification) {
    for (const char* const of_file : {"cluster:", "graph:", "anynet:"})
        if (specification.starts_with(of_file)) return {};
    Network network = make_network(specification);
    return network.lattice() ? std::optional(std::move(network)) : std::nullopt;
}

/// Aggregate Mbps of an exchange whose bytes take that many seconds each.
double aggregate_mbps(std::uint64_t machines, double seconds_a_byte) {
    return static_cast<double>(machines * (machines - 1)) * 8 / seconds_a_byte / 1e6;
}

/// Frames for which real switches have room at an output, or more; and frames of a run that is worth another.
constexpr std::uint32_t finite_room = 16;
constexpr double most_frames = 2e6;

/// How long the run takes in switches with room for few frames, where it needed more.
void tell_of_infinite_queues(const AllToAllRun& run, const Cluster& cluster, const RunListener& listener) {
    if (!run.result || !listener.warn || cluster.parameters.bounded() || cluster.options.engine != "event")
        return;
    const double waited = run.result->sample(&EventResult::longest_queue).max;
    if (waited <= finite_room) return;
    const std::string key = fmt::format("event.switch.capacity={}", finite_room);
    std::string with = "try --set " + key;
    if (run.result->sample(&EventResult::frames).mean <= most_frames) {
        ClusterOptions options = cluster.options;
        options.overrides.push_back(key);
        AllToAllRun again = run;
        try {
            carry_out(again, Cluster(options, {}), {});
            with = fmt::format("with --set {} it takes {:.6g} ms", key, again.result->seconds().mean * 1e3);
        } catch (const FellShort&) {
            with = fmt::format("with --set {} it never ends: the same frames are dropped each time", key);
        }
    }
    listener.warn(fmt::format(
        "switches have infinite queues, and up to {:.0f} frames waited for one output; {}", waited, with));
}

}  // namespace

Choices alltoall_algorithms() {
    return with_algorithms_of_machines(DirectCollective::alltoall, choices_of(alltoall_algorithm_names));
}

Choices alltoall_syncs() {
    return choices_of(alltoall_sync_names);
}

Choices alltoall_permutations() {
    return choices_of(alltoall_permutation_names);
}

bool chooses(const AllToAllExperiment& e) {
    return e.algorithm == "tuned" || e.algorithm == "best";
}

std::string name_of(const AllToAllExperiment& e) {
    if (e.algorithm == "scheduled")
        return fmt::format("scheduled, {}{}", e.sync, in_blocks(e.sync) ? fmt::format(" ({})", e.block) : "");
    if (e.algorithm == "shuffle")
        return fmt::format("shuffle, {}, {}{}", e.permutation,
                           e.window == "off" ? "no window" : "window " + e.window,
                           e.reorder ? ", reordered" : "");
    return e.algorithm;
}

Sample AllToAllRun::throughput_mbps() const {
    const double bytes =
        static_cast<double>(machines) * (machines - 1) * static_cast<double>(experiment.message);
    std::vector<double> mbps;
    for (const MessageRun& one : result->runs)
        mbps.push_back(one.time_ps == 0 ? 0 : bytes * 8e6 / static_cast<double>(one.time_ps));
    return sample_of(mbps);
}

AllToAllRun run_alltoall(const AllToAllExperiment& e, const RunListener& listener) {
    const AllToAllAlgorithm algorithm = about(
        "alltoall.algorithm", [&] { return value_of(alltoall_algorithm_names, e.algorithm, "algorithm"); });
    about("alltoall.sync", [&] { return value_of(alltoall_sync_names, e.sync, "sync"); });
    const Cluster cluster(e.cluster, listener);
    AllToAllRun run;
    run.experiment = run.ran = e;
    run.parameters = cluster.parameters;
    run.machines = cluster.tree.machine_count();
    run.load = exchange_load(cluster.tree);
    run.peak_mbps = aggregate_mbps(
        run.machines, cluster.slowest_link([](double here, double there) { return here * there; }).seconds);
    if (const std::optional<Network> network = lattice_of(e.cluster.network)) {
        const double own = (run.machines - 1.0) * 8 / static_cast<double>(LinkSpeed{}.bits_per_second);
        run.machine_links_mbps = aggregate_mbps(run.machines, own);
        run.bisection_mbps = aggregate_mbps(run.machines, bisection_seconds_per_byte(*network));
    }
    if (algorithm == AllToAllAlgorithm::best && e.until == Until::plan)
        throw InputError("cannot plan the algorithm best, which runs all candidates",
                         "tuned, or one of the others");
    if (e.until != Until::plan && chooses(e))
        return run_choice(run, algorithm == AllToAllAlgorithm::best, cluster, listener);
    if (algorithm == AllToAllAlgorithm::tuned) run.ran.algorithm = "scheduled";
    plan(run, cluster);
    if (e.until != Until::plan) carry_out(run, cluster, listener);
    tell_of_infinite_queues(run, cluster, listener);
    return run;
}

namespace {

/// An algorithm and what it is told.
Json algorithm_json(const AllToAllExperiment& e) {
    Json json = {{"algorithm", e.algorithm}};
    if (e.algorithm == "scheduled") {
        json["sync"] = e.sync;
        if (in_blocks(e.sync)) json["block"] = e.block;
    }
    if (e.algorithm == "shuffle") {
        json["permutation"] = e.permutation;
        json["window"] = e.window;
        json["reorder"] = e.reorder;
    }
    return json;
}

Json configuration_json(const AllToAllExperiment& e, const EventParameters& parameters) {
    Json json = to_json(e.cluster, parameters);
    json["alltoall"] = algorithm_json(e);
    json["alltoall"]["message"] = e.message;
    return json;
}

}  // namespace

std::unique_ptr<Experiment> read_alltoall(ConfigMap& config) {
    if (is_collective(config, DirectCollective::alltoall))
        return read_collective(config, DirectCollective::alltoall);
    auto e = std::make_unique<AllToAllExperiment>();
    e->cluster = read_cluster_options(config);
    ConfigMap map = config.map("alltoall");
    e->algorithm = map.text("algorithm", e->algorithm);
    read_message(map, e->message);
    if (e->algorithm == "scheduled") {
        e->sync = map.text("sync", e->sync);
        map.update("block", e->block, 1, 1'000'000);
    }
    if (e->algorithm == "shuffle") {
        e->permutation = map.text("permutation", e->permutation);
        e->window = map.text("window", e->window);
        e->reorder = map.truth("reorder", e->reorder);
    }
    map.finish();
    return e;
}

Json AllToAllExperiment::to_json() const {
    return configuration_json(*this, parameters());
}

std::vector<Measure> AllToAllExperiment::measures() const {
    std::vector<Measure> measures = MessageExperiment::measures();
    measures.push_back({"throughput_mbps", true});
    return measures;
}

Json AllToAllExperiment::run(const Preparation*, const RunListener& listener) const {
    return interlace::to_json(run_alltoall(*this, listener));
}

Json to_json(const AllToAllRun& run) {
    const AllToAllExperiment& e = run.experiment;
    Json json = json_result("alltoall", e.cluster.seed);
    json["experiment"] = configuration_json(e, run.parameters);
    if (!run.tried.empty()) json["chosen"] = algorithm_json(run.ran);
    for (const auto& [choice, seconds] : run.tried) {
        json["tried"].push_back(algorithm_json(choice));
        json["tried"].back()["seconds"] = seconds;
    }
    if (run.plan) json["root"] = run.root;
    if (run.ran.algorithm == "shuffle") json["window"] = run.window;
    json["load"] = run.load;
    if (e.until == Until::plan && run.plan) {
        Json phases = Json::array();
        for (const Phase& phase : run.plan->phases) {
            Json messages = Json::array();
            for (const auto& [from, to] : phase) messages.push_back({+from, +to});
            phases.push_back(messages);
        }
        json["phases"] = phases;
    }
    json["peak_throughput_mbps"] = run.peak_mbps;
    if (run.machine_links_mbps) json["machine_links_throughput_mbps"] = *run.machine_links_mbps;
    if (run.bisection_mbps) json["bisection_throughput_mbps"] = *run.bisection_mbps;
    if (run.result) add_result(json, *run.result);
    if (run.result) add_sample(json, "throughput_mbps", run.throughput_mbps(), false);
    return json;
}

}  // namespace interlace
