// Interlace: results of sweeps in one SQLite file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/results/results_file.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>

#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr int schema_version = 1;
constexpr int application = 0x494c4143;  // "ILAC"

constexpr const char* schema = R"(
CREATE TABLE sweep (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE member (
  sweep TEXT NOT NULL REFERENCES sweep,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (sweep, number)
) WITHOUT ROWID;
CREATE TABLE swept (
  sweep TEXT NOT NULL REFERENCES sweep,
  number INTEGER NOT NULL,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  value NOT NULL,
  PRIMARY KEY (sweep, number, position)
) WITHOUT ROWID;
CREATE TABLE point (
  hash TEXT PRIMARY KEY,
  status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
  error TEXT,
  configuration TEXT NOT NULL,
  result TEXT,
  seed INTEGER,
  version TEXT NOT NULL,
  git_commit TEXT NOT NULL,
  finished TEXT NOT NULL,
  wall_seconds REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE parameter (
  hash TEXT NOT NULL REFERENCES point,
  path TEXT NOT NULL,
  value NOT NULL,
  PRIMARY KEY (hash, path)
) WITHOUT ROWID;
CREATE TABLE measurement (
  hash TEXT NOT NULL REFERENCES point,
  name TEXT NOT NULL,
  value NOT NULL,
  PRIMARY KEY (hash, name)
) WITHOUT ROWID;
)";

/// Files of version 0.1.0 before there were outcomes have none.
constexpr const char* outcome_schema = R"(
CREATE TABLE IF NOT EXISTS outcome (
  sweep TEXT PRIMARY KEY REFERENCES sweep,
  result TEXT NOT NULL
) WITHOUT ROWID;
)";

void bind_json(SQLite::Statement& statement, int column, const Json& value) {
    if (value.is_boolean())
        statement.bind(column, value.get<bool>() ? 1 : 0);
    else if (value.is_number_integer())
        statement.bind(column, value.get<std::int64_t>());
    else if (value.is_number())
        statement.bind(column, value.get<double>());
    else
        statement.bind(column, value.is_string() ? value.get<std::string>() : value.dump());
}

template <class... Values>
void execute(SQLite::Database& database, const std::string& sql, const Values&... values) {
    SQLite::Statement statement(database, sql);
    SQLite::bind(statement, values...);
    statement.exec();
}

/// A number where the text is one.
Json typed(const std::string& text) {
    std::int64_t whole = 0;
    double real = 0;
    const char* end = text.data() + text.size();
    if (const auto [rest, error] = std::from_chars(text.data(), end, whole);
        error == std::errc() && rest == end)
        return whole;
    if (const auto [rest, error] = std::from_chars(text.data(), end, real);
        error == std::errc() && rest == end)
        return real;
    return text;
}

/// What a user can do about `error`.
[[noreturn]] void fail(const std::string& path, const SQLite::Exception& error) {
    throw FellShort(
        fmt::format("cannot write '{}': {}; what is in it stays, and the sweep can be started again", path,
                    error.what()));
}

int lock(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        throw InputError("cannot write '" + path + "'", "a file in a folder that can be written to");
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    ::close(file);
    throw InputError("'" + path + "' is being written by another process", "one sweep at a time for a file");
}

/// A reader that may write can tidy up after a writer that was killed, so that one file is left.
int open_flags(const std::string& path, ResultsFile::Mode mode) {
    if (mode == ResultsFile::Mode::write) return SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
    return ::access(path.c_str(), W_OK) == 0 ? SQLite::OPEN_READWRITE : SQLite::OPEN_READONLY;
}

SQLite::Database open(const std::string& path, ResultsFile::Mode mode) {
    if (mode == ResultsFile::Mode::read && !std::filesystem::is_regular_file(path))
        throw InputError("cannot read '" + path + "'", "a file of results, as interlace sweep writes");
    return {path, open_flags(path, mode), 60'000};
}

void insert_leaves(SQLite::Database& database, const char* table, const std::string& hash, const Json& json) {
    SQLite::Statement insert(database, fmt::format("INSERT INTO {} VALUES (?, ?, ?)", table));
    for (const auto& [path, value] : leaves(json)) {
        insert.reset();
        SQLite::bind(insert, hash, path);
        bind_json(insert, 3, value);
        insert.exec();
    }
}

/// The measurements alone: what a result says of itself stands in other columns.
Json measurements(Json result) {
    for (const char* head : {"schema", "version", "seed", "experiment"}) result.erase(head);
    return result;
}

void add_leaves(const Json& json, const std::string& path,
                std::vector<std::pair<std::string, Json>>& leaves) {
    for (const auto& [key, value] : json.items()) {
        const std::string name = path.empty() ? key : fmt::format("{}.{}", path, key);
        if (value.is_object())
            add_leaves(value, name, leaves);
        else if (!value.is_array() && !value.is_null())
            leaves.emplace_back(name, value);
    }
}

}  // namespace

