// Interlace: what commands that run many points share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"
#include "interlace/study/sweep.h"

namespace interlace::cli {

/// --output, --jobs, --retry-failed and --set.
void add_sweep_flags(CLI::App& command, std::string& results, std::vector<std::string>& overrides,
                     SweepOptions& options);

/// A bar on a terminal; elsewhere a line every ten seconds.
std::function<void(const SweepProgress&)> sweep_listener();

}  // namespace interlace::cli
