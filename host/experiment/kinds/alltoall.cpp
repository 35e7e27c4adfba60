// Interlace: a complete exchange on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/alltoall.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "interlace/broadcast/cluster/rings.h"
#include "interlace/broadcast/cluster/shuffle.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
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

enum class Algorithm { scheduled, tuned, best, pairwise, staggered, post_all, shuffle };
constexpr Names<Algorithm, 7> algorithms = {
    {{"scheduled", Algorithm::scheduled, "in phases without contention"},
     {"tuned", Algorithm::tuned, "the fastest way to keep those phases apart, after running all"},
     {"best", Algorithm::best, "the fastest of all algorithms, after running all"},
     {"pairwise", Algorithm::pairwise, "in step i with the machine i away"},
     {"staggered", Algorithm::staggered, "all sends posted, the nearest first"},
     {"post_all", Algorithm::post_all, "all sends posted in the order of machines"},
     {"shuffle", Algorithm::shuffle, "packet by packet, each time to another machine"}}};

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

/// Machines of each switch that has any; 0 where they are not as many everywhere.
std::uint32_t machines_per_switch(const SwitchTree& tree) {
    std::size_t count = 0;
    for (std::uint32_t s = 0; s < tree.size(); ++s) {
        const std::size_t here = tree.machines(s).size();
        if (here > 0 && count > 0 && here != count) return 0;
        count = std::max(count, here);
    }
    return static_cast<std::uint32_t>(count);
}

/// d_1: machines of each switch that has any. Throws InputError where they are not as many everywhere.
std::uint32_t machines_per_switch(const SwitchTree& tree, const char* purpose) {
    const std::uint32_t count = machines_per_switch(tree);
    if (count == 0)
        throw InputError(std::string(purpose) + " where switches have unequal numbers of machines",
                         "as many on every switch that has any");
    return count;
}

/// The switch that has room for fewest packets, if room ends anywhere.
const SwitchParameters* least_room(const Cluster& cluster) {
    const SwitchParameters* least = nullptr;
    for (std::uint32_t number = 0; number < cluster.network.node_count() - cluster.network.endpoint_count();
         ++number) {
        const SwitchParameters& at = cluster.parameters.of_switch(number);
        if (at.capacity > 0 && (least == nullptr || at.capacity < least->capacity)) least = &at;
    }
    return least;
}

std::uint32_t window_of(const AllToAllExperiment& e, const Cluster& cluster) {
    if (e.window == "off") return 0;
    if (e.window != "auto")
        return static_cast<std::uint32_t>(parse_integer(e.window, "--window (or auto, off)", 1, 1U << 30U));
    const SwitchParameters* least = least_room(cluster);
    if (least == nullptr)
        throw InputError("--window auto with endless switches", "a capacity, a number or off");
    const std::uint32_t machines = cluster.tree.machine_count();
    if (cluster.tree.size() > 1)
        return global_window(least->capacity, machines, machines_per_switch(cluster.tree, "--window auto"));
    // On one switch no uplink is shared: an input's room is its machine's own, other room is for all.
    return least->buffering == Buffering::input ? least->capacity : std::max(1U, least->capacity / machines);
}

/// Packets of a shuffle, which are operations and kept, at most.
constexpr double most_packets = 2e7;

double shuffle_packets(const AllToAllExperiment& e, const Cluster& cluster) {
    const double machines = cluster.tree.machine_count();
    return static_cast<double>(e.message) / cluster.parameters.frame.mtu * machines * machines;
}

