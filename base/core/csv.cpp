// Interlace: CSV files of whole numbers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/csv.h"

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

}  // namespace

CsvRow::CsvRow(const std::vector<std::string>& header, const std::string& text, std::size_t line)
    : header_(header), cells_(split(text, ',')), line_(line) {
    if (cells_.size() != header_.size())
        throw InputError("cannot use row '" + text + "'", std::to_string(header_.size()) + " numbers");
}

std::uint64_t CsvRow::number(std::size_t column, std::uint64_t low, std::uint64_t high) const {
    try {
        return parse_integer(cells_[column], "value", low, high);
    } catch (const InputError& error) {
        throw error.at(header_[column]);
    }
}

void read_csv(const std::string& path, const std::string& header,
              const std::function<void(const CsvRow&)>& visit, Problems* problems) {
    std::ifstream file = open_to_read(path, "a CSV file with the header " + header);
    std::vector<std::string> names;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line) || number == 1; ++number) {
        if (line.ends_with('\r')) line.pop_back();
        try {
            if (number == 1 && line != with_optional_part(header, false) &&
                line != with_optional_part(header, true))
                throw InputError("cannot use header '" + line + "'", header);
            if (number == 1)
                names = split(line, ',');
            else if (!line.empty())
                visit(CsvRow(names, line, number));
        } catch (const InputError& error) {
            if (problems == nullptr || number == 1)
                throw error.at(Place{path + ":" + std::to_string(number), path, number, ""});
            problems->add(error.what(), number);
        }
    }
}

}  // namespace interlace
