// Interlace: finds cuts over time that prove that collectives take so many steps
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/time_cuts.h"

#include <algorithm>

#include "interlace/broadcast/collectives/reducescatter.h"
#include "interlace/network/metrics.h"
#include "scatter_flow.h"

namespace interlace {
namespace {

/// Looks for cuts of packets from a node; of packets to it, on reversed links.
class CutSearch {
  public:
    CutSearch(const Network& network, PacketsGo go, NodeId node, std::uint32_t packets, std::uint32_t steps,
              std::optional<NodeId> other)
        : network_(network),
          reversed_(go == PacketsGo::to ? std::optional(reversed_links(network)) : std::nullopt),
          forwards_(reversed_ ? *reversed_ : network),
          cut_{node, go, steps, other, packets, {}},
          distances_(distances_from(forwards_, node)) {}

    /// Nodes so far away stay behind the cut. Nearer ones come out in time for what left the node too late
    /// for those: a step before it for each link between.
    bool at_distance(std::uint32_t distance) {
        cut_.times.clear();
        for (const std::uint32_t at : distances_)
            cut_.times.push_back(at == 0 ? 0 : at >= distance ? end() : end() - (distance - at));
        return proves();
    }
    /// Only the other node stays behind it. The rest comes out when the first packet can be there.
    bool at_other() {
        cut_.times.clear();
        for (const std::uint32_t at : distances_) cut_.times.push_back(std::min(at, end()));
        cut_.times[*cut_.only] = end();
        return proves();
    }
    bool of_flow() {
        if (!ScatterFlow::is_small(network_, cut_.steps)) return false;
        cut_.times =
            ScatterFlow(forwards_, cut_.node, static_cast<std::uint32_t>(cut_.packets), cut_.steps, cut_.only)
                .cut();
        return proves();
    }
    std::uint32_t farthest() const { return *std::max_element(distances_.begin(), distances_.end()); }
    TimeCut take() { return std::move(cut_); }

  private:
    std::uint32_t end() const { return cut_.steps + 1; }
    bool proves() const { return check_time_cut(network_, cut_).proves(); }

    const Network& network_;
    const std::optional<Network> reversed_;
    const Network& forwards_;
    TimeCut cut_;
    const std::vector<std::uint32_t> distances_;
};

}  // namespace

std::optional<TimeCut> cut_of_all(const Network& network, PacketsGo go, NodeId node, std::uint32_t packets,
                                  std::uint32_t steps) {
    CutSearch search(network, go, node, packets, steps, {});
    const std::uint32_t last = std::min(search.farthest(), steps + 1);
    for (std::uint32_t distance = 1; distance <= last; ++distance)
        if (search.at_distance(distance)) return search.take();
    if (search.of_flow()) return search.take();
    return {};
}

std::optional<TimeCut> cut_of_one(const Network& network, PacketsGo go, NodeId node, NodeId other,
                                  std::uint32_t packets, std::uint32_t steps) {
    CutSearch search(network, go, node, packets, steps, other);
    if (search.at_other() || search.of_flow()) return search.take();
    return {};
}

}  // namespace interlace