std::vector<std::pair<std::string, Json>> leaves(const Json& json) {
    std::vector<std::pair<std::string, Json>> leaves;
    add_leaves(json, "", leaves);
    return leaves;
}

ResultsFile::ResultsFile(const std::string& path, Mode mode) try
    : lock_(mode == Mode::write ? lock(path) : -1), path_(path), database_(open(path, mode)) {
    const int version = database_.execAndGet("PRAGMA user_version").getInt();
    const bool empty = database_.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
    const bool ours = database_.execAndGet("PRAGMA application_id").getInt() == application;
    if ((mode == Mode::read || !empty) && (!ours || version != schema_version))
        throw InputError("'" + path + "' is no file of results", "one that interlace sweep wrote (schema 1)");
    if (mode == Mode::read) {
        database_.exec("PRAGMA query_only = 1");
        return;
    }
    database_.exec("PRAGMA journal_mode = WAL");
    database_.exec("PRAGMA synchronous = FULL");
    SQLite::Transaction transaction(database_);
    if (empty) database_.exec(schema);
    database_.exec(outcome_schema);
    database_.exec(fmt::format("PRAGMA user_version = {}", schema_version));
    database_.exec(fmt::format("PRAGMA application_id = {}", application));
    transaction.commit();
} catch (const SQLite::Exception& error) {
    throw InputError(fmt::format("'{}': {}", path, error.what()),
                     "a file of results, as interlace sweep writes");
}

ResultsFile::~ResultsFile() {
    if (lock_ >= 0) ::close(lock_);
}

void ResultsFile::begin(const std::string& sweep, const std::string& text,
                        const std::vector<SweepMember>& members) try {
    SQLite::Transaction transaction(database_);
    execute(database_, "DELETE FROM swept WHERE sweep = ?", sweep);
    execute(database_, "DELETE FROM member WHERE sweep = ?", sweep);
    execute(database_, "DELETE FROM outcome WHERE sweep = ?", sweep);
    execute(database_, "INSERT OR REPLACE INTO sweep VALUES (?, ?)", sweep, text);
    SQLite::Statement member(database_, "INSERT INTO member VALUES (?, ?, ?)");
    SQLite::Statement swept(database_, "INSERT INTO swept VALUES (?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < members.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        member.reset();
        SQLite::bind(member, sweep, number, members[i].hash);
        member.exec();
        for (std::size_t p = 0; p < members[i].values.size(); ++p) {
            const auto& [path, value] = members[i].values[p];
            swept.reset();
            SQLite::bind(swept, sweep, number, static_cast<std::int64_t>(p), path);
            bind_json(swept, 5, typed(value));
            swept.exec();
        }
    }
    transaction.commit();
} catch (const SQLite::Exception& error) {
    fail(path_, error);
}

std::set<std::string> ResultsFile::known(bool failed_too) const {
    SQLite::Statement query(
        database_, failed_too ? "SELECT hash FROM point" : "SELECT hash FROM point WHERE status = 'done'");
    std::set<std::string> known;
    while (query.executeStep()) known.insert(query.getColumn(0).getString());
    return known;
}

void ResultsFile::store(const ResultPoint& point) try {
    SQLite::Transaction transaction(database_);
    for (const char* table : {"parameter", "measurement", "point"})
        execute(database_, fmt::format("DELETE FROM {} WHERE hash = ?", table), point.hash);
    SQLite::Statement add(database_, "INSERT INTO point VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    SQLite::bind(add, point.hash, point.failed ? "failed" : "done");
    if (point.failed)
        add.bind(3, point.error);
    else
        add.bind(5, point.result.dump());
    add.bind(4, point.configuration.dump());
    if (point.configuration.contains("seed")) bind_json(add, 6, point.configuration["seed"]);
    add.bind(7, version());
    add.bind(8, commit());
    add.bind(9, point.finished);
    add.bind(10, point.wall_seconds);
    add.exec();
    insert_leaves(database_, "parameter", point.hash, point.configuration);
    if (!point.failed) insert_leaves(database_, "measurement", point.hash, measurements(point.result));
    transaction.commit();
} catch (const SQLite::Exception& error) {
    fail(path_, error);
}

void ResultsFile::conclude(const std::string& sweep, const Json& result) try {
    execute(database_, "INSERT OR REPLACE INTO outcome VALUES (?, ?)", sweep, result.dump());
} catch (const SQLite::Exception& error) {
    fail(path_, error);
}

Json ResultsFile::outcome(const std::string& sweep) const {
    if (!database_.tableExists("outcome")) return nullptr;
    SQLite::Statement query(database_, "SELECT result FROM outcome WHERE sweep = ?");
    query.bind(1, sweep);
    return query.executeStep() ? Json::parse(query.getColumn(0).getString()) : Json(nullptr);
}

std::vector<std::string> ResultsFile::sweeps() const {
    SQLite::Statement query(database_, "SELECT name FROM sweep ORDER BY name");
    std::vector<std::string> names;
    while (query.executeStep()) names.push_back(query.getColumn(0).getString());
    return names;
}

}  // namespace interlace
