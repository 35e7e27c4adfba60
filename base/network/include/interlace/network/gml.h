// Interlace: a user's network from GML
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/network/network.h"

namespace interlace {

/// The graph of a GML file (Himsolt, "GML: a portable graph file format", 1996), called `name`. Nodes are
/// numbered from 0 in their order in the file, whatever their ids; an edge is a link each way, unless the
/// graph says `directed 1`. A node of kind "switch" has no host (switches get the numbers after all others),
/// and an edge's latency is in cycles. Other keys are not looked at. Throws InputError with file and line for
/// what is no such file, or has no graph or several, an edge from a node to itself or to one that is not
/// there, or a link twice.
Network read_gml(const std::string& name, const std::string& path);

}  // namespace interlace
