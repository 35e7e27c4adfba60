// Interlace: a complete exchange on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/alltoall.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "interlace/broadcast/rings.h"
#include "interlace/broadcast/shuffle.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/text.h"
#include "interlace/program/check_messages.h"
#include "interlace/program/check_phases.h"

namespace interlace {
namespace {

using Pairs = Synchronisation::Pairs;
constexpr Names<Synchronisation, 10> syncs = {
    {{"none", {Pairs::none, 1, false, false, false}},
     {"dummy", {Pairs::none, 1, false, false, true}},
     {"sender_all", {Pairs::sender, 1, false, false, false}},
     {"sender_partial", {Pairs::sender, 8, false, false, false}},
     {"receiver_all", {Pairs::receiver, 1, false, false, false}},
     {"receiver_partial", {Pairs::receiver, 8, false, false, false}},
     {"barrier_all", {Pairs::none, 1, true, false, false}},
     {"barrier_partial_none", {Pairs::none, 8, true, false, false}},
     {"barrier_partial_sender", {Pairs::sender, 8, true, true, false}},
     {"barrier_partial_receiver", {Pairs::receiver, 8, true, true, false}}}};

bool in_blocks(const std::string& sync) {
    return sync.find("partial") != std::string::npos;
}

enum class Algorithm { scheduled, tuned, pairwise, staggered, post_all, shuffle };
constexpr Names<Algorithm, 6> algorithms = {{{"scheduled", Algorithm::scheduled},
                                             {"tuned", Algorithm::tuned},
                                             {"pairwise", Algorithm::pairwise},
                                             {"staggered", Algorithm::staggered},
                                             {"post_all", Algorithm::post_all},
                                             {"shuffle", Algorithm::shuffle}}};

void prove_plan(const SwitchTree& tree, const ExchangePlan& plan) {
    for (const std::string& fault :
         {contention_of(tree, plan.phases), fault_of_exchange(tree.machine_count(), plan.phases)})
        if (!fault.empty()) throw std::logic_error("the schedule is wrong: " + fault);
}

/// `packets`: blocks that each pair has.
void prove(const MessageProgram& program, std::uint32_t packets) {
    const std::uint32_t n = program.machines;
    std::vector<std::vector<std::uint32_t>> has(n), needs(n);
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j)
            for (std::uint32_t k = 0; k < packets && i != j; ++k) {
                has[i].push_back((i * n + j) * packets + k);
                needs[j].push_back((i * n + j) * packets + k);
            }
    const std::string fault = fault_of(program, has, needs);
    if (!fault.empty()) throw std::logic_error("the exchange is not one: " + fault);
}

constexpr Names<Permutation, 3> permutations = {{{"shift", Permutation::shift},
                                                 {"xor", Permutation::exclusive_or},
                                                 {"edge_colour", Permutation::edge_colour}}};

/// d_1: machines of each switch that has any. Throws InputError where they are not as many everywhere.
std::uint32_t machines_per_switch(const SwitchTree& tree, const char* purpose) {
    std::size_t count = 0;
    for (std::uint32_t s = 0; s < tree.size(); ++s) {
        const std::size_t here = tree.machines(s).size();
        if (here > 0 && count > 0 && here != count)
            throw InputError(std::string(purpose) + " where switches have unequal numbers of machines",
                             "as many on every switch that has any");
        count = std::max(count, here);
    }
    return static_cast<std::uint32_t>(count);
}

std::uint32_t window_of(const AllToAllExperiment& e, const Cluster& cluster) {
    if (e.window == "off") return 0;
    if (e.window != "auto")
        return static_cast<std::uint32_t>(parse_integer(e.window, "--window (or auto, off)", 1, 1U << 30U));
    const SwitchParameters* least = nullptr;  // that has room for fewest packets
    for (std::uint32_t number = 0; number < cluster.network.node_count() - cluster.network.endpoint_count();
         ++number) {
        const SwitchParameters& at = cluster.parameters.of_switch(number);
        if (at.capacity > 0 && (least == nullptr || at.capacity < least->capacity)) least = &at;
    }
    if (least == nullptr)
        throw InputError("--window auto with endless switches", "a capacity, a number or off");
    const std::uint32_t machines = cluster.tree.machine_count();
    if (cluster.tree.size() > 1)
        return global_window(least->capacity, machines, machines_per_switch(cluster.tree, "--window auto"));
    // On one switch no uplink is shared: an input's room is its machine's own, other room is for all.
    return least->buffering == Buffering::input ? least->capacity : std::max(1U, least->capacity / machines);
}

/// Packets are operations, which are kept.
void check_size(const AllToAllExperiment& e, const Cluster& cluster) {
    const double machines = cluster.tree.machine_count();
    const double packets =
        static_cast<double>(e.message) / cluster.parameters.frame.mtu * machines * machines;
    if (packets > 2e7)
        throw InputError("a shuffle of " + std::to_string(static_cast<std::uint64_t>(packets)) + " packets",
                         "at most 20 million");
}

MessageProgram make_shuffle(const AllToAllExperiment& e, const Cluster& cluster, std::uint32_t window) {
    Shuffle shuffle{value_of(permutations, e.permutation, "permutation"),
                    e.message,
                    cluster.parameters.frame.mtu,
                    window,
                    {}};
    if (e.reorder) {
        // Machines switch by switch, whatever their numbers.
        const Ring in_order = ring_lr1(cluster.tree);
        const auto places =
            reordered(cluster.tree.machine_count(), machines_per_switch(cluster.tree, "--reorder"));
        shuffle.logical.resize(places.size());
        for (std::size_t i = 0; i < places.size(); ++i) shuffle.logical[in_order[i]] = places[i];
    }
    return shuffle_exchange(cluster.tree.machine_count(), shuffle);
}

MessageProgram make_program(const AllToAllExperiment& e, const Cluster& cluster, const AllToAllRun& run) {
    if (run.plan) {
        Synchronisation sync = value_of(syncs, e.sync, "sync");
        if (in_blocks(e.sync)) sync.block = e.block;
        return scheduled_exchange(cluster.tree, run.plan->phases, e.message, sync);
    }
    switch (value_of(algorithms, e.algorithm, "algorithm")) {
        case Algorithm::shuffle:
            return make_shuffle(e, cluster, run.window);
        case Algorithm::pairwise:
            return pairwise_exchange(run.machines, e.message);
        case Algorithm::staggered:
            return staggered_exchange(run.machines, e.message);
        default:
            return post_all_exchange(run.machines, e.message);
    }
}

/// Of a lattice of machines with all of its links, whatever the tree: halves across each dimension, and the
/// machines' own links.
double lattice_seconds_per_byte(const Network& network, LinkSpeed speed) {
    const Lattice& lattice = *network.lattice();
    const double byte = 8 / static_cast<double>(speed.bits_per_second);
    double bound = (network.node_count() - 1) * byte;
    for (std::uint32_t d = 0; d < lattice.dimensions(); ++d) {
        const auto in_half = [&](NodeId v) { return lattice.coordinate(v, d) < lattice.sizes()[d] / 2; };
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

/// Aggregate Mbps of an exchange whose bytes take that many seconds each.
double aggregate_mbps(std::uint64_t machines, double seconds_a_byte) {
    return static_cast<double>(machines * (machines - 1)) * 8 / seconds_a_byte / 1e6;
}

void run_tuned(AllToAllRun& run, const Cluster& cluster, const RunListener& listener) {
    AllToAllRun best = run;
    std::vector<std::pair<std::string, std::uint32_t>> variants;
    for (const auto& [name, sync] : syncs)
        for (const std::uint32_t block : {2U, 4U, 8U, 16U})
            if (in_blocks(name) || block == 2) variants.emplace_back(name, block);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        std::tie(run.experiment.sync, run.experiment.block) = variants[i];
        run.program = make_program(run.experiment, cluster, run);
        prove(run.program, 1);
        run.result = cluster.run(run.program, {});
        if (!best.result || run.result->seconds().mean < best.result->seconds().mean) best = run;
        if (listener.progress)
            listener.progress("variants", static_cast<double>(i + 1) / static_cast<double>(variants.size()));
    }
    run = best;
}

}  // namespace

Sample AllToAllRun::throughput_mbps() const {
    const double bytes =
        static_cast<double>(machines) * (machines - 1) * static_cast<double>(experiment.message);
    std::vector<double> mbps;
    for (const MessageRun& one : result->runs)
        mbps.push_back(one.time_ps == 0 ? 0 : bytes * 8 / static_cast<double>(one.time_ps) * 1e6);
    return sample_of(mbps);
}

AllToAllRun run_alltoall(const AllToAllExperiment& e, const RunListener& listener) {
    const Algorithm algorithm = value_of(algorithms, e.algorithm, "algorithm");
    value_of(syncs, e.sync, "sync");
    const Network network = make_network(e.cluster.network);
    const Cluster cluster(e.cluster, listener);
    AllToAllRun run;
    run.experiment = e;
    run.parameters = cluster.parameters;
    run.machines = cluster.tree.machine_count();
    run.load = exchange_load(cluster.tree);
    run.peak_mbps = aggregate_mbps(
        run.machines, cluster.slowest_link([](double here, double there) { return here * there; }));
    if (network.lattice())
        run.bisection_mbps = aggregate_mbps(run.machines, lattice_seconds_per_byte(network, LinkSpeed{}));
    if (algorithm == Algorithm::scheduled || algorithm == Algorithm::tuned) {
        run.plan = schedule_exchange(cluster.tree);
        run.root = cluster.tree.id(run.plan->root);
        prove_plan(cluster.tree, *run.plan);
    }
    if (algorithm == Algorithm::shuffle) {
        run.window = window_of(e, cluster);
        check_size(e, cluster);
    }
    if (e.until == Until::plan) return run;
    if (algorithm == Algorithm::tuned) {
        run_tuned(run, cluster, listener);
        return run;
    }
    run.program = make_program(e, cluster, run);
    const std::uint64_t packets =
        algorithm == Algorithm::shuffle ? Shuffle{{}, e.message, cluster.parameters.frame.mtu}.packets() : 1;
    prove(run.program, static_cast<std::uint32_t>(packets));
    if (e.until == Until::run) run.result = cluster.run(run.program, listener);
    return run;
}

Json to_json(const AllToAllExperiment& e, const EventParameters& parameters) {
    Json json = to_json(e.cluster, parameters);
    Json& own = json["alltoall"] = {{"algorithm", e.algorithm}, {"message", e.message}};
    if (e.algorithm == "scheduled") {
        own["sync"] = e.sync;
        if (in_blocks(e.sync)) own["block"] = e.block;
    }
    if (e.algorithm == "shuffle") {
        own["permutation"] = e.permutation;
        own["window"] = e.window;
        own["reorder"] = e.reorder;
    }
    return json;
}

Json to_json(const AllToAllRun& run) {
    const AllToAllExperiment& e = run.experiment;
    Json json = json_result("alltoall", e.cluster.seed);
    json["experiment"] = to_json(e, run.parameters);
    if (run.plan) json["root"] = run.root;
    if (e.algorithm == "shuffle") json["window"] = run.window;
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
    if (run.bisection_mbps) json["bisection_throughput_mbps"] = *run.bisection_mbps;
    if (run.result) add_result(json, *run.result);
    if (run.result) add_sample(json, "throughput_mbps", run.throughput_mbps(), false);
    return json;
}

}  // namespace interlace
