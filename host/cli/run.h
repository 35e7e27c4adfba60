// Interlace: what commands that run broadcasts share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "print.h"

namespace interlace::cli {

/// --schedule, --link-use and --table.
void add_file_flags(CLI::App& command, BroadcastFiles& files);

/// Notes on stderr, and a bar if that is a terminal.
RunListener listener();

}  // namespace interlace::cli