void check_size(const AllToAllExperiment& e, const Cluster& cluster) {
    const double packets = shuffle_packets(e, cluster);
    if (packets > most_packets)
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

MessageProgram make_program(const AllToAllRun& run, const Cluster& cluster) {
    const AllToAllExperiment& e = run.ran;
    switch (value_of(algorithms, e.algorithm, "algorithm")) {
        case Algorithm::shuffle:
            return make_shuffle(e, cluster, run.window);
        case Algorithm::pairwise:
            return pairwise_exchange(run.machines, e.message);
        case Algorithm::staggered:
            return staggered_exchange(run.machines, e.message);
        case Algorithm::post_all:
            return post_all_exchange(run.machines, e.message);
        default: {
            Synchronisation sync = value_of(syncs, e.sync, "sync");
            if (in_blocks(e.sync)) sync.block = e.block;
            return scheduled_exchange(cluster.tree, run.plan->phases, e.message, sync);
        }
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

/// What the algorithm has to know before there is a program: phases and their root, or a window.
void plan(AllToAllRun& run, const Cluster& cluster) {
    if (run.ran.algorithm == "scheduled" && !run.plan) {
        run.plan = schedule_exchange(cluster.tree);
        run.root = cluster.tree.id(run.plan->root);
        prove_plan(cluster.tree, *run.plan);
    }
    if (run.ran.algorithm == "shuffle") {
        run.window = about("alltoall.window", [&] { return window_of(run.ran, cluster); });
        check_size(run.ran, cluster);
    }
}

/// Proves the program of a plan and runs it as far as is asked for.
void carry_out(AllToAllRun& run, const Cluster& cluster, const RunListener& listener) {
    run.program = make_program(run, cluster);
    const std::uint64_t packets = run.ran.algorithm == "shuffle"
                                      ? Shuffle{{}, run.ran.message, cluster.parameters.frame.mtu}.packets()
                                      : 1;
    prove(run.program, static_cast<std::uint32_t>(packets));
    if (run.ran.until == Until::run) run.result = cluster.run(run.program, listener);
}

/// All ways to keep the phases of a schedule apart.
std::vector<AllToAllExperiment> schedules(AllToAllExperiment e) {
    e.algorithm = "scheduled";
    std::vector<AllToAllExperiment> all;
    for (const auto& [name, sync, text] : syncs)
        for (const std::uint32_t block : {2U, 4U, 8U, 16U}) {
            if (!in_blocks(name) && block > 2) continue;
            e.sync = name;
            e.block = block;
            all.push_back(e);
        }
    return all;
}

/// Every shuffle that this cluster can run: not each has a power of two of machines, as many on every switch,
/// or room that ends.
std::vector<AllToAllExperiment> shuffles(AllToAllExperiment e, const Cluster& cluster) {
    e.algorithm = "shuffle";
    std::vector<AllToAllExperiment> all;
    if (shuffle_packets(e, cluster) > most_packets) return all;
    const bool one_switch = cluster.tree.size() == 1;
    const bool even = machines_per_switch(cluster.tree) > 0;
    const bool has_window = least_room(cluster) != nullptr && (even || one_switch);
    const bool has_xor = std::has_single_bit(cluster.tree.machine_count());
    for (const auto& [permutation, value, text] : permutations)
        for (const bool window : {false, true})
            for (const bool reorder : {false, true}) {
                if (value == Permutation::exclusive_or && !has_xor) continue;
                if ((window && !has_window) || (reorder && (!even || one_switch))) continue;
                e.permutation = permutation;
                e.window = window ? "auto" : "off";
                e.reorder = reorder;
                all.push_back(e);
            }
    return all;
}

/// All that are no schedules, the simplest first.
std::vector<AllToAllExperiment> others(AllToAllExperiment e, const Cluster& cluster) {
    std::vector<AllToAllExperiment> all;
    for (const char* algorithm : {"pairwise", "staggered", "post_all"}) {
        e.algorithm = algorithm;
        all.push_back(e);
    }
    const std::vector<AllToAllExperiment> packet_by_packet = shuffles(e, cluster);
    all.insert(all.end(), packet_by_packet.begin(), packet_by_packet.end());
    return all;
}

/// The fastest of `choices` to run what `base` asks for; those that fall short (switches may drop the same
/// frames for ever) are none. Without a result where all do.
AllToAllRun fastest(const AllToAllRun& base, const std::vector<AllToAllExperiment>& choices,
                    const Cluster& cluster, const RunListener& listener) {
    AllToAllRun best = base;
    std::vector<std::pair<AllToAllExperiment, double>> tried;
    for (const AllToAllExperiment& choice : choices) {
        AllToAllRun run = base;
        run.ran = choice;
        run.ran.until = Until::run;
        plan(run, cluster);
        try {
            carry_out(run, cluster, {});
        } catch (const FellShort&) {
            continue;
        }
        tried.emplace_back(choice, run.result->seconds().mean);
        if (!best.result || tried.back().second < best.result->seconds().mean) best = std::move(run);
        if (listener.progress)
            listener.progress("variants",
                              static_cast<double>(tried.size()) / static_cast<double>(choices.size()));
    }
    best.ran.until = base.experiment.until;
    best.tried = std::move(tried);
    return best;
}

double seconds_of(const AllToAllRun& run) {
    return run.result ? run.result->seconds().mean : std::numeric_limits<double>::infinity();
}

/// tuned: the fastest schedule, and a note where something else is faster; best: the fastest of all.
AllToAllRun run_choice(const AllToAllRun& base, Algorithm algorithm, const Cluster& cluster,
                       const RunListener& listener) {
    AllToAllRun scheduled = base;
    scheduled.ran.algorithm = "scheduled";
    plan(scheduled, cluster);
    AllToAllRun tuned = fastest(scheduled, schedules(base.experiment), cluster, listener);
    AllToAllRun other = base;
    if (algorithm == Algorithm::best || listener.warn)
        other = fastest(base, others(base.experiment, cluster), cluster, listener);
    const double seconds = seconds_of(other);
    const double tuned_seconds = seconds_of(tuned);
    if (!tuned.result && (algorithm == Algorithm::tuned || !other.result))
        throw FellShort(
            "none of the ways to exchange that were tried ends: switches drop the same frames each time");
    if (algorithm == Algorithm::best) {
        std::vector<std::pair<AllToAllExperiment, double>> tried = tuned.tried;
        tried.insert(tried.end(), other.tried.begin(), other.tried.end());
        AllToAllRun best = std::move(seconds < tuned_seconds ? other : tuned);
        best.tried = std::move(tried);
        return best;
    }
    if (seconds < tuned_seconds)
        listener.warn(
            fmt::format("{} takes {:.4g} ms, the fastest schedule {:.4g} ms: --algorithm best tries every "
                        "algorithm",
                        name_of(other.ran), seconds * 1e3, tuned_seconds * 1e3));
    return tuned;
}

}  // namespace

Choices alltoall_algorithms() {
    return choices_of(algorithms);
}

Choices alltoall_syncs() {
    return choices_of(syncs);
}

Choices alltoall_permutations() {
    return choices_of(permutations);
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
        mbps.push_back(one.time_ps == 0 ? 0 : bytes * 8 / static_cast<double>(one.time_ps) * 1e6);
    return sample_of(mbps);
}

AllToAllRun run_alltoall(const AllToAllExperiment& e, const RunListener& listener) {
    const Algorithm algorithm =
        about("alltoall.algorithm", [&] { return value_of(algorithms, e.algorithm, "algorithm"); });
    about("alltoall.sync", [&] { return value_of(syncs, e.sync, "sync"); });
    const Network network = about("network", [&] { return make_network(e.cluster.network); });
    const Cluster cluster(e.cluster, listener);
    AllToAllRun run;
    run.experiment = run.ran = e;
    run.parameters = cluster.parameters;
    run.machines = cluster.tree.machine_count();
    run.load = exchange_load(cluster.tree);
    run.peak_mbps = aggregate_mbps(
        run.machines, cluster.slowest_link([](double here, double there) { return here * there; }));
    if (network.lattice())
        run.bisection_mbps = aggregate_mbps(run.machines, lattice_seconds_per_byte(network, LinkSpeed{}));
    if (algorithm == Algorithm::best && e.until == Until::plan)
        throw InputError("a plan of the algorithm best, which has to run what it chooses from",
                         "tuned, or one of the others");
    if (e.until != Until::plan && chooses(e)) return run_choice(run, algorithm, cluster, listener);
    if (algorithm == Algorithm::tuned) run.ran.algorithm = "scheduled";
    plan(run, cluster);
    if (e.until != Until::plan) carry_out(run, cluster, listener);
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

}  // namespace

namespace {

Json configuration_json(const AllToAllExperiment& e, const EventParameters& parameters) {
    Json json = to_json(e.cluster, parameters);
    json["alltoall"] = algorithm_json(e);
    json["alltoall"]["message"] = e.message;
    return json;
}

}  // namespace

std::unique_ptr<Experiment> read_alltoall(ConfigMap& config) {
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
    if (run.bisection_mbps) json["bisection_throughput_mbps"] = *run.bisection_mbps;
    if (run.result) add_result(json, *run.result);
    if (run.result) add_sample(json, "throughput_mbps", run.throughput_mbps(), false);
    return json;
}

}  // namespace interlace
