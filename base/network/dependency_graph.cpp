// Interlace: who waits for whom, and whether they may wait in a cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/dependency_graph.h"

#include <algorithm>
#include <numeric>

namespace interlace {

DependencyGraph::DependencyGraph(std::uint32_t channels)
    : next_(channels), previous_(channels), place_(channels), seen_(channels, false) {
    std::iota(place_.begin(), place_.end(), 0U);
}

std::vector<std::uint32_t> DependencyGraph::add(const std::vector<Dependency>& dependencies) {
    std::vector<Dependency> added;
    for (const Dependency& dependency : dependencies) {
        if (has(dependency)) continue;
        if (insert(dependency)) {
            added.push_back(dependency);
            continue;
        }
        std::vector<std::uint32_t> cycle = path(dependency.second, dependency.first);
        for (; !added.empty(); added.pop_back()) remove(added.back());
        return cycle;
    }
    return {};
}

bool DependencyGraph::has(Dependency dependency) const {
    const std::vector<std::uint32_t>& next = next_[dependency.first];
    return std::find(next.begin(), next.end(), dependency.second) != next.end();
}

/// False, and nothing done, if that closes a cycle.
bool DependencyGraph::insert(Dependency dependency) {
    const auto [from, to] = dependency;
    if (from == to) return false;
    if (place_[to] < place_[from]) {
        std::vector<std::uint32_t> after;
        std::vector<std::uint32_t> before;
        const bool cycle = search(to, true, place_[from], after);
        if (!cycle) search(from, false, place_[to], before);
        for (const std::uint32_t channel : after) seen_[channel] = false;
        for (const std::uint32_t channel : before) seen_[channel] = false;
        if (cycle) return false;
        reorder(before, after);
    }
    next_[from].push_back(to);
    previous_[to].push_back(from);
    return true;
}

void DependencyGraph::remove(Dependency dependency) {
    const auto [from, to] = dependency;
    next_[from].erase(std::find(next_[from].begin(), next_[from].end(), to));
    previous_[to].erase(std::find(previous_[to].begin(), previous_[to].end(), from));
}

/// Collects what is reached from `root` within `limit` (a place); true if the channel at `limit` is.
bool DependencyGraph::search(std::uint32_t root, bool onwards, std::uint32_t limit,
                             std::vector<std::uint32_t>& found) {
    found.assign(1, root);
    seen_[root] = true;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const std::uint32_t channel : onwards ? next_[found[i]] : previous_[found[i]]) {
            if (place_[channel] == limit) return true;
            if (seen_[channel] || (onwards ? place_[channel] > limit : place_[channel] < limit)) continue;
            seen_[channel] = true;
            found.push_back(channel);
        }
    return false;
}

/// Gives the places of both sets to `before` first and `after` then, each in its old order.
void DependencyGraph::reorder(std::vector<std::uint32_t>& before, std::vector<std::uint32_t>& after) {
    const auto by_place = [&](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; };
    std::sort(before.begin(), before.end(), by_place);
    std::sort(after.begin(), after.end(), by_place);
    before.insert(before.end(), after.begin(), after.end());
    std::vector<std::uint32_t> places;
    places.reserve(before.size());
    for (const std::uint32_t channel : before) places.push_back(place_[channel]);
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < before.size(); ++i) place_[before[i]] = places[i];
}

/// A path that exists, breadth first.
std::vector<std::uint32_t> DependencyGraph::path(std::uint32_t from, std::uint32_t to) const {
    std::vector<std::uint32_t> reached{from};
    std::vector<std::uint32_t> came_from(next_.size(), UINT32_MAX);
    for (std::size_t i = 0; i < reached.size() && reached[i] != to; ++i)
        for (const std::uint32_t channel : next_[reached[i]])
            if (came_from[channel] == UINT32_MAX && channel != from) {
                came_from[channel] = reached[i];
                reached.push_back(channel);
            }
    std::vector<std::uint32_t> path{to};
    while (path.back() != from) path.push_back(came_from[path.back()]);
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace interlace
