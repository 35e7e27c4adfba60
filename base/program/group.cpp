// Interlace: who a broadcast is for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/group.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"
#include "interlace/core/text.h"

namespace interlace {

Group global_group(const Network& network) {
    return {std::vector<bool>(network.node_count(), true), network.node_count(), false};
}

Group node_group(const Network& network, NodeId source, const std::vector<NodeId>& targets) {
    Group group{std::vector<bool>(network.node_count(), false), 0, false};
    group.member[source] = true;
    for (const NodeId target : targets) group.member[target] = true;
    group.size = static_cast<std::uint32_t>(std::count(group.member.begin(), group.member.end(), true));
    return group;
}

Group axes_group(const Network& network, NodeId source, const std::vector<std::uint32_t>& axes) {
    const Lattice& lattice = network.lattice_for("a line or rectangle");
    if (!lattice.has_rows() && axes.size() < lattice.dimensions())
        throw InputError("cannot use a line or rectangle of " + network.name(),
                         "a torus without a twist, a mesh or an ibt, or the group global");
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i] >= lattice.dimensions())
            throw InputError(fmt::format("cannot use axis {} of {}", axes[i], network.name()),
                             fmt::format("axes 0 to {} (x is 0)", lattice.dimensions() - 1));
        if (std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(i), axes[i]) !=
            axes.begin() + static_cast<std::ptrdiff_t>(i))
            throw InputError(fmt::format("axis {} is named twice", axes[i]), "different axes");
    }
    Group group{std::vector<bool>(network.node_count(), false), 0, true};
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        bool inside = true;
        for (std::uint32_t i = 0; i < lattice.dimensions() && inside; ++i)
            inside = lattice.coordinate(NodeId{v}, i) == lattice.coordinate(source, i) ||
                     std::find(axes.begin(), axes.end(), i) != axes.end();
        group.member[v] = inside;
        group.size += inside ? 1 : 0;
    }
    return group;
}

std::vector<std::uint32_t> parse_axes(const std::string& text) {
    static const std::string letters = "xyzw";
    std::vector<std::uint32_t> axes;
    if (text.find_first_not_of(letters) == std::string::npos) {
        for (const char letter : text) axes.push_back(static_cast<std::uint32_t>(letters.find(letter)));
    } else {
        for (const std::string& piece : split(text, ','))
            axes.push_back(static_cast<std::uint32_t>(parse_integer(piece, "axis", 0, 15)));
    }
    if (axes.empty()) throw InputError("there are no axes", "letters as in xy, or numbers as in 0,1");
    return axes;
}

std::uint64_t usable_links(const Network& network, const Group& group) {
    if (!group.members_only) return network.link_count();
    std::uint64_t count = 0;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        if (!group.member[v]) continue;
        for (const NodeId next : network.neighbours(NodeId{v})) count += group.member[next] ? 1 : 0;
    }
    return count;
}

}  // namespace interlace
