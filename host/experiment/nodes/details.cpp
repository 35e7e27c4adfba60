// Interlace: what a report draws of a run: links' use and the wavefront, as JSON
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/details.h"

#include <algorithm>
#include <cmath>

#include "interlace/network/export.h"

namespace interlace {
namespace {

/// Shares are for the eye: four digits.
double rounded(double share) {
    return std::round(share * 1e4) / 1e4;
}

Json grid_json(const Network& network) {
    Json json;
    json["sizes"] = nullptr;
    if (network.lattice()) json["sizes"] = network.lattice()->sizes();
    json["nodes"] = network.node_count();
    return json;
}

}  // namespace

Json links_json(const Network& network, const LinkShares& shares) {
    std::vector<std::string> ports;
    std::vector<Json> utilisation, to;  // beside ports
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const auto names = port_names(network, NodeId{v});
        for (std::uint32_t p = 0; p < names.size(); ++p) {
            const auto known = std::find(ports.begin(), ports.end(), names[p]);
            const auto port = static_cast<std::size_t>(known - ports.begin());
            if (known == ports.end()) {
                ports.push_back(names[p]);
                for (auto* of_ports : {&utilisation, &to})
                    of_ports->emplace_back(Json::array_t(network.node_count(), nullptr));
            }
            to[port][v] = static_cast<std::uint32_t>(network.neighbours(NodeId{v})[p]);
            utilisation[port][v] = rounded(shares.of_link(NodeId{v}, p));
        }
    }
    Json json = grid_json(network);
    json["ports"] = ports;
    json["utilisation"] = utilisation;
    json["to"] = to;
    json["window"] = shares.window;
    Json& over_time = json["over_time"] = Json::array();
    for (const double share : shares.over_time) over_time.push_back(rounded(share));
    json["unit"] = shares.unit;
    return json;
}

Json wavefront_json(const Network& network, NodeId source, std::uint32_t packets, const std::string& unit,
                    const std::vector<std::uint64_t>& arrival) {
    Json json = grid_json(network);
    json["packets"] = packets;
    json["source"] = static_cast<std::uint32_t>(source);
    json["unit"] = unit;
    Json& arrivals = json["arrivals"] = Json::array();
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        std::vector<std::uint64_t> times;
        for (std::uint32_t p = 0; p < packets && NodeId{v} != source; ++p)
            if (const std::uint64_t time = arrival[std::size_t{v} * packets + p]; time != UINT64_MAX)
                times.push_back(time);
        std::sort(times.begin(), times.end());
        arrivals.push_back(times);
    }
    return json;
}

}  // namespace interlace
