// Interlace: the switches and workstations of a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/workstations/event_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interlace/core/error.h"
#include "interlace/network/cluster.h"

namespace interlace {
namespace {

constexpr Names<FrameSwitching, 3> forwarding_names = {
    {{"store_and_forward", FrameSwitching::store_and_forward},
     {"cut_through", FrameSwitching::cut_through},
     {"wormhole", FrameSwitching::wormhole}}};
constexpr Names<StoredFrom, 2> stored_names = {
    {{"everywhere", StoredFrom::everywhere}, {"trunks", StoredFrom::trunks}}};

constexpr std::uint64_t min_timeout = 1'000'000;  // a microsecond: time has to pass between two

/// Of microseconds as written at `place`.
std::uint64_t picoseconds(const std::string& value, const std::string& place) {
    double us = 0;
    if (!YAML::convert<double>::decode(YAML::Node(value), us) || !(us >= 0 && us <= 1e9))
        throw InputError("cannot use value '" + value + "'", "microseconds, from 0 to 1e9").at(place);
    return static_cast<std::uint64_t>(std::llround(us * 1e6));
}

/// t_ini of all machines, or of each.
std::vector<std::uint64_t> read_starts(ConfigMap& map, const Network* cluster) {
    std::vector<std::uint64_t> starts;
    for (const std::string& value : map.texts("start_us"))
        starts.push_back(picoseconds(value, map.place("start_us")));
    if (starts.empty() ||
        (cluster != nullptr && starts.size() > 1 && starts.size() != cluster->endpoint_count()))
        throw InputError(fmt::format("there are {} values", starts.size()),
                         cluster == nullptr ? "one, or one for each machine"
                                            : fmt::format("one, or one for each of the {} machines",
                                                          cluster->endpoint_count()))
            .at(map.place("start_us"));
    return starts;
}

void update_time(ConfigMap& config, const std::string& key, std::uint64_t& time) {
    if (config.has(key)) time = picoseconds(config.text(key), config.place(key));
}

constexpr Names<Buffering, 3> buffering_names = {
    {{"output", Buffering::output}, {"shared", Buffering::shared}, {"input", Buffering::input}}};

constexpr Names<Arbitration, 2> arbitration_names = {
    {{"first_come", Arbitration::first_come}, {"round_robin", Arbitration::round_robin}}};
constexpr Names<Window, 2> window_names = {{{"go_back_n", Window::go_back_n}, {"reno", Window::reno}}};
constexpr Names<bool, 2> barrier_names = {{{"ideal", false}, {"messages", true}}};
constexpr Names<Flow, 3> flow_names = {
    {{"drop", Flow::drop}, {"pause", Flow::pause}, {"credit", Flow::credit}}};

void read_switch(ConfigMap& map, SwitchParameters& p) {
    map.update("forwarding", p.forwarding, forwarding_names);
    map.update("stored_from", p.stored_from, stored_names);
    map.update("buffering", p.buffering, buffering_names);
    map.update("arbitration", p.arbitration, arbitration_names);
    map.update("capacity", p.capacity, 0, 1'000'000'000);
    map.update("output_room", p.output_room, 0, 1'000'000'000);
    map.update("pause_at", p.pause_at, 0, 1'000'000'000);
    map.update("resume_at", p.resume_at, 0, 1'000'000'000);
    map.update("header", p.header, 0, 65'536);
    update_time(map, "delay_us", p.delay_ps);
}

/// What the flow asks of a switch.
void check_flow(Flow flow, const SwitchParameters& p) {
    if (flow == Flow::credit && p.buffering == Buffering::shared)
        throw InputError("cannot use flow credit with buffering shared",
                         "input or output: credits are for the room of a single link");
    if (flow == Flow::pause && p.pause_at <= p.resume_at)
        throw InputError(
            fmt::format("cannot use flow pause with pause_at {} and resume_at {}", p.pause_at, p.resume_at),
            "pause_at above resume_at");
}

void check_flow(const ConfigMap& config, const EventParameters& p) {
    try {
        check_flow(p.flow, p.switches);
        for (const auto& [number, other] : p.other_switches) check_flow(p.flow, other);
    } catch (const InputError& error) {
        throw error.at(config.place("flow"));
    }
}

template <class Read>
void read_map(ConfigMap& config, const std::string& key, const Read& read) {
    if (!config.has(key)) return;
    ConfigMap map = config.map(key);
    read(map);
    map.finish();
}

double microseconds(std::uint64_t ps) {
    return static_cast<double>(ps) / 1e6;
}

}  // namespace

EventParameters read_event_parameters(ConfigMap config, const Network* cluster) {
    EventParameters p;
    read_map(config, "frame", [&](ConfigMap& map) {
        map.update("mtu", p.frame.mtu, 1, 65'536);
        map.update("overhead", p.frame.overhead, 0, 65'536);
        map.update("minimum", p.frame.minimum, 0, 65'536);
    });
    config.update("flow", p.flow, flow_names);
    read_map(config, "switch", [&](ConfigMap& map) { read_switch(map, p.switches); });
    if (config.has("other_switches"))
        for (ConfigMap& map : config.maps("other_switches")) {
            SwitchParameters other = p.switches;
            const auto numbers = map.integers(
                "switches", 0,
                cluster == nullptr ? 1'000'000 : cluster->node_count() - cluster->endpoint_count() - 1);
            read_switch(map, other);
            map.finish();
            for (const std::uint32_t number : numbers) p.other_switches[number] = other;
        }
    read_map(config, "protocol", [&](ConfigMap& map) {
        if (map.has("eager_limit") &&
            map.values("eager_limit") != std::vector<std::string>{"~"})  // null: none
            p.protocol.eager_limit = map.integer("eager_limit", 0, 1'000'000'000'000U);
        if (map.has("copy_ns_per_byte")) {
            const double ns = map.number("copy_ns_per_byte");
            if (!(ns >= 0 && ns <= 1e6))
                throw InputError("this is not a time", "nanoseconds a byte, from 0 to 1e6")
                    .at(map.place("copy_ns_per_byte"));
            p.protocol.copy = static_cast<std::uint64_t>(std::llround(ns * 1e3));
        }
        map.update("barrier", p.protocol.barrier_of_messages, barrier_names);
    });
    read_map(config, "reliability", [&](ConfigMap& map) {
        update_time(map, "timeout_us", p.reliability.timeout);
        if (p.reliability.timeout < min_timeout)
            throw InputError("cannot use value '" + map.text("timeout_us") + "'",
                             "microseconds, from 1 to 1e9")
                .at(map.place("timeout_us"));
        update_time(map, "acknowledge_us", p.reliability.acknowledge);
        map.update("window", p.reliability.window, window_names);
        map.update("initial_window", p.reliability.initial_window, 1, 1'000'000);
    });
    read_map(config, "workstation", [&](ConfigMap& map) {
        if (map.has("start_us")) p.workstation.start = read_starts(map, cluster);
        update_time(map, "send_overhead_us", p.workstation.send_overhead);
        update_time(map, "gap_us", p.workstation.gap);
        update_time(map, "receive_overhead_us", p.workstation.receive_overhead);
        update_time(map, "barrier_us", p.workstation.barrier);
        update_time(map, "stall_us", p.workstation.stall);
        update_time(map, "start_skew_us", p.workstation.start_skew);
        update_time(map, "jitter_us", p.workstation.jitter);
        if (!map.has("stall_probability")) return;
        p.workstation.stall_probability = map.number("stall_probability");
        if (!(p.workstation.stall_probability >= 0 && p.workstation.stall_probability <= 1))
            throw InputError("this is not a probability", "a number from 0 to 1")
                .at(map.place("stall_probability"));
    });
    config.finish();
    check_flow(config, p);
    return p;
}

EventParameters event_parameters(const std::string& network, const std::vector<std::string>& overrides,
                                 const Network* cluster) {
    const bool has_file = network.starts_with("cluster:");
    ConfigMap file = has_file ? cluster_file(network.substr(8), overrides)
                              : ConfigMap::from_text("{}", "--set", overrides);
    if (has_file) file.has("network");
    EventParameters parameters;
    if (file.has("event")) parameters = read_event_parameters(file.map("event"), cluster);
    file.finish();
    return parameters;
}

bool EventParameters::lossy() const {
    return flow != Flow::credit && bounded();
}

bool EventParameters::bounded() const {
    return switches.capacity > 0 || std::any_of(other_switches.begin(), other_switches.end(),
                                                [](const auto& other) { return other.second.capacity > 0; });
}

namespace {

Json switch_json(const SwitchParameters& p) {
    return {{"forwarding", name_of(forwarding_names, p.forwarding)},
            {"stored_from", name_of(stored_names, p.stored_from)},
            {"buffering", name_of(buffering_names, p.buffering)},
            {"arbitration", name_of(arbitration_names, p.arbitration)},
            {"capacity", p.capacity},
            {"output_room", p.output_room},
            {"pause_at", p.pause_at},
            {"resume_at", p.resume_at},
            {"header", p.header},
            {"delay_us", microseconds(p.delay_ps)}};
}

}  // namespace

Json to_json(const EventParameters& p) {
    Json starts = Json::array();
    for (const std::uint64_t start : p.workstation.start) starts.push_back(microseconds(start));
    Json others = Json::array();
    for (const auto& [number, other] : p.other_switches) {
        others.push_back(switch_json(other));
        others.back()["switches"] = {number};
    }
    return {{"frame", {{"mtu", p.frame.mtu}, {"overhead", p.frame.overhead}, {"minimum", p.frame.minimum}}},
            {"flow", name_of(flow_names, p.flow)},
            {"switch", switch_json(p.switches)},
            {"other_switches", others},
            {"workstation",
             {{"start_us", starts},
              {"send_overhead_us", microseconds(p.workstation.send_overhead)},
              {"gap_us", microseconds(p.workstation.gap)},
              {"receive_overhead_us", microseconds(p.workstation.receive_overhead)},
              {"barrier_us", microseconds(p.workstation.barrier)},
              {"stall_probability", p.workstation.stall_probability},
              {"stall_us", microseconds(p.workstation.stall)},
              {"start_skew_us", microseconds(p.workstation.start_skew)},
              {"jitter_us", microseconds(p.workstation.jitter)}}},
            {"protocol",
             {{"eager_limit",
               p.protocol.eager_limit == UINT64_MAX ? Json(nullptr) : Json(p.protocol.eager_limit)},
              {"copy_ns_per_byte", static_cast<double>(p.protocol.copy) / 1e3},
              {"barrier", name_of(barrier_names, p.protocol.barrier_of_messages)}}},
            {"reliability",
             {{"timeout_us", microseconds(p.reliability.timeout)},
              {"acknowledge_us", microseconds(p.reliability.acknowledge)},
              {"window", name_of(window_names, p.reliability.window)},
              {"initial_window", p.reliability.initial_window}}}};
}

}  // namespace interlace
