// Interlace: CSV files of whole numbers, and of words
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/csv.h"

#include <algorithm>
#include <optional>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"

namespace interlace {
namespace {

/// "a,b[,c]" is "a,b,c" if it has its optional part.
std::string with_optional_part(const std::string& header, bool has_it) {
    const std::size_t open = header.find('[');
    if (open == std::string::npos) return header;
    return header.substr(0, open) + (has_it ? header.substr(open + 1, header.size() - open - 2) : "");
}

/// The cells of a line, without blanks around them.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells = split(line, ',');
    for (std::string& cell : cells) {
        cell.erase(cell.find_last_not_of(" \t") + 1);
        cell.erase(0, cell.find_first_not_of(" \t"));
    }
    return cells;
}

/// Where each of `columns` stands in a file's first line; empty unless that has all of them and no others.
std::vector<std::size_t> places_of(const std::vector<std::string>& columns,
                                   const std::vector<std::string>& line) {
    std::vector<std::size_t> places;
    if (line.size() != columns.size()) return places;
    for (const std::string& column : columns) {
        const auto found = std::find(line.begin(), line.end(), column);
        if (found == line.end()) return {};
        places.push_back(static_cast<std::size_t>(found - line.begin()));
    }
    return places;
}

}  // namespace

CsvColumns::CsvColumns(const std::string& header, const std::string& line) {
    for (const bool has_it : {false, true}) {
        names_ = split(with_optional_part(header, has_it), ',');
        places_ = places_of(names_, cells_of(line));
        if (!places_.empty()) return;
    }
    throw InputError("cannot use header '" + line + "'", header + ", in any order");
}

CsvRow::CsvRow(const CsvColumns& columns, const std::string& text, std::size_t line)
    : columns_(columns), cells_(cells_of(text)), line_(line) {
    if (cells_.size() != columns_.names().size())
        throw InputError("cannot use row '" + text + "'",
                         std::to_string(columns_.names().size()) + " numbers");
}

std::uint64_t CsvRow::number(std::size_t column, std::uint64_t low, std::uint64_t high) const {
    try {
        return parse_integer(cells_[columns_.place(column)], "value", low, high);
    } catch (const InputError& error) {
        throw error.at(columns_.names()[column]);
    }
}

std::size_t CsvRow::word(std::size_t column, const std::vector<std::string>& words) const {
    const std::string& cell = cells_[columns_.place(column)];
    const auto found = std::find(words.begin(), words.end(), cell);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    std::string expected;
    for (const std::string& word : words) expected += (expected.empty() ? "" : " or ") + word;
    throw InputError("cannot use value '" + cell + "'", expected).at(columns_.names()[column]);
}

void read_csv(const std::string& path, const std::string& header,
              const std::function<void(const CsvRow&)>& visit, Problems* problems) {
    const std::string expected = "a CSV file with the header " + header;
    std::ifstream file = open_to_read(path, expected);
    std::optional<CsvColumns> columns;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line) || number == 1; ++number) {
        if (line.ends_with('\r')) line.pop_back();
        try {
            if (number == 1)
                columns.emplace(header, std::string(without_byte_order_mark(line)));
            else if (!line.empty())
                visit(CsvRow(*columns, line, number));
        } catch (const InputError& error) {
            check_read(file, path, expected);
            if (problems == nullptr || number == 1)
                throw error.at(Place{path + ":" + std::to_string(number), path, number, ""});
            problems->add(error.what(), number);
        }
    }
    check_read(file, path, expected);
}

}  // namespace interlace
