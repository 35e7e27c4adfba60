// Interlace: what a network can carry at most under a traffic pattern
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/value_error.h"
#include "interlace/engine/fabric/default_routing.h"
#include "interlace/engine/routing/route_loads.h"
#include "interlace/engine/routing/worst_permutation.h"
#include "interlace/experiment/nodes/options_json.h"
#include "interlace/harness/traffic/traffic_generator.h"
#include "interlace/network/specification.h"

namespace interlace {
namespace {

constexpr Names<AllowedPaths, 2> path_names = {
    {{"any", AllowedPaths::any, "of any length"},
     {"shortest", AllowedPaths::shortest, "with the fewest links"}}};

constexpr double parts = 1000;  // of a share

/// What TrafficPattern::destination() draws, in packets: as many for each host as make all numbers whole.
Demands hotspot_demands(const TrafficPattern& pattern, std::uint32_t nodes) {
    const auto share = static_cast<std::uint32_t>(std::lround(pattern.hotspot_share * parts));
    const auto rest = static_cast<std::uint32_t>(parts) - share;
    if (!is_in_thousandths(pattern.hotspot_share))
        throw InputError(fmt::format("cannot use a share of {:g} of the hot spots", pattern.hotspot_share),
                         "at most three digits behind the point");
    const auto spots = static_cast<std::uint32_t>(pattern.hotspots.size());
    Demands demands{rest * spots, std::vector<std::vector<std::pair<NodeId, std::uint32_t>>>(nodes)};
    for (std::uint32_t v = 0; v < nodes; ++v)
        for (const std::uint32_t spot : pattern.hotspots)
            if (spot != v) demands.more[v].emplace_back(spot, share * (nodes - 1));
    for (const std::uint32_t spot : pattern.hotspots)  // which draws itself now and then, and then any other
        for (std::uint32_t v = 0; v < nodes; ++v)
            if (v != spot) demands.more[spot].emplace_back(v, share);
    return demands;
}

Network network_of(const std::string& specification) {
    return about("network", [&] {
        Network network = make_network(specification);
        if (network.has_switches() && !network.lattice())
            for (std::uint32_t link = 1; link < network.link_count(); ++link)
                if (network.speed(LinkId{link}).bits_per_second != network.speed(LinkId{0}).bits_per_second)
                    throw InputError("cannot find the capacity of " + network.name() +
                                         ", whose links have different rates",
                                     "links of one rate");
        return network;
    });
}

/// The lengths in a result, of each link.
class LengthsOfFile {
  public:
    LengthsOfFile(ConfigMap& result, const Network& network)
        : network_(network), lengths_(network.link_count(), 0) {
        for (ConfigMap& row : result.maps("certificate")) {
            const auto length = static_cast<std::uint32_t>(row.integer("length", 0, UINT32_MAX));
            if (row.has("species"))
                read_species(row, length);
            else
                read_link(row, length);
        }
    }
    const std::vector<std::uint32_t>& lengths() const { return lengths_; }

  private:
    void read_species(ConfigMap& row, std::uint32_t length) {
        const auto& lattice = network_.lattice();
        if (!lattice || !lattice->wraps())
            throw InputError("the nodes of " + network_.name() + " have no species", "from and to of a link")
                .at(row.place("species"));
        const std::uint64_t species = row.integer("species", 0, lattice->species_count() - 1);
        const auto port =
            static_cast<std::uint32_t>(row.integer("port", 0, network_.max_endpoint_degree() - 1));
        for (std::uint32_t v = 0; v < network_.node_count(); ++v)
            if (lattice->species(NodeId{v}) == species && port < network_.degree(NodeId{v}))
                lengths_[network_.first_link(NodeId{v}) + port] = length;
    }
    void read_link(ConfigMap& row, std::uint32_t length) {
        const auto node = [&](const char* key) {
            return NodeId{static_cast<std::uint32_t>(row.integer(key, 0, network_.node_count() - 1))};
        };
        const auto link = network_.link(node("from"), node("to"));
        if (!link)
            throw InputError("there is no such link in " + network_.name(), "a link of the network")
                .at(row.place("to"));
        lengths_[*link] = length;
    }

