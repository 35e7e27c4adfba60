// Interlace: what queries of a file of results share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/results/query.h"

namespace interlace {

/// All that a query returns. Throws InputError for what is no cell.
ResultsTable table_of(SQLite::Statement& query);

/// The first column of a query whose ? are all `sweep`.
std::vector<std::string> texts(SQLite::Database& database, const std::string& sql, const std::string& sweep);

/// As SQL quotes a text (') or a name (").
std::string quoted(const std::string& text, char quote);

/// What `read` returns; a damaged file is the user's error, with its name.
template <class Read>
auto read_from(const ResultsFile& file, const Read& read) {
    try {
        try {
            return read();
        } catch (const SQLite::Exception& error) {
            throw InputError(error.what(), "a file of results, as interlace sweep writes");
        }
    } catch (const InputError& error) {
        throw error.at("'" + file.path() + "'");
    }
}

}  // namespace interlace
