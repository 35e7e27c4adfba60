// Interlace: the line, rectangular and global broadcasts of Zhang and Deng
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/torus/paper.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <utility>

#include "flood.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint32_t absent = UINT32_MAX;

Direction direction_of(const Hop& hop) {
    if (std::abs(hop.offset) == 1) return hop.offset > 0 ? Direction::right_torus : Direction::left_torus;
    return hop.offset > 0 ? Direction::right_bypass : Direction::left_bypass;
}

/// The links of the colour that starts along axes.front(); `axes` in the colour's own cyclic order.
///
/// Node y is reached over a link from x in dimension j when (relative to the source, "differs" meaning an
/// element of Omega^c): y differs in j, and either j is the colour's first axis and y differs in no other
/// (the source's line), or y differs in the first axis and in none after j (rules 2 and 3: j is the last
/// element of chi(i, k_m(y))). Rule 4: y does not differ in the first axis, x does, and the link is along it.
class ColourGraph {
  public:
    ColourGraph(const Network& network, NodeId source, std::vector<std::uint32_t> axes, bool torus_links_only)
        : network_(network),
          lattice_(*network.lattice()),
          source_(source),
          axes_(std::move(axes)),
          torus_links_only_(torus_links_only) {}

    ColourLinks build() {
        ColourLinks links;
        std::vector<std::uint32_t> index(network_.node_count(), absent);
        for (std::uint32_t v = 0; v < network_.node_count(); ++v) {
            if (!in_group(NodeId{v})) continue;
            index[v] = static_cast<std::uint32_t>(links.nodes.size());
            links.nodes.emplace_back(v);
        }
        for (const NodeId node : links.nodes) {
            links.first.push_back(static_cast<std::uint32_t>(links.link.size()));
            std::uint32_t port = 0;
            for (const Hop& hop : lattice_.hops(node)) {
                const LinkId link{network_.first_link(node) + port++};
                if (!usable(node, network_.target(link), hop)) continue;
                links.link.push_back(link);
                links.direction.push_back(direction_of(hop));
                links.to.push_back(index[network_.target(link)]);
            }
        }
        links.first.push_back(static_cast<std::uint32_t>(links.link.size()));
        return links;
    }

    /// For each of the source's links of this colour: whether `pattern` sends in reverse order over it.
    std::vector<bool> reversed(std::uint32_t pattern) const {
        std::vector<bool> bits;
        for (const Hop& hop : lattice_.hops(source_)) {
            if (hop.dimension != axes_.front() || (torus_links_only_ && std::abs(hop.offset) != 1)) continue;
            constexpr std::array<std::uint32_t, directions> bits_of_direction = {8, 1, 4, 2};  // rRLl
            bits.push_back((pattern & bits_of_direction[static_cast<std::size_t>(direction_of(hop))]) != 0);
        }
        return bits;
    }

  private:
    bool differs(NodeId node, std::uint32_t dimension) const {
        return lattice_.coordinate(node, dimension) != lattice_.coordinate(source_, dimension);
    }

    bool in_group(NodeId node) const {
        for (std::uint32_t i = 0; i < lattice_.dimensions(); ++i)
            if (differs(node, i) && std::find(axes_.begin(), axes_.end(), i) == axes_.end()) return false;
        return true;
    }

    bool usable(NodeId from, NodeId to, const Hop& hop) const {
        if (torus_links_only_ && std::abs(hop.offset) != 1) return false;
        const auto axis = std::find(axes_.begin(), axes_.end(), hop.dimension);
        if (axis == axes_.end() || to == source_) return false;
        const bool first_axis = axis == axes_.begin();
        if (first_axis && !differs(to, hop.dimension)) return differs(from, hop.dimension);  // rule 4
        if (!differs(to, hop.dimension) || (!first_axis && !differs(to, axes_.front()))) return false;
        return std::none_of(axis + 1, axes_.end(), [&](std::uint32_t later) { return differs(to, later); });
    }

    const Network& network_;
    const Lattice& lattice_;
    NodeId source_;
    std::vector<std::uint32_t> axes_;
    bool torus_links_only_;
};

/// One colour, with the best flood found for each number of packets.
class Colour {
  public:
    Colour(const Network& network, NodeId source, const std::vector<std::uint32_t>& axes,
           const Patterns& patterns, bool torus_links_only)
        : graph_(network, source, axes, torus_links_only),
          links_(graph_.build()),
          flooding_(links_, static_cast<std::uint32_t>(
                                std::lower_bound(links_.nodes.begin(), links_.nodes.end(), source) -
                                links_.nodes.begin())),
          patterns_(patterns) {}
    Colour(const Colour&) = delete;
    Colour& operator=(const Colour&) = delete;

