// Interlace: a file of results as one wide table
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/results/wide_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "read_table.h"

namespace interlace {
namespace {

constexpr std::size_t max_columns = 2'000;

/// What values of that many texts and reals among them are.
constexpr const char* type_sql =
    "CASE WHEN sum(typeof(value) = 'text') > 0 THEN 'TEXT' WHEN sum(typeof(value) = 'real') > 0 THEN 'REAL' "
    "ELSE 'INTEGER' END";

/// " AND sweep = 'NAME'", or nothing for all sweeps.
std::string only(const std::optional<std::string>& sweep) {
    return sweep ? " AND sweep = " + quoted(*sweep, '\'') : "";
}

/// A column for each row (name, type) of `query`, its value the one of `from` (a key/value table).
std::vector<WideColumn> columns_of(SQLite::Database& database, const std::string& query,
                                   const std::string& from) {
    SQLite::Statement statement(database, query);
    std::vector<WideColumn> columns;
    while (statement.executeStep()) {
        const std::string name = statement.getColumn(0).getString();
        const std::string type = statement.getColumn(1).getString();
        columns.push_back(
            {name, type,
             fmt::format("CAST((SELECT value FROM {} = {}) AS {})", from, quoted(name, '\''), type)});
    }
    return columns;
}

std::vector<WideColumn> columns_of(SQLite::Database& database, const std::optional<std::string>& sweep) {
    const std::vector<WideColumn> swept = columns_of(
        database,
        fmt::format(
            "SELECT path, {} FROM swept WHERE true{} GROUP BY path ORDER BY min(sweep), min(position)",
            type_sql, only(sweep)),
        "swept s WHERE s.sweep = m.sweep AND s.number = m.number AND s.path");
    const std::vector<WideColumn> measured =
        columns_of(database,
                   fmt::format("SELECT name, {} FROM measurement WHERE hash IN (SELECT hash FROM member "
                               "WHERE true{}) GROUP BY name ORDER BY name",
                               type_sql, only(sweep)),
                   "measurement x WHERE x.hash = m.hash AND x.name");
    const std::vector<WideColumn> first = {{"sweep", "TEXT", "m.sweep"}, {"number", "INTEGER", "m.number"}};
    const std::vector<WideColumn> status = {{"status", "TEXT", "coalesce(p.status, 'pending')"},
                                            {"error", "TEXT", "p.error"}};
    const std::vector<WideColumn> last = {{"wall_seconds", "REAL", "p.wall_seconds"},
                                          {"finished", "TEXT", "p.finished"},
                                          {"seed", "INTEGER", "p.seed"},
                                          {"version", "TEXT", "p.version"},
                                          {"git_commit", "TEXT", "p.git_commit"},
                                          {"hash", "TEXT", "m.hash"}};
    std::vector<WideColumn> all;
    std::set<std::string> names;
    for (const auto* part : {&first, &swept, &status, &measured, &last})
        for (const WideColumn& column : *part)
            if (names.insert(column.name).second) all.push_back(column);
    return all;
}

std::string select_of(const std::vector<WideColumn>& columns, const std::optional<std::string>& sweep) {
    std::vector<std::string> cells;
    cells.reserve(columns.size());
    for (const WideColumn& column : columns) cells.push_back(column.sql + " AS " + quoted(column.name, '"'));
    return fmt::format(
        "SELECT {} FROM member m LEFT JOIN point p USING (hash) WHERE true{} ORDER BY m.sweep, m.number",
        fmt::join(cells, ", "), only(sweep));
}

void check_sweep(const ResultsFile& file, const std::optional<std::string>& sweep) {
    const std::vector<std::string> names = file.sweeps();
    if (sweep && std::find(names.begin(), names.end(), *sweep) == names.end())
        throw InputError("there is no sweep '" + *sweep + "'", fmt::format("{}", fmt::join(names, ", ")))
            .at("'" + file.path() + "'");
}

}  // namespace

std::vector<WideColumn> wide_columns(ResultsFile& file, const std::optional<std::string>& sweep) {
    check_sweep(file, sweep);
    return read_from(file, [&] { return columns_of(file.database(), sweep); });
}

ResultsTable wide_table(ResultsFile& file, const std::vector<WideColumn>& columns,
                        const std::optional<std::string>& sweep) {
    return read_from(file, [&] {
        SQLite::Statement statement(file.database(), select_of(columns, sweep));
        return table_of(statement);
    });
}

void make_wide_view(ResultsFile& file) {
    const std::vector<WideColumn> columns = wide_columns(file);
    file.set_view("results", columns.size() > max_columns ? "" : select_of(columns, {}));
}

}  // namespace interlace
