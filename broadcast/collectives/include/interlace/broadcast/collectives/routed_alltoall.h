// Interlace: all-to-all exchanges on any network, on paths of the best use of its links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/capacity/capacity.h"
#include "interlace/network/network.h"
#include "interlace/program/symmetric_schedule.h"

namespace interlace {

/// What no all-to-all of `chunks` packets a pair can do without: the packets' distances, by the lengths, over
/// the lengths of all links; or the links between nodes farthest from one another.
struct RoutedBound {
    std::uint32_t steps = 0;
    bool by_diameter = false;
};

/// Throws InputError where the packets of one origin of each class (Translations) are more than 2^22.
void check_routed_alltoall(const Network& network, std::uint32_t chunks);

/// Of lengths that bound the loads of links under uniform traffic. Throws InputError for more than 2^32
/// steps.
RoutedBound routed_alltoall_bound(const Network& network, const LengthBound& lengths, std::uint32_t chunks);

/// A schedule with its certificate: when its steps equal the bound's, none is shorter.
struct RoutedAllToAll {
    SymmetricSchedule schedule;
    RoutedBound bound;
};

struct RoutedOptions {
    std::uint64_t seed = 1;
    /// Work to spend on closing a gap, in links of paths that are looked at; one schedule is built whatever
    /// it is.
    std::uint64_t effort = 100'000'000;
};

/// Every node sends `chunks` packets to every other, each link carries at most one packet a step. Packets
/// take shortest paths by the lengths of `capacity`, which is find_capacity()'s of any paths under uniform
/// traffic: each packet of an origin of each class (Translations) one of several, such that the loads of the
/// links are as even as can be. In each step a link carries, of the packets that wait for it, one with most
/// hops to go. Throws InputError as check_routed_alltoall() and routed_alltoall_bound() do, and where the
/// packets of one origin of each class make more than 2^27 hops.
RoutedAllToAll routed_alltoall(const Network& network, const LinkClasses& classes, const Capacity& capacity,
                               std::uint32_t chunks, const RoutedOptions& options = {});

}  // namespace interlace