    const Network& network_;
    std::vector<std::uint32_t> lengths_;
};

/// The pattern of a result; of a worst one the permutation that was found.
TrafficPattern pattern_of(ConfigMap& result, const std::string& name, const Network& network) {
    if (name != "worst") return traffic_pattern(name, network);
    const std::uint32_t hosts = network.endpoint_count();
    TrafficPattern pattern{result.integers("permutation", 0, hosts - 1)};
    if (pattern.fixed.size() != hosts)
        throw InputError(fmt::format("there are {} destinations", pattern.fixed.size()),
                         fmt::format("{}, one for each node with a host", hosts))
            .at(result.place("permutation"));
    return pattern;
}

/// Rows for species and ports where all nodes of a species have the same lengths, otherwise for links. Those
/// that are left out have length 0.
Json certificate_json(const CapacityRun& run) {
    Json rows = Json::array();
    const Network& network = run.network;
    const auto& lattice = network.lattice();
    const std::vector<std::uint32_t>& lengths = run.found->bound.lengths;
    if (lattice && lattice->wraps() && run.classes.by_species()) {
        for (std::uint32_t s = 0; s < lattice->species_count(); ++s)
            for (std::uint32_t p = 0; p < network.degree(NodeId{s}); ++p)
                rows.push_back(
                    {{"species", s}, {"port", p}, {"length", lengths[run.classes.of(NodeId{s}, p)]}});
        return rows;
    }
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const auto neighbours = network.neighbours(NodeId{v});
        for (std::uint32_t p = 0; p < neighbours.size(); ++p)
            if (const std::uint32_t length = lengths[run.classes.of(NodeId{v}, p)]; length > 0)
                rows.push_back({{"from", v}, {"to", +neighbours[p]}, {"length", length}});
    }
    return rows;
}

}  // namespace

bool is_in_thousandths(double share) {
    return std::abs(share * parts - std::round(share * parts)) < 1e-9;
}

Demands demands_of(const TrafficPattern& pattern, std::uint32_t nodes) {
    if (pattern.fixed.empty()) return pattern.hotspots.empty() ? Demands{} : hotspot_demands(pattern, nodes);
    if (pattern.silent) throw InputError("no node sends in this pattern", "one in which some node sends");
    Demands demands{0, std::vector<std::vector<std::pair<NodeId, std::uint32_t>>>(nodes)};
    for (std::uint32_t v = 0; v < nodes; ++v)
        if (pattern.fixed[v] != v) demands.more[v].emplace_back(pattern.fixed[v], 1);
    return demands;
}

Choices capacity_patterns() {
    Choices patterns = traffic_patterns();
    patterns.push_back({"worst", "the permutation under which the routing loads a link most"});
    return patterns;
}

Choices path_choices() {
    return choices_of(path_names);
}

std::unique_ptr<Experiment> read_capacity(ConfigMap& config) {
    auto e = std::make_unique<CapacityExperiment>();
    e->network = network_specification(config);
    ConfigMap map = config.map("capacity");
    e->pattern = map.text("pattern", e->pattern);
    map.update("paths", e->paths, path_names);
    map.finish();
    if (config.has("node") || e->is_worst()) {
        e->node = default_traffic_node(config);
        if (config.has("node")) e->node = read_node(config.map("node"), *e->node);
        if (e->node->routing == Routing::automatic) e->node->routing = routing_on(e->network, *e->node);
    }
    return e;
}

Json CapacityExperiment::to_json() const {
    Json json = {{"schema", 1},
                 {"network", network},
                 {"capacity", {{"pattern", pattern}, {"paths", name_of(path_names, paths)}}}};
    if (node) json["node"] = node_json(*node);
    return json;
}

std::vector<Measure> CapacityExperiment::measures() const {
    std::vector<Measure> measures = {
        {"capacity", true}, {"capacity_at_most", true}, {"link_load"}, {"lower_bound"}, {"gap"}};
    if (node)
        measures.insert(measures.end(),
                        {{"routing.capacity", true}, {"routing.share", true}, {"routing.link_load"}});
    return measures;
}

