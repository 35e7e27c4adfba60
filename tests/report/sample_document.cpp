// Interlace: documents for tests of the report, all of whose values come from formulas
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sample_document.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace interlace {
namespace {

constexpr int packet_flits = 8;

/// Cycles of 256 packets through a channel of `depth` flits on a link of `latency` cycles.
double cycles_of(int depth, int latency) {
    const double round_trip = packet_flits + 2 * latency + 2;
    return std::round(256.0 * packet_flits / 4 + 10.0 * latency) * std::max(1.0, round_trip / depth);
}

std::vector<std::uint32_t> coordinates(std::uint32_t node, const std::vector<std::uint32_t>& sizes) {
    std::vector<std::uint32_t> at;
    for (const std::uint32_t size : sizes) {
        at.push_back(node % size);
        node /= size;
    }
    return at;
}

Json queue(int depth, int high_water) {
    Json histogram = Json::array();
    double flits = 0.0;
    double all = 0.0;
    for (int i = 0; i <= high_water; ++i) {
        const double count = std::floor(1e6 * std::exp(-i)) + 1;
        histogram.push_back(count);
        flits += i * count;
        all += count;
    }
    return {{"depth", depth},
            {"mean", flits / all},
            {"high_water", high_water},
            {"stall_cycles", 10 * high_water},
            {"histogram", histogram}};
}

/// Port p of a node is the busier the nearer the node is to the last one; node 1 lacks port 0.
/// Port 2d leads one on in dimension d, port 2d + 1 one back; without sizes the nodes are a ring.
Json links(const Json& sizes, std::uint32_t nodes, const std::vector<std::string>& ports) {
    Json to = Json::array();
    const std::vector<std::uint32_t> ring =
        sizes.is_null() ? std::vector<std::uint32_t>{nodes} : sizes.get<std::vector<std::uint32_t>>();
    for (std::size_t port = 0; port < ports.size(); ++port) {
        Json of_port = Json::array();
        for (std::uint32_t node = 0; node < nodes; ++node) {
            std::uint32_t stride = 1;
            for (std::size_t d = 0; d < port / 2; ++d) stride *= ring[d];
            const std::uint32_t size = ring[port / 2];
            const std::uint32_t at = node / stride % size;
            const std::uint32_t next = (at + (port % 2 == 0 ? 1 : size - 1)) % size;
            of_port.push_back(node == 1 && port == 0 ? Json(nullptr)
                                                     : Json(node + next * stride - at * stride));
        }
        to.push_back(of_port);
    }
    Json utilisation = Json::array();
    for (std::size_t port = 0; port < ports.size(); ++port) {
        Json of_port = Json::array();
        for (std::uint32_t node = 0; node < nodes; ++node)
            if (node == 1 && port == 0)
                of_port.push_back(nullptr);
            else
                of_port.push_back((node + 1.0) / nodes / static_cast<double>(port + 1));
        utilisation.push_back(of_port);
    }
    Json over_time = Json::array();
    for (int window = 0; window < 40; ++window) over_time.push_back(0.5 * std::sin(window * 3.14159 / 39));
    return {{"sizes", sizes}, {"nodes", nodes}, {"ports", ports},         {"utilisation", utilisation},
            {"to", to},       {"window", 16},   {"over_time", over_time}, {"unit", "cycles"}};
}

Json run(const std::string& name, const Json& sizes, const std::vector<std::vector<std::uint32_t>>& arrivals,
         std::uint32_t packets, const std::vector<std::string>& ports) {
    const auto nodes = static_cast<std::uint32_t>(arrivals.size());
    std::uint32_t steps = 0;
    for (const auto& times : arrivals)
        if (!times.empty()) steps = std::max(steps, times.back());
    std::vector<int> in_flight(steps, 0);
    for (const auto& times : arrivals)
        for (const std::uint32_t time : times) ++in_flight[time - 1];
    Json utilisation = Json::array();
    for (const int count : in_flight) utilisation.push_back(count / (2.0 * nodes));
    // Pairs in braces would be an object.
    Json facts = Json::array();
    facts.push_back(Json::array({"network", name}));
    facts.push_back(Json::array({"packets", packets}));
    facts.push_back(Json::array({"steps", steps}));
    facts.push_back(Json::array({"link_utilisation", 1.0 / 3}));
    return {{"kind", "run"},
            {"name", name},
            {"file", name + ".json"},
            {"facts", facts},
            {"queues",
             {{"injection", queue(32, 5)}, {"reception", queue(32, 9)}, {"virtual_channel", queue(0, 12)}}},
            {"links", links(sizes, nodes, ports)},
            {"wavefront",
             {{"sizes", sizes},
              {"nodes", nodes},
              {"packets", packets},
              {"source", 0},
              {"unit", "step"},
              {"arrivals", arrivals}}},
            {"per_step", {{"unit", "step"}, {"in_flight", in_flight}, {"utilisation", utilisation}}},
            {"tables",
             {{{"caption", "Checks"},
               {"columns", {"check", "verdict", "packet-hops"}},
               {"rows", {{"forward", "passed", 480}, {"tight", "failed", 0}}}}}}};
}

std::vector<std::uint32_t> arrivals_at(std::uint32_t distance, std::uint32_t packets) {
    std::vector<std::uint32_t> times;
    for (std::uint32_t packet = 0; distance > 0 && packet < packets; ++packet)
        times.push_back(distance + packet);
    return times;
}

}  // namespace

Json report_of(const Json& parts) {
    return {{"schema", 1},
            {"title", "Sample <report> of </script>"},
            {"version", "0.1.0"},
            {"git_commit", "0123456"},
            {"parts", parts}};
}

Json sample_sweep(const std::vector<int>& latencies) {
    Json rows = Json::array();
    Json queues = Json::array();
    for (const int latency : latencies)
        for (const int depth : {8, 12, 16, 24, 32, 48, 64, 128}) {
            const double cycles = cycles_of(depth, latency);
            queues.push_back(
                rows.empty() ? Json(nullptr)
                             : Json{{"injection", queue(0, 3)},
                                    {"reception", queue(16, 5)},
                                    {"virtual_channel", queue(depth, std::min(depth, 2 * latency + 10))}});
            if (rows.empty())
                rows.push_back({depth, latency, nullptr, nullptr, nullptr, nullptr});
            else
                rows.push_back({depth, latency, cycles, 1e6 / cycles, std::min(depth, 2 * latency + 10),
                                "dimension_order"});
        }
    return {{"kind", "sweep"},
            {"name", "depth of channels"},
            {"file", "depth.db"},
            {"study", "broadcast"},
            {"swept", {"node.vc_depth", "links.latency"}},
            {"columns", sample_columns({"node.vc_depth", "links.latency", "cycles", "throughput_mbps",
                                        "queues.virtual_channel.high_water", "routing"})},
            {"rows", rows},
            {"failed", {{{"row", 0}, {"error", "deadlock in cycle 96: <queue> full"}}}},
            {"queues", queues}};
}

Json sample_columns(const std::vector<std::string>& names) {
    const std::map<std::string, std::pair<const char*, const char*>> labels = {
        {"accepted_load", {"Accepted load", "flits/node/cycle"}},
        {"cycles", {"Time", "cycles"}},
        {"latency_mean", {"Mean latency", "cycles"}},
        {"steps", {"Steps", "steps"}},
        {"throughput_mbps", {"Throughput", "Mbit/s"}},
        {"traffic.load", {"Offered load", "flits/node/cycle"}}};
    Json columns = Json::array();
    for (const std::string& name : names) {
        const auto found = labels.find(name);
        const auto [label, unit] = found == labels.end() ? std::pair{name.c_str(), ""} : found->second;
        columns.push_back({{"name", name}, {"label", label}, {"unit", unit}});
    }
    return columns;
}

Json sample_load_sweep() {
    const std::vector<std::pair<std::string, double>> saturation = {
        {"uniform", 0.62}, {"transpose", 0.41}, {"tornado", 0.33}};
    Json rows = Json::array();
    for (const auto& [pattern, most] : saturation)
        for (int step = 1; step <= 12; ++step) {
            const double load = step * 0.05;
            const Json latency = load < most ? Json(24 + 5 * load / (most - load)) : Json("saturated");
            rows.push_back({load, pattern, latency, std::min(load, most), 10000});
        }
    return {{"kind", "sweep"},
            {"name", "latency under load"},
            {"file", "latency.db"},
            {"study", "traffic"},
            {"swept", {"traffic.load", "traffic.pattern"}},
            {"columns",
             sample_columns({"traffic.load", "traffic.pattern", "latency_mean", "accepted_load", "cycles"})},
            {"rows", rows},
            {"failed", Json::array()},
            {"queues", Json::array()}};
}

Json sample_seeds_sweep() {
    Json rows = Json::array();
    for (int step = 1; step <= 4; ++step)
        rows.push_back({step, 100 * step, step == 4 ? Json(nullptr) : Json(10 * step)});
    return {{"kind", "sweep"},
            {"name", "several seeds"},
            {"file", "seeds.db"},
            {"study", "broadcast"},
            {"swept", {"background.load"}},
            {"columns", sample_columns({"background.load", "cycles", "cycles_of_runs.half_interval"})},
            {"rows", rows},
            {"failed", Json::array()},
            {"queues", Json::array()}};
}

Json sample_depths_sweep() {
    const std::vector<int> depths = {0, 8, 16, 32, 64};
    const auto wait = [](int depth) { return depth == 0 ? 0 : 100 / depth; };
    Json rows = Json::array();
    for (const int channel : depths)
        for (const int injection : depths)
            for (const int reception : depths)
                rows.push_back({channel, injection, reception,
                                1'000 + 10 * wait(channel) + 2 * wait(injection) + wait(reception)});
    return {{"kind", "sweep"},
            {"name", "depths, every point"},
            {"file", "depths.db"},
            {"study", "broadcast"},
            {"swept", {"node.vc_depth", "node.injection_depth", "node.reception_depth"}},
            {"columns",
             sample_columns({"node.vc_depth", "node.injection_depth", "node.reception_depth", "cycles"})},
            {"rows", rows},
            {"failed", Json::array()},
            {"queues", Json::array()}};
}

Json sample_size() {
    constexpr int latency = 16;
    const std::vector<int> channels = {8, 20, 31, 36, 40, 42, 48};
    const std::vector<int> injections = {1, 2, 3, 4};
    const double reference = cycles_of(1000, latency);
    const auto bytes = [](int injection, int channel) { return 192 * injection + 128 * channel; };
    const auto slow_down = [&](int injection, int channel) {
        return cycles_of(channel, latency) / reference * (injection >= 3 ? 1.0 : 1.0 + 0.2 * (3 - injection));
    };
    Json alone = Json::array();
    Json tried_alone = Json::array();
    for (const int depth : injections)
        tried_alone.push_back({depth, reference * slow_down(depth, 48), slow_down(depth, 48)});
    alone.push_back(
        {{"queue", "injection"}, {"within", 3}, {"free", 3}, {"not_monotone", ""}, {"tried", tried_alone}});
    tried_alone = Json::array({Json::array({4, nullptr, nullptr})});
    for (const int depth : channels)
        tried_alone.push_back({depth, reference * slow_down(4, depth), slow_down(4, depth)});
    alone.push_back({{"queue", "virtual_channel"},
                     {"within", 42},
                     {"free", 42},
                     {"not_monotone", ""},
                     {"tried", tried_alone}});
    std::vector<Json> tried;
    for (const int injection : injections)
        for (const int channel : channels)
            tried.push_back({{"depths", {injection, channel}},
                             {"measure", reference * slow_down(injection, channel)},
                             {"slow_down", slow_down(injection, channel)},
                             {"bytes", bytes(injection, channel)}});
    Json front = Json::array();
    std::stable_sort(tried.begin(), tried.end(),
                     [](const Json& a, const Json& b) { return a.at("bytes") < b.at("bytes"); });
    for (const Json& point : tried)
        if (front.empty() || point.at("slow_down") < front.back().at("slow_down")) front.push_back(point);
    const auto joint = std::find_if(tried.begin(), tried.end(),
                                    [](const Json& point) { return point.at("slow_down") <= 1.02; });
    const Json answer = *joint;
    tried.push_back(
        {{"depths", {1, 4}}, {"measure", nullptr}, {"slow_down", nullptr}, {"bytes", bytes(1, 4)}});
    return {{"kind", "size"},          {"name", "long links"},
            {"file", "long_links.db"}, {"measure", "cycles"},
            {"tolerance", 0.02},       {"reference", reference},
            {"unit", "flits"},         {"queues", {"injection", "virtual_channel"}},
            {"alone", alone},          {"joint", answer},
            {"front", front},          {"tried", tried}};
}

Json sample_run(const std::vector<std::uint32_t>& sizes, std::uint32_t packets) {
    std::uint32_t nodes = 1;
    std::string name = "torus:";
    std::vector<std::string> ports;
    for (const std::uint32_t size : sizes) {
        if (nodes > 1) name += 'x';
        name += std::to_string(size);
        nodes *= size;
        const char letter = "xyzw"[ports.size() / 2];
        ports.push_back(std::string("+") + letter);
        ports.push_back(std::string("-") + letter);
    }
    std::vector<std::vector<std::uint32_t>> arrivals;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        std::uint32_t distance = 0;
        const auto at = coordinates(node, sizes);
        for (std::size_t d = 0; d < sizes.size(); ++d) distance += std::min(at[d], sizes[d] - at[d]);
        arrivals.push_back(arrivals_at(distance, packets));
    }
    return run(name, sizes, arrivals, packets, ports);
}

Json sample_run_without_lattice(std::uint32_t nodes) {
    std::vector<std::vector<std::uint32_t>> arrivals;
    for (std::uint32_t node = 0; node < nodes; ++node) arrivals.push_back(arrivals_at(node, 4));
    return run("line of " + std::to_string(nodes), nullptr, arrivals, 4, {"0", "1"});
}

Json sample_published() {
    Json rows = Json::array();
    for (const int side : {16, 32, 64}) {
        const bool differs = side == 32;
        const auto more = [&](int steps) {
            return std::string(side == 64 ? "1,0" : "").append(std::to_string(side + steps));
        };
        rows.push_back({{"quantity", "T_xy"},
                        {"network", "torus:" + std::to_string(side) + "x" + std::to_string(side)},
                        {"source", side > 16 ? "1" : ""},
                        {"published", more(10)},
                        {"computed", more(differs ? 11 : 10)},
                        {"optimal", more(7)},
                        {"lower_bound", more(6)},
                        {"verdict", differs ? "differs" : "equal"},
                        {"why", differs ? "the order of links is not stated" : ""}});
    }
    rows.push_back({{"quantity", "time"},
                    {"network", "cluster:topology_d"},
                    {"source", ""},
                    {"published", "84.043 ms"},
                    {"computed", "84.043 ms"},
                    {"optimal", ""},
                    {"lower_bound", ""},
                    {"verdict", "equal"},
                    {"why", ""}});
    return {{"kind", "published"},
            {"name", "published values"},
            {"file", "ibt"},
            {"tables", {{{"name", "table1"}, {"title", "Steps of a broadcast (Table 1)"}, {"rows", rows}}}}};
}

}  // namespace interlace
