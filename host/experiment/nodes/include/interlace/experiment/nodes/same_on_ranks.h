// Interlace: whether all ranks run the same experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/measure/json_result.h"
#include "interlace/program/messages.h"
#include "interlace/ranks/communicator.h"

namespace interlace {

/// Called by all ranks, before they read files that the experiment names: throws InputError where their
/// experiments, the contents of those files or their versions of the program differ, and for a pipe.
void require_same_experiment(Communicator& ranks, const Json& experiment);
/// Called by all ranks: throws InputError where their messages differ.
void require_same_messages(Communicator& ranks, const MessageProgram& program);

}  // namespace interlace