Json CapacityExperiment::run(const Preparation*, const RunListener& listener) const {
    return interlace::to_json(run_capacity(*this, listener));
}

namespace {

/// The routing of the experiment's node on its network.
class RoutingOnNetwork {
  public:
    RoutingOnNetwork(const CapacityExperiment& e, const Network& network)
        : network_(network),
          fabric_(about("node", [&] { return fabric(e, network); })),
          tables_(about("node.routing", [&] { return routing_tables(network, fabric_); })) {}

    RoutingLoad load(const Demands& demands) const {
        const std::vector<double> loads = route_loads(network_, fabric_, tables_, demands);
        const auto fullest = std::max_element(loads.begin(), loads.end());
        const LinkId link{static_cast<std::uint32_t>(fullest - loads.begin())};
        return {*fullest, std::accumulate(loads.begin(), loads.end(), 0.0) / network_.link_count(),
                network_.origin(link), network_.target(link)};
    }
    NodeLimits limits(const Demands& demands) const {
        const auto hosts = network_.endpoint_count();
        const auto received = static_cast<double>(demands.most_received(hosts));
        return {std::min<double>(fabric_.injections, network_.max_endpoint_degree()),
                std::min<double>(fabric_.receptions, network_.max_endpoint_degree()) *
                    static_cast<double>(demands.most_sent(hosts)) / received};
    }
    WorstPermutation worst(const RunListener& listener) const {
        const auto tell = [&](double share) {
            if (listener.progress) listener.progress("permutation", share);
        };
        return worst_permutation(network_, fabric_, tables_, tell);
    }

  private:
    static Fabric fabric(const CapacityExperiment& e, const Network& network) {
        NodeParameters node = *e.node;
        if (node.routing == Routing::automatic) node.routing = default_routing(network, node);
        Fabric fabric(network, node);
        check_traffic_fabric(fabric, 1);
        return fabric;
    }

    const Network& network_;
    Fabric fabric_;
    RoutingTables tables_;
};

Capacity search(const CapacityExperiment& e, const Network& network, const LinkClasses& classes,
                const Demands& demands, const RunListener& listener) {
    constexpr double tolerance = 0.001;
    double first = 0;
    const auto tell = [&](double gap) {
        if (first == 0) first = gap;
        if (!listener.progress || first <= tolerance) return;
        // The gap shrinks by about the same factor from round to round.
        const double share = std::log(gap / first) / std::log(tolerance / first);
        listener.progress("search", std::clamp(share, 0.0, 0.99));
    };
    Capacity found =
        about("network", [&] { return find_capacity(network, classes, demands, e.paths, tolerance, tell); });
    if (listener.progress) listener.progress("search", 1);
    return found;
}

}  // namespace

CapacityRun run_capacity(const CapacityExperiment& e, const RunListener& listener) {
    constexpr std::uint32_t most_for_worst = 256;  // nodes: such a permutation has no symmetry
    Network network = network_of(e.network);
    std::optional<RoutingOnNetwork> routing;
    if (e.node) routing.emplace(e, network);
    std::vector<std::uint32_t> worst;
    if (e.is_worst()) worst = routing->worst(listener).destination;
    const Demands demands = about("capacity.pattern", [&] {
        const TrafficPattern pattern = e.is_worst()
                                           ? TrafficPattern{worst}
                                           : traffic_pattern(e.pattern, network, {}, capacity_patterns());
        return demands_of(pattern, network.endpoint_count());
    });
    LinkClasses classes(network, demands);
    std::optional<Capacity> found;
    if (!e.is_worst() || network.node_count() <= most_for_worst)
        found = search(e, network, classes, demands, listener);
    std::optional<RoutingLoad> load;
    std::optional<NodeLimits> limits;
    if (routing) {
        load = routing->load(demands);
        limits = routing->limits(demands);
    }
    return {e,      std::move(network), std::move(classes), demands, std::move(found), load,
            limits, std::move(worst)};
}

