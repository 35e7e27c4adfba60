// Interlace: what commands that run many points share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"
#include "interlace/study/sweep.h"

namespace interlace::cli {

struct SweepFlags {
    std::string file;                    ///< that describes the points
    std::string results;                 ///< empty: NAME.db
    std::vector<std::string> overrides;  ///< of values of the file
    SweepOptions options;

    std::string results_of(const std::string& name) const { return results.empty() ? name + ".db" : results; }
};

/// FILE (`text` says what it is), --output, --jobs, --retry-failed and --set.
void add_sweep_flags(CLI::App& command, SweepFlags& flags, const std::string& text);

/// What every rank of mpirun but the first does: runs the points that it is dealt, says nothing, returns the
/// exit code.
int serve(const Ranks& ranks);

/// A bar on a terminal; elsewhere a line every ten seconds.
std::function<void(const SweepProgress&)> sweep_listener();

/// As in "12 of 40 points, 1 failed, 3.2 a second".
std::string progress_text(const SweepProgress& progress);

}  // namespace interlace::cli
