// Interlace: a user's network from GraphML
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/network/network.h"

namespace interlace {

/// The graph of a GraphML file (Brandes et al., "GraphML progress report", 2002), called `name`. Nodes are
/// numbered from 0 in the order of their elements, whatever their ids; an undirected edge is a link each way;
/// an edge's data `latency` is in cycles, and a node whose data `kind` is "switch" has no host (switches get
/// the numbers after all others). Other data and ports are not looked at. Throws InputError with file and
/// line for what is no such file, or has several graphs, nested ones, hyperedges, an edge from a node to
/// itself or to one that is not there.
Network read_graphml(const std::string& name, const std::string& path);

}  // namespace interlace
