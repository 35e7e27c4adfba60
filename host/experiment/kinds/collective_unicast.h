// Interlace: collectives as unicast packets that the routers route
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/experiment/kinds/collective.h"
#include "interlace/harness/traffic/traffic.h"

namespace interlace {

/// Whether routers find the ways of the experiment's packets.
bool is_unicast(const CollectiveExperiment& experiment);

/// Throws InputError for an order that is none or that nobody uses, and for an algorithm whose packets do not
/// go from one node to one other.
void check_unicast(const CollectiveExperiment& experiment);

/// Throws InputError for more packets than unicast_trace() takes, as far as that is known before a schedule.
void check_unicast_size(const CollectiveExperiment& experiment, const Network& network);

/// Of the hops of messages: each packet of a message from the node where it starts to the one where it ends.
std::vector<Transfer> transfers_of(std::vector<MessageSend> hops);

/// What hosts send, in their order.
struct UnicastTrace {
    std::vector<TracePacket> packets;
    TraceDependences dependences;
};
/// Of transfers, in the order and at the pace of the run's experiment, by `seed`. A packet waits for all that
/// have brought its number to its node in earlier rounds.
UnicastTrace unicast_trace(const CollectiveRun& run, std::vector<Transfer> transfers, std::uint64_t seed);

/// Runs the schedule's transfers on the experiment's engine. Called by all ranks, each of which has
/// scheduled.
void run_unicast(CollectiveRun& run, const RunListener& listener);

}  // namespace interlace
