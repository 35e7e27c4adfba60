// Interlace: whether nodes of hardware are nodes of docs/node.md: a fixed list of runs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/conform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
#include "interlace/engine/checking/scoreboard.h"
#include "interlace/engine/pins/pin_image.h"
#include "interlace/experiment/kinds/traffic.h"
#include "interlace/experiment/nodes/device.h"
#include "interlace/experiment/nodes/node_alone.h"
#include "interlace/experiment/nodes/stress.h"

namespace interlace {
namespace {

constexpr std::uint64_t traffic_cycles = 4'000;                      // of a check's measurement
constexpr std::uint32_t longest_packet = 64, longest_link = 10'000;  // flits, cycles (docs/node.md)

/// The nodes of the base experiment that are hardware, as in 5,6.
std::string hardware_nodes(const CycleOptions& options) {
    std::vector<std::string> lists;
    for (const std::string& nodes : {options.rtl_nodes, options.systemc_nodes})
        if (!nodes.empty()) lists.push_back(nodes);
    for (const std::string& device : options.devices) lists.push_back(device.substr(0, device.find('=')));
    if (lists.empty())
        throw InputError("there is nothing to check",
                         "nodes of hardware: --device, --rtl-nodes or --systemc-nodes");
    return fmt::format("{}", fmt::join(lists, ","));
}

/// Unicast traffic on the nodes of a broadcast.
TrafficExperiment traffic_of(const BroadcastExperiment& base) {
    TrafficExperiment traffic;
    traffic.network = base.network;
    traffic.engine = base.engine;
    traffic.nodes = base.cycles;
    traffic.traffic.packet_flits = base.cycles.node.packet_flits;
    traffic.traffic.load = 0.2;
    traffic.traffic.cycles = traffic_cycles;
    traffic.traffic.seed = base.seed;
    return traffic;
}

template <class OneKind>
OneKind changed(const OneKind& kind, const ConformCheck& check) {
    const std::vector<std::string> changes(check.changes.begin(), check.changes.end());
    return with_values(kind, changes, check.name);
}

/// Loads are those of links of a cycle a flit.
Usage run_one_traffic(TrafficExperiment experiment) {
    // Beyond saturation packets wait in line at their hosts.
    const bool crowded = experiment.traffic.load > 0.5;
    experiment.traffic.load /= experiment.nodes.links.cycles_per_flit;
    const TrafficRun ran = run_traffic(experiment);
    if (ran.carried() || crowded) return ran.queues;
    throw FellShort(fmt::format(
        "the network is saturated at a load of {}: {} of {} packets had not arrived after {} cycles",
        experiment.traffic.load, ran.results.front().packets_missing, ran.results.front().packets,
        ran.cycles));
}

/// Packets of one flit that use up the credits of every link, which then come back so late that a router with
/// a credit left is seen to wait.
void use_up_credits(BroadcastExperiment& experiment) {
    const NodeParameters& node = experiment.cycles.node;
    const std::uint32_t flit_cycles =
        std::max(experiment.cycles.links.cycles_per_flit, node.min_packet_cycles());
    experiment.cycles.links.latency = std::min(
        longest_link, static_cast<std::uint32_t>(2 * Scoreboard::patience) + node.vc_depth * flit_cycles);
    experiment.packets = (node.vc_depth + 64) * PinImage::ports;
}

/// Runs it; how its queues and links were used.
Usage run(const ConformCheck& check, const BroadcastExperiment& base, const std::string& waveform) {
    if (check.run == ConformCheck::traffic) {
        TrafficExperiment experiment = changed(traffic_of(base), check);
        experiment.nodes.shadow_waveform = waveform;
        return run_one_traffic(experiment);
    }
    BroadcastExperiment experiment = changed(base, check);
    experiment.cycles.shadow_waveform = waveform;
    NodeParameters& node = experiment.cycles.node;
    switch (check.run) {
        case ConformCheck::alone:
            return {.hops = run_alone({experiment.network, experiment.engine, experiment.cycles})};
        case ConformCheck::stress:
        case ConformCheck::flood:
        case ConformCheck::registers:
            return run_stress({.network = experiment.network,
                               .engine = experiment.engine,
                               .nodes = experiment.cycles,
                               .cycles = traffic_cycles,
                               .seed = experiment.seed,
                               .load = check.run == ConformCheck::flood ? 1 : 0.1,
                               .stall = check.run == ConformCheck::flood ? 0 : 0.02,
                               .registers = check.run == ConformCheck::registers});
        case ConformCheck::whole_queue:
            node.packet_flits =
                std::min({longest_packet, node.vc_depth, node.injection_depth, node.reception_depth});
            break;
        case ConformCheck::long_links:
            use_up_credits(experiment);
            break;
        default:
            break;
    }
    if (check.run != ConformCheck::broadcast) experiment.source = split(base.cycles.shadow, ',').front();
    return run_broadcast(experiment).cycles->queues;
}

ConformOutcome outcome_of(const ConformCheck& check, const ConformOptions& options) {
    ConformOutcome outcome{.check = &check};
    const std::string waveform = fmt::format("{}-{}.vcd", options.waveforms, check.name);
    try {
        const Usage usage = run(check, options.base, waveform);
        outcome.packet_hops = usage.hops;
        outcome.longest_wait = usage.longest_wait;
    } catch (const NoDevice&) {
        throw;
    } catch (const InputError& error) {
        if (check.changes.empty()) throw;  // it is the user's
        outcome.verdict = Verdict::not_built_for;
        outcome.sentence = error.what();
    } catch (const NotBuiltForIt& refusal) {
        outcome.verdict = Verdict::not_built_for;
        outcome.sentence = refusal.what();
    } catch (const FellShort& wrong) {
        outcome.verdict = Verdict::failed;
        outcome.sentence = wrong.what();
        if (outcome.sentence.find(waveform) != std::string::npos) outcome.waveform = waveform;
    }
    return outcome;
}

std::vector<const ConformCheck*> chosen(const std::vector<std::string>& only) {
    std::vector<const ConformCheck*> chosen;
    std::vector<std::string> names;
    for (const ConformCheck& check : conform_checks()) {
        names.emplace_back(check.name);
        if (only.empty() || std::find(only.begin(), only.end(), check.name) != only.end())
            chosen.push_back(&check);
    }
    for (const std::string& name : only)
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw InputError("there is no check '" + name + "'", fmt::format("{}", fmt::join(names, ", ")));
    return chosen;
}

}  // namespace

const std::vector<ConformCheck>& conform_checks() {
    using C = ConformCheck;
    static const std::vector<ConformCheck> checks = {
        {"forward", "explicit packets that the hosts forward arrive", C::broadcast, {}},
        {"single", "one packet arrives without others behind it", C::broadcast, {"broadcast.packets=1"}},
        {"source",
         "a broadcast starts at a node under test",
         C::broadcast_from_it,
         {"broadcast.packets=100"}},
        {"whole_queue", "packets as long as a queue: credits are exact", C::whole_queue, {}},
        {"long_links",
         "links that hold more than a queue: all credits are used, and no more than that",
         C::long_links,
         {"node.packet_flits=1"}},
        {"stream", "queues fill and drain for a long time", C::broadcast, {"broadcast.packets=3000"}},
        {"replicate",
         "copies leave by several ports; hosts pause and stop at random",
         C::stress,
         {"node.packet_flits=8"}},
        {"fair",
         "no port is starved when all contend for one reception queue",
         C::flood,
         {"node.packet_flits=1", "node.reception_queues=1"}},
        {"alone",
         "registers, clk_en_i, quiesce and errors, on the pins of a single node",
         C::alone,
         {"node.packet_flits=8"}},
        {"registers",
         "registers keep written values, counters match the links, and idle is set at the end",
         C::registers,
         {"node.packet_flits=8"}},
        {"one_flit", "packets of one flit, which is head and tail", C::broadcast, {"node.packet_flits=1"}},
        {"odd_length", "packets of a length that divides no queue", C::broadcast, {"node.packet_flits=3"}},
        {"tight",
         "credits for one packet are enough",
         C::broadcast,
         {"node.packet_flits=8", "node.vc_depth=8", "node.injection_depth=8", "node.reception_depth=8"}},
        {"one_channel", "links have one virtual channel", C::broadcast, {"node.vcs=1"}},
        {"slow_links",
         "links with several cycles per flit and a latency",
         C::broadcast,
         {"links.cycles_per_flit=3", "links.latency=5"}},
        {"slow_hosts",
         "hosts with a cost for each packet",
         C::broadcast,
         {"host.servers=1", "host.send_cycles=20", "host.receive_cycles=30"}},
        {"store_and_forward",
         "a packet is forwarded only when complete",
         C::broadcast,
         {"node.switching=store_and_forward", "node.routing=dimension_order"}},
        {"wormhole",
         "a blocked packet occupies several nodes",
         C::broadcast,
         {"node.switching=wormhole", "node.routing=dimension_order"}},
        {"table", "packets follow the forwarding table", C::broadcast, {"forwarding=table"}},
        {"deposit", "packets go straight on and leave a copy", C::broadcast, {"forwarding=deposit"}},
        {"dimension_order",
         "unicast packets by dimension order",
         C::traffic,
         {"node.routing=dimension_order", "node.vcs=2"}},
        {"crowded",
         "dimension order beyond saturation",
         C::traffic,
         {"node.routing=dimension_order", "node.vcs=2", "traffic.load=1"}},
        {"seldom",
         "nodes that are idle most of the time",
         C::traffic,
         {"node.routing=dimension_order", "node.vcs=2", "traffic.load=0.002", "traffic.cycles=40000"}},
        {"ahead",
         "long links: a device that accepts many cycles in a question gets them",
         C::traffic,
         {"node.routing=dimension_order", "node.vcs=2", "links.latency=8"}},
        {"adaptive",
         "unicast packets choose among shortest paths and use the escape channel",
         C::traffic,
         {"node.routing=adaptive_bubble", "node.vcs=4", "traffic.load=0.4"}},
        {"priority",
         "packets of high priority use a separate channel",
         C::traffic,
         {"node.routing=adaptive_bubble", "node.vcs=4", "node.priority_channel=true",
          "traffic.high_priority=0.3", "traffic.load=0.4"}},
        {"table_routing", "unicast packets by the routing table", C::traffic, {"node.routing=table"}},
        {"pauses",
         "hosts with random delays",
         C::traffic,
         {"node.routing=dimension_order", "node.vcs=2", "host.servers=2", "host.receive_cycles=10",
          "host.jitter_cycles=40", "traffic.load=0.05"}}};
    return checks;
}

const char* verdict_name(Verdict verdict) {
    constexpr const char* names[] = {"passed", "failed", "not supported"};
    return names[static_cast<std::size_t>(verdict)];
}

bool ConformReport::conforms() const {
    return !outcomes.empty() && outcomes.front().verdict == Verdict::passed &&
           std::none_of(outcomes.begin(), outcomes.end(),
                        [](const ConformOutcome& outcome) { return outcome.verdict == Verdict::failed; });
}

ConformReport conform(const ConformOptions& options) {
    if (!options.base.cycles.shadow.empty())
        throw ValueError({"cannot use shadow '" + options.base.cycles.shadow + "' with conform",
                          "none: all nodes of hardware are checked"},
                         "shadow");
    ConformOptions all = options;
    all.base.cycles.shadow = hardware_nodes(options.base.cycles);
    ConformReport report{
        .base = all.base, .level = shadow_level_name(options.base.cycles.shadow_level), .outcomes = {}};
    for (const ConformCheck* check : chosen(options.only)) {
        try {
            report.outcomes.push_back(outcome_of(*check, all));
        } catch (const NoDevice& gone) {
            if (report.outcomes.empty()) throw;
            report.outcomes.push_back(
                {check, Verdict::failed, std::string(gone.what()) + "; the checks behind this were not run"});
            break;
        }
        if (options.done) options.done(report.outcomes.back());
    }
    return report;
}

Json to_json(const ConformReport& report) {
    Json outcomes = Json::array();
    for (const ConformOutcome& outcome : report.outcomes)
        outcomes.push_back({{"check", outcome.check->name},
                            {"shows", outcome.check->shows},
                            {"verdict", verdict_name(outcome.verdict)},
                            {"sentence", outcome.sentence},
                            {"waveform", outcome.waveform},
                            {"packet_hops", outcome.packet_hops},
                            {"longest_wait", outcome.longest_wait}});
    Json json = json_result("conform", report.base.seed);
    json["experiment"] = report.base.to_json();
    json["level"] = report.level;
    json["conforms"] = report.conforms();
    json["checks"] = outcomes;
    return json;
}

}  // namespace interlace
