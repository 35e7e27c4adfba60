// Interlace: the checkpoint of an experiment on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/checkpoints.h"

#include "interlace/core/error.h"
#include "interlace/experiment/nodes/named_files.h"

namespace interlace {
namespace {

/// What a run notes as it goes, which is part of its state.
Json noted(const Records& records) {
    return {{"packet_trace", records.has_packet_trace() || !records.packet_log.empty()},
            {"waveform", records.has_waveform() ? Json(records.trace_nodes) : Json(nullptr)},
            {"details", records.details},
            {"queue_use", !records.queue_use.empty()}};  // each queue's histogram is counted
}

}  // namespace

Checkpoint open_checkpoint(const CycleOptions& options, const Json& experiment, const Json& warm_up,
                           const RunListener& listener) {
    const bool warm = !options.checkpoint.warm.empty();
    if (!options.checkpoint.any() || (warm && warm_up.is_null())) return {};
    Json same = warm ? warm_up : experiment;
    for (const char* key : {"regions", "threads"}) same.erase(key);
    same["records"] = noted(options.records);
    same["files"] = contents_of_named_files(same);
    CheckpointOptions checkpoint = options.checkpoint;
    checkpoint.warn = listener.warn;
    return {checkpoint, same, *options.ranks};
}

Checkpoint& checkpoint_for(const Machine& machine, const CycleOptions& options, Checkpoint& checkpoint) {
    if (!options.checkpoint.any() || machine.has_state()) return checkpoint;
    if (!options.checkpoint.warm.empty()) return no_checkpoint();
    throw InputError(
        "cannot use checkpoints of a device that has no snapshot of its state, or one of more than 256 MiB",
        "one that has, or native, systemc or rtl nodes");
}

}  // namespace interlace
