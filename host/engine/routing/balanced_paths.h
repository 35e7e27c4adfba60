// Interlace: next hops of all packets, balanced over links and free from deadlock
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/network.h"
#include "link_lengths.h"

namespace interlace {

/// No channel, distance, or stage.
inline constexpr std::uint32_t none = UINT32_MAX;

/// [to][node]: the channel by which packets for the host of node `to` leave `node`, which may be a switch:
/// link * channels + virtual channel; `none` at `to` itself.
using Paths = std::vector<std::vector<std::uint32_t>>;

/// [to][node]: links that the path crosses, fewer than 2^16.
using PathHops = std::vector<std::vector<std::uint16_t>>;
PathHops hops_of(const Network& network, std::uint32_t channels, const Paths& paths);
/// [link]: pairs of hosts whose path crosses it.
std::vector<std::uint32_t> crossings(const Network& network, std::uint32_t channels, const Paths& paths,
                                     const PathHops& hops);

/// One path from every node to every other that is no switch, shortest wherever that can be, such that what
/// packets wait for forms no cycle (Dally and Seitz, 1987). On a torus, twisted or not, or a mesh the first
/// such paths are those by dimension order; elsewhere those of paths_by_rounds(). On up to 128 nodes, in a
/// graph with one channel, and where these fail, a search finds others, backwards from each destination: of
/// the hops that close no cycle with those before it the one that adds least to what waits for what, as Nue
/// does (Domke, Hoefler and Matsuoka, "Routing on the dependency graph", 2016), but packets may change their
/// channel on the way (Skeie et al., "LASH-TOR", 2004). Hops are exchanged as long as that lowers the sum of
/// squares of the loads of links and channels, and the paths with the lowest sum are taken; the load is one
/// for every pair of hosts (DFSSSP: Domke, Hoefler and Nagel, "Deadlock-free oblivious routing for arbitrary
/// topologies", 2011, lets weights grow with it). Where a search finds no shortest paths, a spanning tree
/// keeps a path free on the last channel, and packets take longer paths or the tree.
///
/// Paths measured in `lengths` come near the capacity that they prove (interlace/capacity/capacity.h):
/// then paths are short by length times load, and the squares of the loads count as often as links are long,
/// which is least where a flow reaches that capacity; paths may cross more links than they must.
///
/// Throws InputError for a node that does not reach another, and where cycles cannot be avoided: a network
/// whose links that go both ways do not join all nodes, with too few channels.
Paths balanced_paths(const Network& network, std::uint32_t channels, const LinkLengths& lengths = {});

}  // namespace interlace
