// Interlace: collectives over the links of a direct network, in steps
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <stdexcept>

#include "check_json.h"
#include "collective_best.h"
#include "collective_check.h"
#include "collective_cycles.h"
#include "collective_plan.h"
#include "collective_rounds.h"
#include "collective_unicast.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/value_error.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/experiment/kinds/cluster.h"
#include "interlace/experiment/nodes/options_json.h"
#include "interlace/experiment/nodes/queues_to_size.h"
#include "interlace/experiment/nodes/same_on_ranks.h"
#include "interlace/network/specification.h"
#include "interlace/program/schedule.h"

namespace interlace {
namespace {

constexpr Names<DirectCollective, 8> collectives = {
    {{"allgather", DirectCollective::allgather, "every node gets the packets of all"},
     {"reducescatter", DirectCollective::reducescatter, "every node gets sums of its own"},
     {"allreduce", DirectCollective::allreduce, "every node gets all sums"},
     {"alltoall", DirectCollective::alltoall, "every node sends packets of their own to all others"},
     {"reduce", DirectCollective::reduce, "the root gets all sums"},
     {"scatter", DirectCollective::scatter, "the root sends packets of their own to all others"},
     {"gather", DirectCollective::gather, "the root gets the packets of all"},
     {"barrier", DirectCollective::barrier, "every node hears of all others"}}};
constexpr std::array<const char*, 6> keys_of_machines = {"barriers",    "sync",   "block",
                                                         "permutation", "window", "reorder"};
constexpr std::array<const char*, 4> settings_of_machines = {"tree", "root", "routing", "event"};
constexpr std::uint32_t max_chunks = 1'000'000;
/// Sends that are written out at most, 16 bytes each.
constexpr std::uint64_t max_sends = 250'000'000;

std::uint64_t packets(const CollectiveExperiment& e, const Network& network) {
    const std::uint64_t nodes = network.node_count();
    switch (e.collective) {
        case DirectCollective::reduce:
        case DirectCollective::barrier:
            return e.chunks;
        case DirectCollective::alltoall:
            return nodes * nodes * e.chunks;
        default:
            return nodes * e.chunks;
    }
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

void write_reduction(std::ostream& out, const CollectiveRun& run) {
    if (const auto* messages = std::get_if<std::vector<MessageSend>>(&run.schedule))
        return write_message_schedule(out, *messages);
    write_reducing_schedule(out, rows_of_reduction(run));
}

CheckReport check_rows(const CollectiveExperiment& e, const Network& network, const std::string& file) {
    std::vector<std::uint32_t> lines;
    if (!reduces(e.collective)) {
        const std::vector<TimedSend> sends = read_schedule(file, &lines);
        return check_copies(e, network, sends, lines);
    }
    const auto rows = read_reducing_schedule(file, &lines);
    return std::visit([&](const auto& of_kind) { return check_sums(e, network, of_kind, lines); }, rows);
}

/// What every node hears of every other takes a bit each.
void check_size(const CollectiveExperiment& e, const Network& network) {
    constexpr std::uint32_t most = 4096;
    if (e.collective == DirectCollective::barrier && network.node_count() > most)
        throw InputError(fmt::format("cannot prove a barrier of {} nodes", network.node_count()),
                         fmt::format("{} at most", most));
}

/// Whether routers can compute with coordinates, as adaptive routing does, by the network's name: files are
/// not read for it.
bool has_coordinates(const std::string& network) {
    for (const char* const of_file : {"graph:", "anynet:", "cluster:"})
        if (network.starts_with(of_file)) return false;
    try {
        return fits_coordinates(make_network(network));
    } catch (const InputError&) {
        return false;  // the run says why
    }
}

/// Whether a file or flag says how routers route, or which routers they are.
bool names_routing(ConfigMap& config) {
    if (!config.has("node")) return false;
    if (!config.is_map("node")) return true;
    ConfigMap node = config.map("node");
    return node.has("base") || node.has("routing");
}

MessageCosts read_costs(ConfigMap map) {
    MessageCosts costs;
    const auto update = [&](const char* key, double& value, double low, double high) {
        if (!map.has(key)) return;
        value = map.number(key);
        if (!(value >= low && value <= high))
            throw InputError(fmt::format("cannot use value {}", value), fmt::format("{} to {}", low, high))
                .at(map.place(key));
    };
    update("start_us", costs.start_us, 0, 1e6);
    update("hop_us", costs.hop_us, 0, 1e6);
    update("rate_mbps", costs.rate_mbps, 1, 1e9);
    map.finish();
    return costs;
}

void check_root(const CollectiveExperiment& e, const Network& network) {
    if (e.root >= network.node_count())
        throw ValueError({fmt::format("node {} is not in {}", e.root, e.network),
                          fmt::format("nodes are 0 to {}", network.node_count() - 1)},
                         collective_name(e.collective) + ".root");
}

}  // namespace

bool has_root(DirectCollective collective) {
    return collective == DirectCollective::reduce || collective == DirectCollective::scatter ||
           collective == DirectCollective::gather;
}

bool reduces(DirectCollective collective) {
    return collective == DirectCollective::reducescatter || collective == DirectCollective::allreduce ||
           collective == DirectCollective::reduce;
}

bool is_collective(ConfigMap& config, DirectCollective collective) {
    ConfigMap map = config.map(collective_name(collective));
    if (map.has("algorithm")) {
        const std::string algorithm = map.text("algorithm");
        if (!has_name(collective_algorithms(collective), algorithm)) return false;
        if (!is_of_machines_too(algorithm)) return true;
    }
    const auto has = [](ConfigMap& in) { return [&in](const char* key) { return in.has(key); }; };
    if (std::any_of(keys_of_machines.begin(), keys_of_machines.end(), has(map)) ||
        std::any_of(settings_of_machines.begin(), settings_of_machines.end(), has(config)))
        return false;
    if (config.has("engine") && config.text("engine", "") == "event") return false;
    std::vector<std::string> overrides;
    const std::string network = network_specification(config, overrides);
    return !has_switches(network);
}

std::unique_ptr<Experiment> read_collective(ConfigMap& config, DirectCollective collective) {
    auto e = std::make_unique<CollectiveExperiment>();
    e->collective = collective;
    e->network = network_specification(config);
    e->engine = config.text("engine", e->engine);
    if (config.has("seed")) e->seed = config.integer("seed", 0, UINT64_MAX);
    read_nodes(config, e->cycles);
    // What hosts say in a barrier is new, so that routers have nothing to forward.
    const bool by_routers = collective != DirectCollective::barrier || !is_cycle_engine(e->engine);
    e->cycles.forwarding = config.text("forwarding", by_routers ? e->cycles.forwarding : "unicast");
    e->cycles.pace = config.text("pace", e->cycles.pace);
    e->order = config.text("order", e->order);
    if (e->cycles.forwarding == "unicast" && !has_coordinates(e->network) && !names_routing(config))
        e->cycles.node.routing = Routing::automatic;
    if (config.has("costs")) e->costs = read_costs(config.map("costs"));
    ConfigMap map = config.map(collective_name(collective));
    e->algorithm = map.text("algorithm", e->algorithm);
    if (const Choices algorithms = collective_algorithms(collective); !has_name(algorithms, e->algorithm))
        throw unknown_name("algorithm", e->algorithm, algorithms).at(map.place("algorithm"));
    if (collective != DirectCollective::barrier) {
        map.update("chunks", e->chunks, 1, max_chunks);
        if (map.has("message")) read_message(map, e->message.emplace());
    }
    if (has_root(collective)) map.update("root", e->root, 0, UINT32_MAX);
    map.finish();
    return e;
}

Choices collective_engines() {
    return broadcast_engines();
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

Json CollectiveExperiment::to_json() const {
    Json section = {{"algorithm", algorithm}};
    if (chunks != 0 && collective != DirectCollective::barrier) section["chunks"] = chunks;
    if (message) section["message"] = *message;
    if (has_root(collective)) section["root"] = root;
    Json json = {{"schema", 1}, {"network", network}, {"engine", engine}, {"seed", seed}};
    json["costs"] = {{"start_us", costs.start_us}, {"hop_us", costs.hop_us}, {"rate_mbps", costs.rate_mbps}};
    json[collective_name(collective)] = section;
    if (!is_cycle_engine(engine)) return json;
    add_nodes(json, cycles);
    json["forwarding"] = cycles.forwarding;
    json["pace"] = cycles.pace;
    json["order"] = order;
    json["seeds"] = cycles.seeds;
    return json;
}

std::vector<Measure> CollectiveExperiment::measures() const {
    if (is_unicast(*this)) return {{"cycles"}, {"share_of_bound", true}, {"latency_mean"}, {"mean_hops"}};
    if (is_cycle_engine(engine)) return {{"cycles"}};
    std::vector<Measure> all = {{"steps"}, {"lower_bound"}, {"gap"}, {"link_utilisation", true}};
    if (message || collective == DirectCollective::barrier) all.push_back({"seconds"});
    return all;
}

std::uint32_t CollectiveExperiment::runs() const {
    if (!is_cycle_engine(engine)) return 1;
    if (!is_unicast(*this)) return cycles.runs();
    if (cycles.seeds == 0 && !cycles.random()) return 1;
    return runs_of(cycles.seeds, cycles.random() || order == "random");
}

std::vector<QueueToSize> CollectiveExperiment::queues() const {
    if (!is_cycle_engine(engine)) return {};
    return node_queues(make_network(network), cycles, cycles.node.packet_flits);
}

Json CollectiveExperiment::run(const Preparation*, const RunListener& listener) const {
    return interlace::to_json(run_collective(*this, listener));
}

namespace {

void add_unicast(Json& json, const CollectiveRun& run) {
    const UnicastCycles& unicast = *run.unicast;
    const NodeParameters& node = run.experiment.cycles.node;
    add_sample(json, "cycles", unicast.cycles, true);
    json["cycles_per_step"] = unicast.cycles.mean / std::max(run.report.steps, 1U);
    json["bound_cycles"] = unicast.bound_cycles == 0 ? Json() : Json(unicast.bound_cycles);
    json["share_of_bound"] = unicast.bound_cycles == 0 ? Json() : Json(unicast.share_of_bound());
    json["unicast_packets"] = unicast.packets;
    add_sample(json, "latency_mean", unicast.latency_mean, false);
    add_sample(json, "mean_hops", unicast.mean_hops, false);
    json["flits_per_packet"] = node.packet_flits;
    json["queues"] = queues_json(node, unicast.queues);
    add_link_layer(json, unicast.queues.link_layer);
    if (!unicast.links.is_null()) json["links"] = unicast.links;
}

}  // namespace

double CollectiveRun::link_utilisation() const {
    return report.steps == 0 ? 0 : static_cast<double>(report.sends) / network.link_count() / report.steps;
}

CollectiveRun run_collective(const CollectiveExperiment& e, const RunListener& listener) {
    check_engine(e);
    require_same_experiment(*e.cycles.ranks, e.to_json());
    if (e.algorithm == best_algorithm) return run_best(e, listener);
    CollectiveRun run{e, about("network", [&] { return direct_network(e); })};
    about("network", [&] {
        check_root(e, run.network);
        if (run.experiment.chunks == 0) run.experiment.chunks = parts_of(e, run.network);
        check_chunks(run.experiment, run.network);
        check_size(e, run.network);
        check_schedulable(run.experiment, run.network);
        check_unicast_size(run.experiment, run.network);
        run.capacity = capacity_for(run.experiment, run.network, listener);
        return 0;
    });
    std::function<void(double)> progress;
    if (listener.progress) progress = [&](double share) { listener.progress("schedule", share); };
    about("network", [&] {
        schedule(run, progress);
        run.bound = bound_of(run.experiment, run.network, run.capacity, run.report.steps);
        return 0;
    });
    if (!run.report.valid())
        throw std::logic_error("the " + collective_name(e.collective) +
                               " is not one: " + run.report.problem());
    if (is_unicast(e))
        run_unicast(run, listener);
    else if (is_cycle_engine(e.engine))
        run_on_routers(run, listener);
    return run;
}

namespace {

void check_number_of_sends(const CollectiveRun& run) {
    check_packets(run.experiment, run.network);
    if (run.report.sends > max_sends)
        throw InputError(fmt::format("cannot write {} sends", run.report.sends),
                         fmt::format("{} at most", max_sends));
}

}  // namespace

CollectiveSends sends_of(const CollectiveRun& run) {
    check_number_of_sends(run);
    CollectiveSends sends;
    if (const auto* messages = std::get_if<std::vector<MessageSend>>(&run.schedule)) {
        sends = {*messages, 7};
    } else if (reduces(run.experiment.collective)) {
        sends.columns = 5;
        for (const ReducingSend& send : rows_of_reduction(run)) sends.rows.push_back({send});
    } else {
        for (const TimedSend& send : rows_of_copies(run)) sends.rows.push_back({{send}});
    }
    std::stable_sort(sends.rows.begin(), sends.rows.end(),
                     [](const MessageSend& a, const MessageSend& b) { return a.send.step < b.send.step; });
    return sends;
}

void write_sends(const CollectiveRun& run, const std::string& file) {
    check_number_of_sends(run);
    write_whole_file(file, [&](std::ostream& out) {
        if (reduces(run.experiment.collective))
            write_reduction(out, run);
        else
            write_schedule(out, rows_of_copies(run));
    });
}

Json to_json(const CollectiveRun& run) {
    const CollectiveExperiment& e = run.experiment;
    Json json = json_result(collective_name(e.collective), e.seed);
    json["experiment"] = run.asked ? run.asked->to_json() : e.to_json();
    json["network"] = e.network;
    json["algorithm"] = e.algorithm;
    json["engine"] = e.engine;
    json["nodes"] = run.network.node_count();
    json["links"] = run.network.link_count();
    json["packets"] = packets(e, run.network);
    json["steps"] = run.report.steps;
    json["lower_bound"] = run.bound.steps;
    json["lower_bound_kind"] = run.bound.kind;
    json["gap"] = run.gap();
    json["sends"] = run.report.sends;
    json["link_utilisation"] = run.link_utilisation();
    if (run.rounds != 0) {
        json["rounds"] = run.rounds;
        json["node_packets"] = run.node_packets;
        json["link_packets"] = run.cost.packets;
    }
    if (e.message || e.collective == DirectCollective::barrier)
        json["seconds"] = run.seconds(static_cast<double>(e.message.value_or(0)));
    if (run.cycles) add_cycles(json, *run.cycles, e.cycles, run.report.steps);
    if (run.cycles && !run.cycles->links.is_null()) json["links"] = run.cycles->links;
    if (run.unicast) add_unicast(json, run);
    if (!run.choices.empty()) add_choices(json, run);
    return json;
}

CollectiveCheck check_collective(const CollectiveExperiment& e, const std::string& schedule_file) {
    const Network network = direct_network(e);
    check_packets(e, network);
    check_root(e, network);
    about("network", [&] { return check_size(e, network), 0; });
    CheckReport report = check_rows(e, network, schedule_file);
    std::optional<CapacityRun> capacity;
    if (report.valid()) capacity = capacity_for(e, network, {});
    const CollectiveBound bound = bound_of(e, network, capacity, report.valid() ? report.steps : 0);
    return {e, std::move(report), bound};
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
