// Interlace: what a user asked of figures, held against what there is
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "figure_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "interlace/core/error.h"
#include "interlace/measure/read_json.h"
#include "interlace/results/query.h"

namespace interlace {
namespace {

constexpr std::size_t max_named = 40;  // values of a column in a sentence

std::vector<Json> cells(const Json& sweep, std::size_t column) {
    std::vector<Json> cells;
    for (const Json& row : sweep["rows"]) cells.push_back(row[column]);
    return cells;
}

std::vector<std::string> different(const std::vector<Json>& cells) {
    std::vector<std::string> texts;
    for (const Json& cell : cells)
        if (const std::string text = cell_text(cell);
            std::find(texts.begin(), texts.end(), text) == texts.end())
            texts.push_back(text);
    return texts;
}

/// As page/src/charts/columns.ts has it: numbers, and what stands in the place of some.
bool is_numeric(const std::vector<Json>& cells) {
    bool any = false;
    for (const Json& cell : cells) {
        if (!cell.is_number() && !cell.is_null() && cell != "saturated") return false;
        any = any || cell.is_number();
    }
    return any;
}

/// Names of the sweep's columns that can be x (of what was swept, what varies), y (of measurements, numbers)
/// or, for any other role, all.
std::vector<std::string> columns_for(const Json& sweep, const std::string& role) {
    const std::size_t swept = sweep["swept"].size();
    std::vector<std::string> names;
    for (std::size_t c = 0; c < sweep["columns"].size(); ++c) {
        const std::vector<Json> of_column = cells(sweep, c);
        const bool fits = role == "--x"   ? c < swept && different(of_column).size() > 1
                          : role == "--y" ? c >= swept && is_numeric(of_column)
                                          : true;
        if (fits) names.push_back(sweep["columns"][c]["name"].get<std::string>());
    }
    return names;
}

void check_column(const Json& sweep, const std::string& role, const std::string& column) {
    const std::vector<std::string> known = columns_for(sweep, role);
    if (std::find(known.begin(), known.end(), column) != known.end()) return;
    throw InputError(
        fmt::format("{}: there is no column '{}' of sweep '{}'", role, column,
                    sweep["name"].get<std::string>()),
        known.empty() ? "a sweep with such a column" : fmt::format("{}", fmt::join(known, ", ")));
}

std::pair<std::string, std::string> column_and_value(const std::string& filter) {
    const std::size_t equals = filter.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InputError("cannot use --filter '" + filter + "'", "COLUMN=VALUE");
    return {filter.substr(0, equals), filter.substr(equals + 1)};
}

/// As page/src/charts/choices.ts has it.
bool reads(const Json& cell, const std::string& value) {
    if (!cell.is_number()) return cell == value;
    return cell == typed(value) || typed(cell_text(cell)) == typed(value);
}

/// Any of the sweep's points has to be left.
void check_filters(const Json& sweep, const std::vector<std::pair<std::string, std::string>>& filters) {
    std::vector<Json> rows = sweep["rows"];
    for (const auto& [column, value] : filters) {
        check_column(sweep, "--filter", column);
        const Json& columns = sweep["columns"];
        const auto c = static_cast<std::size_t>(
            std::find_if(columns.begin(), columns.end(),
                         [&, &name = column](const Json& one) { return one["name"] == name; }) -
            columns.begin());
        std::vector<std::string> known = different(cells({{"rows", rows}}, c));
        std::erase_if(rows, [&, &value = value](const Json& row) { return !reads(row[c], value); });
        if (!rows.empty()) continue;
        if (known.size() > max_named) {
            known.resize(max_named);
            known.emplace_back("...");
        }
        throw InputError(fmt::format("--filter '{}={}': there is no such point of sweep '{}'", column, value,
                                     sweep["name"].get<std::string>()),
                         fmt::format("one of {}", fmt::join(known, ", ")));
    }
}

}  // namespace

Json figure_options_json(const FigureOptions& options, const Json& document) {
    std::vector<std::pair<std::string, std::string>> filters;
    for (const std::string& filter : options.filters) filters.push_back(column_and_value(filter));
    Json chosen = {{"filter", Json::array()}};
    for (const auto& [column, value] : filters)
        chosen["filter"].push_back({{"column", column}, {"value", value}});
    for (const auto& [name, value] :
         {std::pair{"x", &options.x}, std::pair{"y", &options.y}, std::pair{"xLabel", &options.x_label},
          std::pair{"yLabel", &options.y_label}}) {
        if (!is_utf8(*value)) throw InputError("cannot use a name or a label of an axis", "UTF-8");
        if (!value->empty()) chosen[name] = *value;
    }
    bool any = false;
    for (const Json& part : document["parts"]) {
        if (part["kind"] != "sweep") continue;
        any = true;
        if (!options.x.empty()) check_column(part, "--x", options.x);
        if (!options.y.empty()) check_column(part, "--y", options.y);
        check_filters(part, filters);
    }
    if (!any && (chosen.size() > 1 || !filters.empty()))
        throw InputError("cannot use columns and labels without a sweep",
                         "results of interlace sweep or size");
    Json json = {{"width", options.width}, {"chosen", chosen}};
    if (options.height > 0) json["height"] = options.height;
    return json;
}

}  // namespace interlace