    struct Best {
        std::uint32_t packets = absent, pattern = 0;
        Flood flood;
    };

    /// The best pattern's flood of `packets` packets.
    const Best& best(std::uint32_t packets) {
        if (best_.packets == packets) return best_;
        best_ = {packets, 0, {{}, absent}};
        std::vector<std::vector<bool>> tried;  // patterns differ in links that the source may not have
        for (const std::uint32_t pattern : patterns_) {
            const std::vector<bool> reversed = graph_.reversed(pattern);
            if (std::find(tried.begin(), tried.end(), reversed) != tried.end()) continue;
            tried.push_back(reversed);
            if (auto better = flooding_.flood(reversed, packets, best_.flood.steps)) {
                best_.flood = std::move(*better);
                best_.pattern = pattern;
            }
        }
        return best_;
    }

  private:
    ColourGraph graph_;
    ColourLinks links_;
    Flooding flooding_;
    Patterns patterns_;
    Best best_;
};

std::vector<std::uint32_t> even_split(std::uint32_t packets, std::size_t colours) {
    std::vector<std::uint32_t> split(colours);
    for (std::size_t c = 0; c < colours; ++c)
        split[c] = packets / static_cast<std::uint32_t>(colours) + (c < packets % colours ? 1 : 0);
    return split;
}

/// Colours use different links, so a broadcast lasts as long as its slowest colour, and a colour's time
/// depends on its own packets alone: moving packets from the slowest to the fastest finds the best split of
/// two colours.
std::vector<std::uint32_t> choose_split(std::deque<Colour>& colours, std::uint32_t packets) {
    std::vector<std::uint32_t> split = even_split(packets, colours.size());
    std::vector<std::uint32_t> steps;
    for (std::size_t c = 0; c < colours.size(); ++c) steps.push_back(colours[c].best(split[c]).flood.steps);
    std::vector<std::uint32_t> best = split;
    std::uint32_t best_steps = *std::max_element(steps.begin(), steps.end());
    for (;;) {
        const auto slow = std::max_element(steps.begin(), steps.end()) - steps.begin();
        const auto fast = std::min_element(steps.begin(), steps.end()) - steps.begin();
        if (slow == fast || split[slow] == 0) return best;
        steps[slow] = colours[slow].best(--split[slow]).flood.steps;
        steps[fast] = colours[fast].best(++split[fast]).flood.steps;
        if (steps[fast] >= best_steps) return best;
        const std::uint32_t now = *std::max_element(steps.begin(), steps.end());
        if (now < best_steps) {
            best_steps = now;
            best = split;
        }
    }
}

PaperBroadcast broadcast(const Network& network, NodeId source, const std::vector<std::uint32_t>& axes,
                         std::uint32_t packets, const Patterns& patterns, bool torus_links_only) {
    const Lattice& lattice = network.lattice_for("the paper's broadcast");
    if (!lattice.has_rings() || !lattice.has_rows())
        throw InputError("cannot run the paper's broadcast on " + network.name(),
                         "a torus without a twist and with 3 nodes or more in each dimension, or an ibt");
    std::deque<Colour> colours;
    std::vector<std::uint32_t> order = axes;
    for (std::size_t c = 0; c < axes.size(); ++c) {
        colours.emplace_back(network, source, order, patterns, torus_links_only);
        std::rotate(order.begin(), order.begin() + 1, order.end());
    }
    PaperBroadcast result;
    result.split = choose_split(colours, packets);
    std::uint32_t first_packet = 0;
    for (std::size_t c = 0; c < colours.size(); ++c) {
        const auto& best = colours[c].best(result.split[c]);
        result.patterns.push_back(best.pattern);
        result.steps = std::max(result.steps, best.flood.steps);
        for (const Send& send : best.flood.sends)
            result.sends.push_back({send.link, PacketId{first_packet + send.packet}});
        first_packet += result.split[c];
    }
    return result;
}

}  // namespace

Patterns paper_patterns(std::size_t axes) {
    return axes == 1 ? Patterns{0, 1, 2, 3, 4, 5, 6, 7} : Patterns{1, 3, 5, 7};
}

PaperBroadcast paper_broadcast(const Network& network, NodeId source, const std::vector<std::uint32_t>& axes,
                               std::uint32_t packets, const Patterns& patterns) {
    return broadcast(network, source, axes, packets, patterns, false);
}

PaperBroadcast ring_broadcast(const Network& network, NodeId source, std::uint32_t axis,
                              std::uint32_t packets) {
    return broadcast(network, source, {axis}, packets, {1}, true);
}

}  // namespace interlace
