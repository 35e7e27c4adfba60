// Interlace: the checkpoint of an experiment on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/checkpoints.h"

#include <filesystem>
#include <string>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"

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

std::vector<std::string> named_files(const Json& configuration) {
    std::vector<std::string> files;
    if (configuration.is_structured())
        for (const Json& item : configuration)
            for (std::string& file : named_files(item)) files.push_back(std::move(file));
    if (!configuration.is_string()) return files;
    const auto text = configuration.get<std::string>();
    std::string file = text.substr(text.find(':') + 1);  // all of it where there is none
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) files.push_back(std::move(file));
    return files;
}

Checkpoint open_checkpoint(const CycleOptions& options, const Json& experiment, const Json& warm_up,
                           const RunListener& listener) {
    const bool warm = !options.checkpoint.warm.empty();
    if (!options.checkpoint.any() || (warm && warm_up.is_null())) return {};
    Json same = warm ? warm_up : experiment;
    for (const char* key : {"regions", "threads"}) same.erase(key);
    same["records"] = noted(options.records);
    Json files = Json::object();
    for (const std::string& file : named_files(same))
        files[file] = fingerprint(read_whole_file(file, "a file"));
    same["files"] = files;
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
