// Interlace: a user's network from a listing of BookSim2's topology anynet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/network/network.h"

namespace interlace {

/// The network of a listing, called `name`: lines such as `router 0 node 0 node 1 5 router 1 15`, in which a
/// number behind a node or router is the latency of the link to it in cycles, 1 unless it is given. A link to
/// a node has it both ways; one between routers from the first to the other only, and one back is there, of
/// latency 1 unless listed. Where each router has one node, and that without a latency above 1, nodes are the
/// routers' hosts, by the nodes' numbers; or else nodes are machines with a link to their router, and routers
/// switches, each in the order of their numbers, which begin with 0 and have no gap. Throws InputError with
/// file and line.
Network read_anynet(const std::string& name, const std::string& path);

}  // namespace interlace
