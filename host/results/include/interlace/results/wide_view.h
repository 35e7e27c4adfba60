// Interlace: a file of results as one wide table
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interlace/results/query.h"

namespace interlace {

/// A column of the wide table, its type in all rows (INTEGER, REAL where all numbers are but not all whole,
/// TEXT), and its SQL over `member m LEFT JOIN point p USING (hash)`.
struct WideColumn {
    std::string name, type, sql;
};

/// sweep, number, each path that is swept, status, error, each measurement, wall_seconds, finished, seed,
/// version, git_commit, hash; a name that is swept stands for what is swept. Of one sweep, or of all. Throws
/// InputError for a sweep that the file has not.
std::vector<WideColumn> wide_columns(ResultsFile& file, const std::optional<std::string>& sweep = {});

/// Those columns: a row for each point, by sweep and number; cells that a point does not have, as latencies
/// of a saturated load, are null.
ResultsTable wide_table(ResultsFile& file, const std::vector<WideColumn>& columns,
                        const std::optional<std::string>& sweep = {});

/// The table of all sweeps as the view `results`, for other tools, as of the columns that there are now: a
/// file's own table of that name stays, and one of more than 2000 columns, as SQLite has them, has no view.
void make_wide_view(ResultsFile& file);

}  // namespace interlace
