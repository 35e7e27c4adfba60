// Interlace: a program of messages on the nodes of a cluster, cycle by cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/engine/machine/machine.h"
#include "interlace/engine/switches/event.h"

namespace interlace {

/// A cluster as nodes of docs/node.md: its machines are nodes with one link and a host, its switches nodes
/// without one. A flit is `switch.header` bytes, a cycle the time that it takes on a link.
struct ClusterNodes {
    NodeParameters node;
    LinkParameters links;
    PortTables tables;  ///< a slot for each machine
    std::uint64_t cycle_ps = 0;
};

/// Throws InputError, with the key of docs/clusters.md, for what nodes cannot represent: they have room for
/// the frames of each link at the inputs, credits, outputs that serve inputs round robin, links of one rate,
/// frames of one size (worms of any, in whole flits) and times of whole cycles. A host knows of its link
/// three cycles late; so frames have at least three flits, and a machine needs three cycles at least to
/// receive one.
ClusterNodes cluster_nodes(const Network& cluster, const Routes& routes, const EventParameters& parameters);

/// As run_event's, and the same unless forwarding is wormhole.
struct MessageRun : EventResult {
    std::uint64_t cycles = 0;  ///< of a cycle engine
    NodeParameters node = {};
    Usage queues = {};
};

/// Runs `program` on `machine`, made of a fabric of `nodes`; called by all of its ranks. Throws InputError
/// for a barrier of less than three cycles, FellShort for a run that is stuck.
MessageRun run_messages(const Fabric& fabric, Machine& machine, const ClusterNodes& nodes,
                        const MessageProgram& program, const EventParameters& parameters,
                        std::uint64_t seed = 1);

}  // namespace interlace
