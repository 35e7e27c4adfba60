// Interlace: the independent checker that replays a schedule
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/core/problems.h"
#include "interlace/network/network.h"
#include "interlace/program/group.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// What a replay found. A valid schedule has no problem.
struct CheckReport {
    Problems problems;
    std::uint32_t steps = 0;  ///< the step in which the last member got its last packet
    std::uint64_t sends = 0;
    std::uint64_t redundant_sends = 0;  ///< that delivered what the receiver already had: allowed, but wasted
    bool valid() const { return problems.count() == 0; }
    std::string problem() const { return valid() ? "" : problems.first().front(); }  ///< the first
};

/// Proves a schedule, whoever wrote it: every member of the group ends with every packet, no node sends what
/// it does not hold at the end of the step before, no directed link carries two packets in one step, only
/// links of the network (and of the group, where it is closed) are used. Shares no code with any scheduler or
/// engine. The sends may come in any order. `lines`: of the file that each send stands in, for what is said
/// of it.
CheckReport check_schedule(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                           const std::vector<TimedSend>& schedule,
                           const std::vector<std::uint32_t>& lines = {});

}  // namespace interlace
