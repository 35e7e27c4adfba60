// Interlace: who waits for whom, and whether they may wait in a cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace interlace {

/// A packet in channel `first` may wait for channel `second`.
using Dependency = std::pair<std::uint32_t, std::uint32_t>;

/// Dependencies of channels that form no cycle, so that packets can never wait for one another in a cycle
/// (Dally and Seitz, "Deadlock-free message routing", 1987). Channels are kept in an order in which every
/// dependency points onwards (Pearce and Kelly, "A dynamic topological sort algorithm", 2006), so that an
/// addition looks at what lies between its ends only.
class DependencyGraph {
  public:
    explicit DependencyGraph(std::uint32_t channels);

    /// Adds all of `dependencies`, and returns an empty list; or, where they would close a cycle, adds none
    /// and returns the channels of one in its order.
    std::vector<std::uint32_t> add(const std::vector<Dependency>& dependencies);
    /// Adds one; or, where it would close a cycle, returns false.
    bool add(Dependency dependency) { return has(dependency) || insert(dependency); }
    bool has(Dependency dependency) const;

  private:
    bool insert(Dependency dependency);
    void remove(Dependency dependency);
    bool search(std::uint32_t root, bool onwards, std::uint32_t limit, std::vector<std::uint32_t>& found);
    void reorder(std::vector<std::uint32_t>& before, std::vector<std::uint32_t>& after);
    std::vector<std::uint32_t> path(std::uint32_t from, std::uint32_t to) const;

    std::vector<std::vector<std::uint32_t>> next_, previous_;
    std::vector<std::uint32_t> place_;  // [channel]: in the order
    std::vector<bool> seen_;
};

}  // namespace interlace
