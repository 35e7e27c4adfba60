// Interlace: why a broadcast cannot lock up, or how it might
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/harness/hosts/host_parameters.h"
#include "interlace/harness/hosts/injection_plan.h"

namespace interlace {

struct DeadlockCheck {
    bool free = false;
    /// How that was shown; or links that may wait for one another in a cycle.
    std::string how;
};

/// Examines a plan on a fabric's queues, and restricts its trees to channels where that makes it safe: each
/// slot of a table to one channel, so that the dependencies within every channel are acyclic. What a packet
/// waits for: the channels of the links that its router sends it on by; room for all of it in its injection
/// queue, where it leaves that on several links; and the host's memory, where that is bounded. Nothing waits
/// for a host's servers for ever: docs/node.md, section 12, has the proof.
DeadlockCheck secure(const Network& network, const Fabric& fabric, const HostParameters& host,
                     InjectionPlan& plan);

}  // namespace interlace
