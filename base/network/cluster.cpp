// Interlace: clusters: machines behind switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "interlace/config/shipped.h"
#include "interlace/core/error.h"
#include "interlace/core/parts.h"
#include "interlace/core/whole_file.h"

namespace interlace {

const std::vector<ShippedFile>& shipped_clusters();  // configs/clusters

namespace {

constexpr std::uint32_t most = 1'000'000;  // switches, machines

std::pair<std::uint32_t, std::uint32_t> ordered(std::pair<std::uint32_t, std::uint32_t> ends) {
    return std::minmax({ends.first, ends.second});
}

/// `value` times 10^6, as a whole number.
std::uint64_t millions(ConfigMap& config, const std::string& key, double low) {
    const double value = config.number(key);
    if (!(value >= low && value <= 1e9))
        throw InputError(fmt::format("cannot use value {}", value),
                         fmt::format("a number from {} to 1e9", low))
            .at(config.place(key));
    return static_cast<std::uint64_t>(std::llround(value * 1e6));
}

LinkSpeed read_speed(ConfigMap& config) {
    LinkSpeed speed;
    if (config.has("rate_mbps")) speed.bits_per_second = millions(config, "rate_mbps", 0.001);
    if (config.has("latency_us")) speed.latency_ps = millions(config, "latency_us", 0);
    return speed;
}

LinkSpeed speed_of(ConfigMap& config, const std::string& key) {
    if (!config.has(key)) return {};
    ConfigMap map = config.map(key);
    const LinkSpeed speed = read_speed(map);
    map.finish();
    return speed;
}

void read_trunks(ConfigMap& config, ClusterPlan& plan) {
    if (!config.has("trunks")) return;
    plan.trunks = config.pairs("trunks", 0, plan.switches - 1);
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    for (const auto& trunk : plan.trunks) {
        if (trunk.first == trunk.second)
            throw InputError(fmt::format("a trunk leads from s{} to itself", trunk.first), "two switches")
                .at(config.place("trunks"));
        if (!known.insert(ordered(trunk)).second)
            throw InputError(fmt::format("the trunk [{}, {}] is listed twice", trunk.first, trunk.second),
                             "one (a faster one has its rate under other_trunks)")
                .at(config.place("trunks"));
    }
    if (!config.has("other_trunks")) return;
    for (ConfigMap& other : config.maps("other_trunks")) {
        const std::string place = other.place("between");
        const auto ends = other.integers("between", 0, plan.switches - 1);
        if (ends.size() != 2 || !known.contains(ordered({ends[0], ends[1]})))
            throw InputError("there is no such trunk", "two switches that a trunk joins, as in [0, 1]")
                .at(place);
        plan.other_trunks.push_back({ordered({ends[0], ends[1]}), read_speed(other)});
        other.finish();
    }
}

void check_connected(const ClusterPlan& plan, const std::string& place) {
    Parts parts(plan.switches);
    for (const auto& [a, b] : plan.trunks) parts.join(a, b);
    for (std::uint32_t machine = 1; machine < plan.machines.size(); ++machine)
        if (parts.of(plan.machines[machine]) != parts.of(plan.machines[0]))
            throw InputError(fmt::format("no trunks lead from s{} (n0) to s{} (n{})", plan.machines[0],
                                         plan.machines[machine], machine),
                             "a connected network")
                .at(place);
}

void check_machines(std::size_t machines, const std::string& place) {
    if (machines < 2)
        throw InputError(fmt::format("cannot use {} machine{}", machines, machines == 1 ? "" : "s"),
                         "at least two machines")
            .at(place);
}

ClusterPlan read_plan(ConfigMap& config) {
    const std::string kind = config.text("kind");
    const auto count = [&](const char* key, std::uint32_t low) {
        return static_cast<std::uint32_t>(config.integer(key, low, most));
    };
    const std::uint32_t switches = count("switches", 1);
    ClusterPlan plan;
    if (kind == "cluster") {
        plan.switches = switches;
        read_trunks(config, plan);
        plan.machines = config.integers("machines", 0, switches - 1);
        check_machines(plan.machines.size(), config.place("machines"));
    } else if (kind == "random_cluster" || kind == "irregular_cluster") {
        const std::uint32_t machines = count("machines", 2);
        const std::uint64_t seed = config.has("seed") ? config.integer("seed", 0, UINT64_MAX) : 1;
        try {
            plan = kind == "random_cluster"
                       ? random_cluster(switches, machines, config.number("degree"), seed)
                       : irregular_cluster(switches, count("ports", 1), config.number("connectivity"),
                                           machines, seed);
        } catch (const InputError& error) {
            throw error.at(config.place("switches"));
        }
    } else {
        throw InputError("cannot use kind '" + kind + "'", "cluster, random_cluster or irregular_cluster")
            .at(config.place("kind"));
    }
    plan.link = speed_of(config, "link");
    plan.trunk = speed_of(config, "trunk");
    return plan;
}

}  // namespace

Network make_cluster(const std::string& name, const ClusterPlan& plan) {
    const auto machines = static_cast<std::uint32_t>(plan.machines.size());
    std::vector<ClusterLink> links;
    const auto add = [&](std::uint32_t a, std::uint32_t b, LinkSpeed speed) {
        links.push_back({NodeId{a}, NodeId{b}, speed});
        links.push_back({NodeId{b}, NodeId{a}, speed});
    };
    for (std::uint32_t i = 0; i < machines; ++i) add(i, machines + plan.machines[i], plan.link);
    for (const auto& trunk : plan.trunks) {
        const auto other = std::find_if(plan.other_trunks.begin(), plan.other_trunks.end(),
                                        [&](const auto& o) { return o.first == ordered(trunk); });
        add(machines + trunk.first, machines + trunk.second,
            other == plan.other_trunks.end() ? plan.trunk : other->second);
    }
    return {name, std::move(links), machines, machines + plan.switches};
}

ConfigMap cluster_file(const std::string& name_or_file, const std::vector<std::string>& overrides) {
    refuse_pipe(name_or_file);
    return shipped_or_file(shipped_clusters(), name_or_file, "cluster", overrides);
}

Choices cluster_choices() {
    return shipped_choices(shipped_clusters());
}

Network read_cluster(const std::string& name_or_file, const std::vector<std::string>& overrides) {
    ConfigMap file = cluster_file(name_or_file, overrides);
    ConfigMap config = file.map("network");
    const ClusterPlan plan = read_plan(config);
    config.finish();
    check_connected(plan, config.place("trunks"));
    file.has("event");  // the switches and workstations: for the engine that runs them
    file.finish();
    return make_cluster("cluster:" + name_or_file, plan);
}

std::vector<LinksOfSpeed> links_by_speed(const Network& network) {
    std::vector<LinksOfSpeed> found;
    for (std::uint32_t link = 0; link < network.link_count(); ++link) {
        const LinkSpeed speed = network.speed(LinkId{link});
        auto same = std::find_if(found.begin(), found.end(),
                                 [&](const LinksOfSpeed& links) { return links.speed == speed; });
        if (same == found.end()) same = found.insert(found.end(), {speed, 0});
        ++same->links;
    }
    return found;
}

namespace {

/// That a graph with switches is a cluster: each machine on one switch, all links in both directions, and all
/// machines connected.
void check_machines(const Network& network) {
    const std::uint32_t machines = network.endpoint_count();
    Parts parts(network.node_count());
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const auto neighbours = network.neighbours(NodeId{v});
        if (v < machines && (neighbours.size() != 1 || neighbours.front() < machines))
            throw InputError(fmt::format("machine {} of {} has {} links, or one to a machine", v,
                                         network.name(), neighbours.size()),
                             "one link, to a switch, for messages between machines");
        for (const NodeId to : neighbours) {
            if (!network.link(to, NodeId{v}))
                throw InputError(fmt::format("the link from {} to {} has no reverse link", v, +to),
                                 "full-duplex links: one link in each direction");
            parts.join(v, to);
        }
    }
    for (std::uint32_t v = 1; v < machines; ++v)
        if (parts.of(v) != parts.of(0))
            throw InputError(
                fmt::format("no links lead from machine 0 to machine {} of {}", v, network.name()),
                "a connected network");
}

}  // namespace

Network as_cluster(const Network& network, LinkSpeed speed) {
    if (network.has_switches()) {
        check_machines(network);
        return network;
    }
    ClusterPlan plan;
    plan.switches = network.node_count();
    plan.link = plan.trunk = speed;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        plan.machines.push_back(v);
        for (const NodeId to : network.neighbours(NodeId{v})) {
            if (!network.link(to, NodeId{v}))
                throw InputError(fmt::format("the link from {} to {} has no reverse link", v, +to),
                                 "full-duplex links: one link in each direction");
            if (v < to) plan.trunks.emplace_back(v, to);
        }
    }
    check_connected(plan, network.name());
    return make_cluster(network.name(), plan);
}

}  // namespace interlace
