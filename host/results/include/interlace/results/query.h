// Interlace: what a file of results says, as tables
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/results/results_file.h"

namespace interlace {

/// Cells are numbers, texts or null.
struct ResultsTable {
    std::vector<std::string> header;
    std::vector<std::vector<Json>> rows;
};

/// What may be a column: a path that the sweep varies, a measurement (cycles, queues.injection.high_water),
/// any path of the configuration (node.vc_depth), number (in the sweep), or hash, status (done, failed,
/// pending), error, result (as JSON), queues (the result's, as JSON), seed, version, git_commit, finished,
/// wall_seconds.
struct ResultsQuery {
    std::string sweep;                 ///< may be empty where the file has one
    std::vector<std::string> columns;  ///< empty: number, what varies, status, and the chief measurements
    std::vector<std::string> where;    ///< each COLUMN=VALUE, with != < <= > >= too; all have to hold
};

/// A row for each point of the sweep, in its order; latencies of a saturated load read 'saturated'.
/// Throws InputError for a sweep or a column that the file does not have.
ResultsTable select(ResultsFile& file, const ResultsQuery& query);

/// What a sweep varies, in its order, and every measurement of its points, by name.
struct SweepColumns {
    std::vector<std::string> varied, measured;
};
SweepColumns columns_of(ResultsFile& file, const std::string& sweep);

/// What the sweep's points are: broadcast, traffic, allgather, ...; empty where none has a result, or results
/// differ in it.
std::string study_of(ResultsFile& file, const std::string& sweep);

/// A row for each value of the first column, a column for each of the second, cells of the third. Throws
/// InputError where two points would share a cell.
ResultsTable pivot(const ResultsTable& table);

/// Any SQL that only reads. Throws InputError with what SQLite says.
ResultsTable run_sql(ResultsFile& file, const std::string& sql);

std::string to_csv(const ResultsTable& table);         ///< RFC 4180, a header line first
std::string to_json_lines(const ResultsTable& table);  ///< an object a row
/// A cell for people: six digits of a number.
std::string cell_text(const Json& cell);

}  // namespace interlace
