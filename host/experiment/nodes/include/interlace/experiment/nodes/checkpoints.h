// Interlace: the checkpoint of an experiment on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/checkpoint/checkpoint.h"
#include "interlace/core/run_listener.h"
#include "interlace/engine/machine/machine.h"
#include "interlace/experiment/nodes/cycles.h"
#include "interlace/measure/json_result.h"

namespace interlace {

/// As the options ask for it, of `experiment`, or of its `warm_up` (Experiment::warm_up), with the contents
/// of the files that it names; how it is cut and on how many threads it runs is no part of that. Throws
/// InputError as Checkpoint does, for records, which have no state, and for pipes among the files.
Checkpoint open_checkpoint(const CycleOptions& options, const Json& experiment, const Json& warm_up,
                           const RunListener& listener);

/// For a run of the machine, called by all ranks: `checkpoint`; or, where the machine has no state and
/// warm-ups are all that there is to share, one that saves nothing. Throws InputError where there is more.
Checkpoint& checkpoint_for(const Machine& machine, const CycleOptions& options, Checkpoint& checkpoint);

}  // namespace interlace
