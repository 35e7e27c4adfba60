// Interlace: named networks of machines behind switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interlace/network/cluster.h"

namespace interlace {

/// Switches, the links between them (both ways), and on each switch so many machines. Machines are numbered
/// switch by switch.
struct SwitchPlan {
    std::uint32_t switches = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
    std::vector<std::uint32_t> machines;  ///< [switch]
};

/// Machines as nodes of their own behind the switches (make_cluster()), all links alike.
Network network_of_machines(const std::string& name, const SwitchPlan& plan);
/// Without machines: every switch is a node with a host of its own.
Network network_of_routers(const std::string& name, const SwitchPlan& plan);

/// Three levels of switches with `ports` ports each (even, 2 to 100): ports pods of ports / 2 edge and as
/// many aggregation switches, (ports / 2)^2 core switches, ports^3 / 4 machines. Switches in this order, pod
/// by pod (Al-Fares, Loukissas and Vahdat, "A scalable, commodity data center network architecture", 2008,
/// section 2.2). Throws InputError, as all of these.
SwitchPlan fat_tree(std::uint32_t ports);

/// The k-ary n-tree: k^n machines (at most 10^6) below n levels of k^(n - 1) switches, from the machines up
/// (Petrini and Vanneschi, "k-ary n-trees: high performance networks for massively parallel architectures",
/// 1997). k is 2 or more.
SwitchPlan k_ary_n_tree(std::uint32_t k, std::uint32_t n);

/// Groups of a switches that are all linked to one another; each switch has h links to other groups, one for
/// each pair of groups, so that there are a h + 1 groups, and p machines (Kim, Dally, Scott and Abts,
/// "Technology-driven, highly-scalable dragonfly topology", 2008). The j-th link of a group, counted switch
/// by switch, leads to the j-th other group.
SwitchPlan dragonfly(std::uint32_t a, std::uint32_t h, std::uint32_t p);

/// A lattice whose switches are linked to all others that differ in one coordinate (Ahn, Binkert, Davis,
/// McLaren and Schreiber, "HyperX: topology, routing, and packaging of efficient large-scale networks",
/// 2009), with `machines` on each. x varies fastest. With equal sizes k and k machines it is the k-ary n-flat
/// of Kim, Dally and Abts ("Flattened butterfly", 2007) of n - 1 dimensions.
SwitchPlan hyperx(const std::vector<std::uint32_t>& sizes, std::uint32_t machines);

/// 2 q^2 switches of diameter 2 (Besta and Hoefler, "Slim Fly: a cost effective low-diameter network
/// topology", 2014; the graphs of McKay, Miller and Siran, 1998), with `machines` on each. q is a prime power
/// from 3 to 128; 4 w + d with d of -1, 0 or 1, the degree is (3 q - d) / 2. Switches (0, x, y) before (1, m,
/// c), y and c varying fastest.
SwitchPlan slim_fly(std::uint32_t q, std::uint32_t machines);

/// `machines` on one switch.
SwitchPlan crossbar(std::uint32_t machines);

}  // namespace interlace
