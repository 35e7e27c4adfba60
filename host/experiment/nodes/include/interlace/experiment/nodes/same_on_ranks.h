// Interlace: whether all ranks run the same experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interlace/harness/traffic/traffic.h"
#include "interlace/measure/json_result.h"
#include "interlace/network/network.h"
#include "interlace/program/messages.h"
#include "interlace/ranks/communicator.h"

namespace interlace {

/// Called by all ranks: throw InputError where they have another experiment, network or version of the
/// program, other messages, or another trace.
void require_same_experiment(Communicator& ranks, const Json& experiment, const Network& network);
void require_same_messages(Communicator& ranks, const MessageProgram& program);
void require_same_trace(Communicator& ranks, const std::vector<TracePacket>& trace);

}  // namespace interlace
