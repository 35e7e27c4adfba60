// Interlace: what a report shows, gathered from files of results
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

/// How files are opened: tidied up after a sweep that was killed, or left as they are.
enum class Opened { tidied, untouched };

/// The document of docs/report.md. `files`: results of sweeps and sizes (SQLite), or JSON that a command
/// printed with --json; each becomes a part or several. Throws InputError for a file that is neither.
Json report_document(const std::vector<std::string>& files, const std::string& title,
                     Opened opened = Opened::tidied);

}  // namespace interlace
