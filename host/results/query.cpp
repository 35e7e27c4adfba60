// Interlace: what a file of results says, as tables
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/results/query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "interlace/core/error.h"
#include "read_table.h"

namespace interlace {
namespace {

/// A column that stands in the tables themselves, and its SQL.
struct OwnColumn {
    const char* name;
    const char* sql;
};
constexpr std::array<OwnColumn, 11> own_columns = {{{"number", "m.number"},
                                                    {"hash", "m.hash"},
                                                    {"status", "coalesce(p.status, 'pending')"},
                                                    {"error", "p.error"},
                                                    {"queues", "json_extract(p.result, '$.queues')"},
                                                    {"result", "p.result"},
                                                    {"seed", "p.seed"},
                                                    {"version", "p.version"},
                                                    {"git_commit", "p.git_commit"},
                                                    {"finished", "p.finished"},
                                                    {"wall_seconds", "p.wall_seconds"}}};

constexpr std::array chief_measurements = {
    "steps",           "lower_bound",  "cycles",      "seconds",         "latency_us",     "accepted_load",
    "throughput_mbps", "latency_mean", "latency_p99", "packets_missing", "packets_dropped"};

/// Measurements that a saturated point does not have: their cells are 'saturated'.
constexpr std::array latencies = {"latency_max", "latency_mean", "latency_median", "latency_p95",
                                  "latency_p99"};

SweepColumns sweep_columns(SQLite::Database& database, const std::string& sweep) {
    SweepColumns columns = {
        texts(database, "SELECT path FROM swept WHERE sweep = ? GROUP BY path ORDER BY min(position)", sweep),
        texts(database,
              "SELECT DISTINCT name FROM measurement JOIN member USING (hash) WHERE sweep = ? ORDER BY "
              "name",
              sweep)};
    std::vector<std::string>& measured = columns.measured;
    if (std::binary_search(measured.begin(), measured.end(), "carried")) {
        measured.insert(measured.end(), latencies.begin(), latencies.end());
        std::sort(measured.begin(), measured.end());
        measured.erase(std::unique(measured.begin(), measured.end()), measured.end());
    }
    return columns;
}

/// The columns that a sweep has, and their SQL.
class Columns {
  public:
    Columns(SQLite::Database& database, const std::string& sweep)
        : own_(sweep_columns(database, sweep)),
          configured_(texts(database,
                            "SELECT DISTINCT path FROM parameter JOIN member USING (hash) WHERE sweep = ? "
                            "ORDER BY path",
                            sweep)) {}

    std::string sql(const std::string& name) const {
        const auto* const own = std::find_if(own_columns.begin(), own_columns.end(),
                                             [&](const OwnColumn& column) { return name == column.name; });
        const std::string text = quoted(name, '\'');
        if (has(own_.varied, name))
            return fmt::format(
                "(SELECT value FROM swept s WHERE s.sweep = m.sweep AND s.number = m.number AND "
                "s.path = {})",
                text);
        if (own != own_columns.end()) return own->sql;
        if (has(own_.measured, name)) return measured_sql(name);
        if (has(configured_, name))
            return fmt::format("(SELECT value FROM parameter y WHERE y.hash = m.hash AND y.path = {})", text);
        std::string expected = "number, status, error, wall_seconds";
        for (const auto* names : {&own_.varied, &own_.measured})
            for (const std::string& known : *names) expected += ", " + known;
        throw InputError("there is no column '" + name + "'", expected + ", or a path of the configuration");
    }

    std::vector<std::string> chief() const {
        std::vector<std::string> names = {"number"};
        names.insert(names.end(), own_.varied.begin(), own_.varied.end());
        names.emplace_back("status");
        for (const char* name : chief_measurements)
            if (has(own_.measured, name)) names.emplace_back(name);
        return names;
    }

