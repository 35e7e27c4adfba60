// Interlace: logical rings of a cluster's machines: by number, LR1, LR2
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/rings.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"

namespace interlace {

std::uint32_t longest_path(const SwitchTree& tree, const Ring& ring) {
    std::uint32_t longest = 0;
    for (std::size_t i = 0; ring.size() > 1 && i < ring.size(); ++i)
        longest = std::max(longest, tree.length(ring[i], ring[(i + 1) % ring.size()]));
    return longest;
}

Ring unaware_ring(const SwitchTree& tree) {
    Ring ring;
    for (std::uint32_t i = 0; i < tree.machine_count(); ++i) ring.push_back(NodeId{i});
    return ring;
}

Ring ring_lr1(const SwitchTree& tree) {
    Ring ring;
    for (std::uint32_t s = 0; s < tree.size(); ++s)
        ring.insert(ring.end(), tree.machines(s).begin(), tree.machines(s).end());
    return ring;
}

Ring ring_lr2(const SwitchTree& tree) {
    for (std::uint32_t s = 0; s < tree.size(); ++s)
        if (tree.machines(s).size() < tree.neighbours(s).size())
            throw InputError(fmt::format("a ring of two hops: s{} has {} machine{} and {} neighbour switches",
                                         tree.id(s), tree.machines(s).size(),
                                         tree.machines(s).size() == 1 ? "" : "s", tree.neighbours(s).size()),
                             "at least as many machines as neighbour switches everywhere, or lr3");
    // From the leaves up: m0, the array of the first subtree, m1, that of the second, ..., the other
    // machines.
    std::vector<Ring> array(tree.size());
    for (std::uint32_t s = tree.size(); s-- > 0;) {
        auto machine = tree.machines(s).begin();
        for (const std::uint32_t below : tree.neighbours(s)) {
            if (below < s) continue;  // the parent
            array[s].push_back(*machine++);
            array[s].insert(array[s].end(), array[below].begin(), array[below].end());
            array[below] = {};
        }
        array[s].insert(array[s].end(), machine, tree.machines(s).end());
    }
    return array[0];
}

}  // namespace interlace
