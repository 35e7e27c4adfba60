// Interlace: a routing table as a file of the user's
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>

#include "interlace/engine/routing/routing_tables.h"

namespace interlace {

/// Reads tables by which unicast packets go: CSV with the header node,destination,port[,channel], a row for
/// every ordered pair of different nodes in any order: packets for `destination` leave `node` by its output
/// `port` (as the network numbers them), on virtual channel `channel`; without that column on any.
///
/// Throws InputError, in one line with how many problems there are and the first ten of them with their
/// lines: rows that are malformed, missing or there twice, paths that go round and never arrive, and, where
/// there is nothing else, waits that close a cycle among channels (Dally and Seitz, 1987), on which packets
/// might wait for one another for ever.
RoutingTables read_routing_table(const std::string& path, const Network& network, const Fabric& fabric);

/// Writes tables of routing by table (one port, and one channel or any) as such a file, by node and
/// destination.
void write_routing_table(std::ostream& out, const RoutingTables& tables, const Fabric& fabric);

}  // namespace interlace