double guaranteed_load(const std::string& network, const NodeParameters& node) {
    CapacityExperiment e;
    e.network = network;
    e.node = node;
    return 1 / RoutingOnNetwork(e, make_network(network)).worst({}).link_load;
}

std::optional<Capacity> capacity_soon_found(const Network& network, const Demands& demands) {
    constexpr std::uint64_t few = 20'000;
    const LinkClasses classes(network, demands);
    if (std::uint64_t{classes.count()} * classes.origins().size() > few) return {};
    try {
        return find_capacity(network, classes, demands, AllowedPaths::any);
    } catch (const InputError&) {
        return {};  // without CLP, which only interlace capacity needs
    }
}

Json to_json(const CapacityRun& run) {
    Json json = json_result("capacity", 1);
    json["experiment"] = run.experiment.to_json();
    json["network"] = run.experiment.network;
    json["nodes"] = run.network.node_count();
    json["links"] = run.network.link_count();
    json["paths"] = name_of(path_names, run.experiment.paths);
    if (run.found) {
        const Capacity& found = *run.found;
        json["capacity"] = run.capacity_at(found.link_load);
        json["capacity_at_most"] = run.capacity_at(found.bound.link_load());
        json["link_load"] = found.link_load;
        json["lower_bound"] = found.bound.link_load();
        json["distances"] = found.bound.distances;
        json["lengths"] = found.bound.all_lengths;
        json["gap"] = found.gap();
        json["rounds"] = found.rounds;
    }
    if (run.routing) {
        const RoutingLoad& load = *run.routing;
        json["routing"] = {{"name", run.experiment.node->routing_text()},
                           {"capacity", run.capacity_at(load.max)},
                           {"link_load", load.max},
                           {"link_load_mean", load.mean},
                           {"from", +load.from},
                           {"to", +load.to}};
        json["injection_limit"] = run.limits->injection;
        json["ejection_limit"] = run.limits->ejection;
        if (run.found) json["routing"]["share"] = run.found->bound.link_load() / load.max;
    }
    if (run.experiment.is_worst()) json["permutation"] = run.worst;
    if (run.found) json["certificate"] = certificate_json(run);
    return json;
}

CapacityCheck check_capacity_file(const std::string& specification, const std::string& file) {
    constexpr double rounding = 1e-9;
    ConfigMap result = ConfigMap::from_file(file);
    ConfigMap experiment = result.map("experiment");
    ConfigMap section = experiment.map("capacity");
    CapacityCheck check;
    check.file = file;
    check.lower_bound = result.number("lower_bound");
    const Network network = network_of(specification);
    AllowedPaths paths = AllowedPaths::any;
    section.update("paths", paths, path_names);
    const TrafficPattern pattern = pattern_of(result, section.text("pattern"), network);
    const Demands demands = demands_of(pattern, network.endpoint_count());
    check.bound = check_capacity(network, demands, LengthsOfFile(result, network).lengths(),
                                 paths == AllowedPaths::shortest);
    const double at_most = result.number("capacity_at_most");
    const double proven = check.bound.lengths == 0 ? 0
                                                   : static_cast<double>(check.bound.distances) /
                                                         static_cast<double>(check.bound.lengths);
    const auto sent = static_cast<double>(demands.most_sent(network.endpoint_count()));
    if (proven < check.lower_bound * (1 - rounding))
        check.problem =
            fmt::format("the lengths prove {:.6g} packets over the fullest link, not lower_bound {:.6g}",
                        proven, check.lower_bound);
    else if (at_most * proven < sent * (1 - rounding))
        check.problem =
            fmt::format("the lengths prove capacity_at_most {:.6g}, not {:.6g}", sent / proven, at_most);
    return check;
}

Json to_json(const CapacityCheck& check) {
    Json json = json_result("check", 1);
    json["file"] = check.file;
    json["valid"] = check.problem.empty();
    json["distances"] = check.bound.distances;
    json["lengths"] = check.bound.lengths;
    json["lower_bound"] = check.lower_bound;
    if (!check.problem.empty()) json["problem"] = check.problem;
    return json;
}

}  // namespace interlace
