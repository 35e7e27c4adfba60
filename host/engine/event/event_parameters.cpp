// Interlace: the switches and workstations of a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/event_parameters.h"

#include <fmt/format.h>

#include <cmath>

#include "interlace/core/error.h"
#include "interlace/network/cluster.h"

namespace interlace {
namespace {

constexpr Names<FrameSwitching, 2> forwarding_names = {
    {{"store_and_forward", FrameSwitching::store_and_forward}, {"cut_through", FrameSwitching::cut_through}}};
constexpr Names<StoredFrom, 2> stored_names = {
    {{"everywhere", StoredFrom::everywhere}, {"trunks", StoredFrom::trunks}}};

/// Of microseconds as written at `place`.
std::uint64_t picoseconds(const std::string& value, const std::string& place) {
    double us = 0;
    if (!YAML::convert<double>::decode(YAML::Node(value), us) || !(us >= 0 && us <= 1e9))
        throw InputError("value '" + value + "'", "microseconds, from 0 to 1e9").at(place);
    return static_cast<std::uint64_t>(std::llround(us * 1e6));
}

void update_time(ConfigMap& config, const std::string& key, std::uint64_t& time) {
    if (config.has(key)) time = picoseconds(config.text(key), config.place(key));
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

EventParameters read_event_parameters(ConfigMap config) {
    EventParameters p;
    read_map(config, "frame", [&](ConfigMap& map) {
        map.update("mtu", p.frame.mtu, 1, 65'536);
        map.update("overhead", p.frame.overhead, 0, 65'536);
        map.update("minimum", p.frame.minimum, 0, 65'536);
    });
    read_map(config, "switch", [&](ConfigMap& map) {
        map.update("forwarding", p.switches.forwarding, forwarding_names);
        map.update("stored_from", p.switches.stored_from, stored_names);
        map.update("header", p.switches.header, 0, 65'536);
        update_time(map, "delay_us", p.switches.delay_ps);
    });
    read_map(config, "workstation", [&](ConfigMap& map) {
        if (map.has("start_us")) {
            p.workstation.start.clear();
            for (const std::string& value : map.texts("start_us"))
                p.workstation.start.push_back(picoseconds(value, map.place("start_us")));
        }
        update_time(map, "send_overhead_us", p.workstation.send_overhead);
        update_time(map, "gap_us", p.workstation.gap);
        update_time(map, "receive_overhead_us", p.workstation.receive_overhead);
        update_time(map, "barrier_us", p.workstation.barrier);
    });
    config.finish();
    return p;
}

EventParameters event_parameters(const std::string& network, const std::vector<std::string>& overrides) {
    const bool has_file = network.starts_with("cluster:");
    ConfigMap file = has_file ? cluster_file(network.substr(8), overrides)
                              : ConfigMap::from_text("{}", "--set", overrides);
    if (has_file) file.has("network");
    EventParameters parameters;
    if (file.has("event")) parameters = read_event_parameters(file.map("event"));
    file.finish();
    return parameters;
}

Json to_json(const EventParameters& p) {
    std::vector<double> starts;
    for (const std::uint64_t start : p.workstation.start) starts.push_back(microseconds(start));
    return {{"frame", {{"mtu", p.frame.mtu}, {"overhead", p.frame.overhead}, {"minimum", p.frame.minimum}}},
            {"switch",
             {{"forwarding", name_of(forwarding_names, p.switches.forwarding)},
              {"stored_from", name_of(stored_names, p.switches.stored_from)},
              {"header", p.switches.header},
              {"delay_us", microseconds(p.switches.delay_ps)}}},
            {"workstation",
             {{"start_us", starts},
              {"send_overhead_us", microseconds(p.workstation.send_overhead)},
              {"gap_us", microseconds(p.workstation.gap)},
              {"receive_overhead_us", microseconds(p.workstation.receive_overhead)},
              {"barrier_us", microseconds(p.workstation.barrier)}}}};
}

}  // namespace interlace