  private:
    static std::string value_sql(const std::string& name) {
        return fmt::format("(SELECT value FROM measurement x WHERE x.hash = m.hash AND x.name = {})",
                           quoted(name, '\''));
    }
    static std::string measured_sql(const std::string& name) {
        if (std::find(latencies.begin(), latencies.end(), name) == latencies.end()) return value_sql(name);
        return fmt::format("coalesce({}, CASE {} WHEN 0 THEN 'saturated' END)", value_sql(name),
                           value_sql("carried"));
    }
    static bool has(const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    }
    SweepColumns own_;
    std::vector<std::string> configured_;
};

std::string sweep_of(const ResultsFile& file, const std::string& wanted) {
    const std::vector<std::string> names = file.sweeps();
    if (wanted.empty() && names.size() == 1) return names.front();
    if (std::find(names.begin(), names.end(), wanted) != names.end()) return wanted;
    throw InputError(wanted.empty() ? fmt::format("there are {} sweeps in the file", names.size())
                                    : "there is no sweep '" + wanted + "'",
                     fmt::format("--sweep with one of {}", fmt::join(names, ", ")));
}

/// "vc_depth>=16" as SQL.
std::string condition(const Columns& columns, const std::string& text) {
    const std::size_t begin = text.find_first_of("=!<>");
    const std::size_t end = begin == std::string::npos ? begin : text.find_first_not_of("=!<>", begin);
    const std::string operation = begin == std::string::npos ? "" : text.substr(begin, end - begin);
    constexpr std::array known = {"=", "==", "!=", "<", "<=", ">", ">="};
    if (begin == 0 || end == std::string::npos ||
        std::find(known.begin(), known.end(), operation) == known.end())
        throw InputError("cannot use --where '" + text + "'", "COLUMN=VALUE, with =, !=, <, <=, > or >=");
    const Json value = typed(text.substr(end));
    return fmt::format("{} {} {}", columns.sql(text.substr(0, begin)), operation,
                       value.is_number() ? value.dump() : quoted(value.get<std::string>(), '\''));
}

}  // namespace

SweepColumns columns_of(ResultsFile& file, const std::string& sweep) {
    return read_from(file, [&] { return sweep_columns(file.database(), sweep); });
}

std::string study_of(ResultsFile& file, const std::string& sweep) {
    const std::vector<std::string> schemas = read_from(file, [&] {
        return texts(file.database(),
                     "SELECT DISTINCT json_extract(result, '$.schema') AS schema FROM point JOIN member "
                     "USING (hash) WHERE sweep = ? AND json_extract(result, '$.schema') IS NOT NULL",
                     sweep);
    });
    constexpr std::string_view ours = "interlace.";
    if (schemas.size() != 1 || !schemas.front().starts_with(ours)) return "";
    const std::string study = schemas.front().substr(ours.size());
    return study.substr(0, study.find('/'));
}

ResultsTable select(ResultsFile& file, const ResultsQuery& query) {
    const std::string sweep = sweep_of(file, query.sweep);
    const auto columns = read_from(file, [&] { return Columns(file.database(), sweep); });
    std::vector<std::string> cells;
    for (const std::string& name : query.columns.empty() ? columns.chief() : query.columns)
        cells.push_back(columns.sql(name) + " AS " + quoted(name, '"'));
    std::string sql = fmt::format("SELECT {} FROM member m LEFT JOIN point p USING (hash) WHERE m.sweep = {}",
                                  fmt::join(cells, ", "), quoted(sweep, '\''));
    for (const std::string& text : query.where) sql += " AND " + condition(columns, text);
    return read_from(file, [&] {
        SQLite::Statement statement(file.database(), sql + " ORDER BY m.number");
        return table_of(statement);
    });
}

ResultsTable pivot(const ResultsTable& table) {
    if (table.header.size() != 3)
        throw InputError(fmt::format("cannot use a pivot of {} columns", table.header.size()),
                         "three: rows, columns, cells");
    ResultsTable result{{table.header[0] + " \\ " + table.header[1]}, {}};
    std::vector<Json> columns;
    const auto place = [](auto& known, const Json& value, const auto& key) {
        const auto found =
            std::find_if(known.begin(), known.end(), [&](const auto& k) { return key(k) == value; });
        return static_cast<std::size_t>(found - known.begin());
    };
    for (const auto& row : table.rows) {
        const std::size_t r = place(result.rows, row[0], [](const auto& known) { return known[0]; });
        if (r == result.rows.size()) result.rows.push_back({row[0]});
        const std::size_t c = place(columns, row[1], [](const Json& known) { return known; });
        if (c == columns.size()) columns.push_back(row[1]);
        std::vector<Json>& cells = result.rows[r];
        if (cells.size() < c + 2) cells.resize(c + 2);
        if (!cells[c + 1].is_null())
            throw InputError(fmt::format("there are several points with {} = {} and {} = {}", table.header[0],
                                         cell_text(row[0]), table.header[1], cell_text(row[1])),
                             "--where that leaves one");
        cells[c + 1] = row[2];
    }
    for (const Json& column : columns) result.header.push_back(cell_text(column));
    for (auto& row : result.rows) row.resize(result.header.size());
    return result;
}

ResultsTable run_sql(ResultsFile& file, const std::string& sql) try {
    SQLite::Statement statement(file.database(), sql);
    return table_of(statement);
} catch (const SQLite::Exception& error) {
    throw InputError(std::string("--sql: ") + error.what(), "a statement that reads (docs/sweeps.md)");
}

std::string to_csv(const ResultsTable& table) {
    const auto line = [](const auto& cells, const auto& text_of) {
        std::string text;
        for (const auto& one : cells) {
            const std::string value = text_of(one);
            const bool plain = value.find_first_of(",\"\r\n") == std::string::npos;
            text += (&one == &cells.front() ? "" : ",") + (plain ? value : quoted(value, '"'));
        }
        return text + "\n";
    };
    std::string text = line(table.header, [](const std::string& name) { return name; });
    for (const auto& row : table.rows)
        text += line(row, [](const Json& value) {
            return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
        });
    return text;
}

std::string to_json_lines(const ResultsTable& table) {
    std::string text;
    for (const auto& row : table.rows) {
        Json object = Json::object();
        for (std::size_t c = 0; c < row.size(); ++c) object[table.header[c]] = row[c];
        text += object.dump() + "\n";
    }
    return text;
}

std::string cell_text(const Json& cell) {
    if (cell.is_null()) return "-";
    if (cell.is_string()) return cell.get<std::string>();
    return cell.is_number_float() ? fmt::format("{:.6g}", cell.get<double>()) : cell.dump();
}

}  // namespace interlace
