// Interlace: results of sweeps in one SQLite file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/results/results_file.h"

#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>

#include "interlace/core/error.h"
#include "interlace/core/system_refusal.h"
#include "interlace/measure/read_json.h"

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

/// What a table was made with, and whether it is one: a view of its name may never end.
std::map<std::string, std::string> tables_of(SQLite::Database& database) {
    SQLite::Statement query(database, "SELECT name, type || ' ' || coalesce(sql, '') FROM sqlite_master");
    std::map<std::string, std::string> tables;
    while (query.executeStep()) tables[query.getColumn(0).getString()] = query.getColumn(1).getString();
    return tables;
}

/// Refuses a file whose tables are not those that interlace makes. Indexes, views and tables of others may be
/// there too.
void check_tables(SQLite::Database& database, const std::string& path) {
    SQLite::Database ours(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    ours.exec(schema);
    ours.exec(outcome_schema);
    const auto found = tables_of(database);
    for (const auto& [name, made] : tables_of(ours)) {
        const auto table = found.find(name);
        if (table == found.end() && name == "outcome") continue;
        if (table == found.end() || table->second != made)
            throw InputError(
                fmt::format("'{}' has {} table '{}'", path, table == found.end() ? "no" : "another", name),
                "the tables that interlace sweep makes (docs/sweeps.md)");
    }
}

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

[[noreturn]] void unreadable(const std::string& path, const SQLite::Exception& error) {
    throw InputError(fmt::format("'{}': {}", path, error.what()),
                     "a file of results, as interlace sweep writes");
}

/// The texts of a query's first column, of a file that another hand may have touched; `bound` is its ?.
std::vector<std::string> texts(const std::string& path, const SQLite::Database& database, const char* sql,
                               const std::string& bound = {}) try {
    SQLite::Statement query(database, sql);
    if (query.getBindParameterCount() > 0) query.bind(1, bound);
    std::vector<std::string> texts;
    while (query.executeStep()) {
        const SQLite::Column column = query.getColumn(0);
        texts.push_back(column.getString());
        if (!column.isText() || !is_utf8(texts.back()))
            throw InputError(fmt::format("'{}' has a {} that is not text", path, column.getName()),
                             "a file of results, as interlace sweep writes");
    }
    return texts;
} catch (const SQLite::Exception& error) {
    unreadable(path, error);
}

/// What a user can do about `error`.
[[noreturn]] void fail(const std::string& path, const SQLite::Exception& error) {
    throw FellShort(
        fmt::format("cannot write '{}': {}; its content is kept, and the sweep can be started again", path,
                    error.what()));
}

int lock(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        throw system_refusal("cannot write '" + path + "'", errno,
                             "a file in a folder that can be written to");
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    ::close(file);
    throw InputError("'" + path + "' is being written by another process", "one sweep at a time for a file");
}

/// "file:PATH?immutable=1": SQLite then makes no files beside it and looks for none.
std::string immutable(const std::string& path) {
    std::string uri = "file:";
    for (const char c : path)
        uri += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.'
                   ? std::string(1, c)
                   : fmt::format("%{:02x}", static_cast<unsigned char>(c));
    return uri + "?immutable=1";
}

SQLite::Database open(const std::string& name, ResultsFile::Mode mode) {
    constexpr int patience = 60'000;  // milliseconds
    // Of itself, SQLite takes ":memory:" for no file.
    const std::string path = std::filesystem::absolute(name).string();
    if (mode == ResultsFile::Mode::write)
        return {path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, patience};
    if (!std::filesystem::is_regular_file(path))
        throw InputError("cannot read '" + name + "'", "a file of results, as interlace sweep writes");
    const auto may_write = [](const std::string& file) { return ::access(file.c_str(), W_OK) == 0; };
    const bool folder = may_write(std::filesystem::path(path).parent_path().string());
    // A reader that may write can tidy up after a writer that was killed, so that one file is left.
    if (mode == ResultsFile::Mode::read && folder && may_write(path))
        return {path, SQLite::OPEN_READWRITE, patience};
    std::error_code none;
    const std::uintmax_t in_log = std::filesystem::file_size(path + "-wal", none);
    // Without a log, all is in the file; to read one, SQLite needs another file beside it.
    if ((!folder || mode == ResultsFile::Mode::watch) && (none || in_log == 0))
        return {immutable(path), SQLite::OPEN_READONLY | SQLite::OPEN_URI, patience};
    return {path, SQLite::OPEN_READONLY, patience};
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

Json typed(const std::string& text) {
    std::int64_t whole = 0;
    double real = 0;
    const char* end = text.data() + text.size();
    if (const auto [rest, error] = std::from_chars(text.data(), end, whole);
        error == std::errc() && rest == end)
        return whole;
    if (const auto [rest, error] = std::from_chars(text.data(), end, real);
        error == std::errc() && rest == end && std::isfinite(real))
        return real;
    return text;
}

ResultsFile::ResultsFile(const std::string& path, Mode mode) try
    : lock_(mode == Mode::write ? lock(path) : -1), path_(path), database_(open(path, mode)) {
    // A file of another hand runs nothing of its own, and cells that reach out of their page are errors.
    database_.exec("PRAGMA trusted_schema = 0");
    database_.exec("PRAGMA cell_size_check = 1");
    const int version = database_.execAndGet("PRAGMA user_version").getInt();
    const bool empty = database_.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
    const bool ours = database_.execAndGet("PRAGMA application_id").getInt() == application;
    if ((mode != Mode::write || !empty) && (!ours || version != schema_version))
        throw InputError("'" + path + "' is not a file of results",
                         "one that interlace sweep wrote (schema 1)");
    if (!empty) check_tables(database_, path);
    if (mode != Mode::write) {
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
    if (const int reason = errno; error.getErrorCode() == SQLITE_CANTOPEN)
        throw system_refusal("cannot open '" + path + "' and SQLite's files beside it", reason,
                             "a file in a folder that can be written to");
    unreadable(path, error);
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
    const std::vector<std::string> hashes =
        texts(path_, database_,
              failed_too ? "SELECT hash FROM point" : "SELECT hash FROM point WHERE status = 'done'");
    return {hashes.begin(), hashes.end()};
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
    if (texts(path_, database_, "SELECT name FROM sqlite_master WHERE name = 'outcome'").empty())
        return nullptr;
    const auto outcome = texts(path_, database_, "SELECT result FROM outcome WHERE sweep = ?", sweep);
    if (outcome.empty()) return nullptr;
    return read_json(outcome.front(), "'" + path_ + "': outcome", "the outcome of interlace size");
}

void ResultsFile::set_view(const std::string& name, const std::string& select) try {
    SQLite::Statement other(database_, "SELECT type FROM sqlite_master WHERE name = ? AND type != 'view'");
    other.bind(1, name);
    if (other.executeStep()) return;
    other.reset();
    SQLite::Transaction transaction(database_);
    database_.exec(fmt::format("DROP VIEW IF EXISTS {}", name));
    if (!select.empty()) database_.exec(fmt::format("CREATE VIEW {} AS {}", name, select));
    transaction.commit();
} catch (const SQLite::Exception& error) {
    fail(path_, error);
}

std::vector<std::string> ResultsFile::sweeps() const {
    return texts(path_, database_, "SELECT name FROM sweep ORDER BY name");
}

}  // namespace interlace
