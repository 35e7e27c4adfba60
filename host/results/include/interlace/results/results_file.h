// Interlace: results of sweeps in one SQLite file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

/// A point of a sweep: its place in it, the values that the sweep gave it (YAML on one line each, by path),
/// and the hash of the configuration that they make.
struct SweepMember {
    std::string hash;
    std::vector<std::pair<std::string, std::string>> values;
};

/// A configuration that has been run.
struct ResultPoint {
    std::string hash;
    Json configuration;
    bool failed = false;
    std::string error;     ///< of a failed point: why
    Json result;           ///< of any other: as the commands print it
    std::string finished;  ///< when, in UTC
    double wall_seconds = 0;
};

/// One SQLite file in write-ahead mode, with the schema of docs/sweeps.md. What a transaction wrote stays,
/// whatever happens to the process afterwards; what it did not is as if it had not begun. Functions that
/// write throw FellShort where the disk is full or the file cannot be written, those that read InputError
/// where the file is damaged or another hand has touched it.
class ResultsFile {
  public:
    /// read: tidies up after a writer that was killed, where the file can be written to; watch: changes
    /// nothing on disk, beside a writer too.
    enum class Mode { read, watch, write };
    /// Throws InputError for a file that is not such a file or has other tables, and, to write, where another
    /// process writes it. A file in a folder that cannot be written to is read as it is.
    ResultsFile(const std::string& path, Mode mode);
    ~ResultsFile();
    ResultsFile(const ResultsFile&) = delete;
    ResultsFile& operator=(const ResultsFile&) = delete;

    /// The sweep's points, in place of those it may have had; `text` is its file's.
    void begin(const std::string& sweep, const std::string& text, const std::vector<SweepMember>& members);
    /// Hashes of points that have been run, or have not failed.
    std::set<std::string> known(bool failed_too) const;
    /// In place of an earlier run of the point.
    void store(const ResultPoint& point);

    /// What the points of a sweep say together, where something says it (interlace size); begin() forgets it.
    void conclude(const std::string& sweep, const Json& result);
    Json outcome(const std::string& sweep) const;  ///< null: none

    /// A view, in place of one of its name that there may be; an empty `select`: none. A table of that name
    /// stays as it is.
    void set_view(const std::string& name, const std::string& select);

    /// Names of sweeps.
    std::vector<std::string> sweeps() const;
    const std::string& path() const { return path_; }
    SQLite::Database& database() { return database_; }

  private:
    int lock_ = -1;  ///< held by the one who writes
    std::string path_;
    SQLite::Database database_;
};

/// A number where the text is one, and finite.
Json typed(const std::string& text);

/// Every number, text and truth value in `json` (not those in lists), by path with dots, at most one a path.
std::vector<std::pair<std::string, Json>> leaves(const Json& json);

}  // namespace interlace
