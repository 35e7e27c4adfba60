// Interlace: what queries of a file of results share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "read_table.h"

#include <fmt/format.h>

#include <cmath>

#include "interlace/measure/read_json.h"

namespace interlace {
namespace {

Json cell(const SQLite::Column& column) {
    if (column.isNull()) return nullptr;
    if (column.isInteger()) return column.getInt64();
    if (column.isFloat() && std::isfinite(column.getDouble())) return column.getDouble();
    const char* kind = column.isFloat()               ? "an infinite number"
                       : column.isBlob()              ? "a blob"
                       : !is_utf8(column.getString()) ? "no UTF-8"
                                                      : nullptr;
    if (kind != nullptr)
        throw InputError(fmt::format("column '{}' has {}", column.getName(), kind),
                         "finite numbers and texts in UTF-8 (in SQL, hex() shows other values)");
    return column.getString();
}

}  // namespace

ResultsTable table_of(SQLite::Statement& query) {
    ResultsTable table;
    for (int c = 0; c < query.getColumnCount(); ++c) table.header.emplace_back(query.getColumnName(c));
    while (query.executeStep()) {
        std::vector<Json> row;
        row.reserve(table.header.size());
        for (int c = 0; c < query.getColumnCount(); ++c) row.push_back(cell(query.getColumn(c)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<std::string> texts(SQLite::Database& database, const std::string& sql, const std::string& sweep) {
    SQLite::Statement query(database, sql);
    query.bind(1, sweep);
    std::vector<std::string> texts;
    for (const auto& row : table_of(query).rows) {
        if (!row[0].is_string())
            throw InputError(fmt::format("column '{}' has a {}", query.getColumnName(0), row[0].type_name()),
                             "texts");
        texts.push_back(row[0].get<std::string>());
    }
    return texts;
}

std::string quoted(const std::string& text, char quote) {
    std::string result(1, quote);
    for (const char c : text) result += c == quote ? std::string(2, c) : std::string(1, c);
    return result + quote;
}

}  // namespace interlace
