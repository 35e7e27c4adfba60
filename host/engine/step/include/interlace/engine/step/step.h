// Interlace: the step engine: one packet crosses one link in one step
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/program/group.h"
#include "interlace/program/program.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// What a run of a program showed. Steps count from 1; a packet sent in step t is held from the end of step
/// t.
struct StepRun {
    std::uint32_t steps = 0;  ///< the step of the last send
    std::vector<std::uint32_t>
        arrival;  ///< [node * packets + packet]: step, 0 at the source, UINT32_MAX: never
    std::vector<std::uint64_t> sends_in_step;  ///< [t - 1]: packets in flight in step t
    std::uint32_t peak_packets_in_flight = 0;
    /// Largest number of packets that a node other than the source holds, at the end of a step, and must
    /// still send: the queueing space that the schedule silently assumes of a node, ...
    std::uint32_t peak_packets_waiting = 0;
    /// ... and the same for one send list (one output).
    std::uint32_t peak_list_waiting = 0;
    double link_utilisation = 0;  ///< sends / (usable links x steps), the mean
};

/// Runs `program` in the analysis's own model: every send list sends its next packet in the first step in
/// which its node held that packet before and the send list is free. Throws std::logic_error if a send list
/// waits for what never comes.
StepRun run_steps(const Network& network, const Group& group, const Program& program);

/// The sends of a run with their steps, in the order of their links.
std::vector<TimedSend> timed_sends(const Network& network, const Program& program, const StepRun& run);

/// Sends over each directed link in the whole run; divided by the steps, the link's utilisation.
std::vector<std::uint32_t> sends_per_link(const Network& network, const Program& program);

}  // namespace interlace
