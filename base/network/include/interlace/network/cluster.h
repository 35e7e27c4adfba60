// Interlace: clusters: machines behind switches
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interlace/config/config_map.h"
#include "interlace/network/network.h"

namespace interlace {

/// A cluster as its file says it: switches s0, s1, ..., trunks between them, and the switch of each machine
/// n0, n1, ... All links work both ways.
struct ClusterPlan {
    std::uint32_t switches = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> trunks;
    std::vector<std::uint32_t> machines;  ///< the switch that machine i hangs off
    LinkSpeed link, trunk;                ///< of a machine's link, of a trunk
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, LinkSpeed>>
        other_trunks;  ///< trunks with a speed of their own
};

/// The network of a plan: machine i is node i, switch j is node machines + j. The plan has at least two
/// machines and is connected.
Network make_cluster(const std::string& name, const ClusterPlan& plan);

/// A shipped cluster by its name (configs/clusters), or a file of that form (docs/clusters.md).
ConfigMap cluster_file(const std::string& name_or_file, const std::vector<std::string>& overrides = {});

/// The key `network` of that file. Throws InputError with file, line and key.
Network read_cluster(const std::string& name_or_file, const std::vector<std::string>& overrides = {});
/// The shipped ones, and FILE.
Choices cluster_choices();

/// The network itself if it has switches; else every node becomes a machine with a switch of its own: machine
/// v hangs off switch v, and the network's links are the trunks. All links with `speed`. Throws InputError
/// where a link has no reverse link, where no links lead from one machine to another, and, of a network with
/// switches, where a machine has other than one link, to a switch.
Network as_cluster(const Network& network, LinkSpeed speed = {});

/// Links of one speed, each direction one.
struct LinksOfSpeed {
    LinkSpeed speed;
    std::uint32_t links = 0;
};
/// The links of a network by their speeds, in the order in which these first occur.
std::vector<LinksOfSpeed> links_by_speed(const Network& network);

/// `machines` machines, each on a switch drawn with equal probability; trunks drawn with equal probability
/// until the switches have `degree` of them on average, and then what joins the parts (the random clusters of
/// Faraj, Patarasuk and Yuan's section 5, whose generator, GT-ITM, is not described there). Speeds are
/// LinkSpeed{}.
ClusterPlan random_cluster(std::uint32_t switches, std::uint32_t machines, double degree, std::uint64_t seed);

/// Switches of `ports` ports, of which the share `connectivity` may lead to other switches; trunks at random
/// between them, the machines on what is left, as evenly as the ports allow (Banikazemi, Moorthy and Panda,
/// section 7.2.1). Throws InputError where the ports are too few for the machines.
ClusterPlan irregular_cluster(std::uint32_t switches, std::uint32_t ports, double connectivity,
                              std::uint32_t machines, std::uint64_t seed);

}  // namespace interlace
