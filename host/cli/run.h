// Interlace: what commands that run broadcasts share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "print.h"

namespace interlace::cli {

/// --write-schedule, --link-use and --table.
void add_file_flags(CLI::App& command, BroadcastFiles& files);

/// What --help prints for --schedule.
inline constexpr const char* schedule_text =
    "Run the schedule in this CSV file, in place of an algorithm: step,from,to,packet";

/// Refuses files of a run that would lose one another, or one of `inputs` (refuse_lost_files()).
void refuse_lost_files(const BroadcastFiles& files, const CycleOptions& options,
                       const std::vector<std::string>& inputs);

/// Notes on stderr, and a bar if that is a terminal.
RunListener listener();

}  // namespace interlace::cli
