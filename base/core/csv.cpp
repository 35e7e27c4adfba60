// Interlace: CSV files of whole numbers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/csv.h"

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"

namespace interlace {

CsvRow::CsvRow(const std::vector<std::string>& header, const std::string& line)
    : header_(header), cells_(split(line, ',')) {
    if (cells_.size() != header_.size())
        throw InputError("row '" + line + "'", std::to_string(header_.size()) + " numbers");
}

std::uint64_t CsvRow::number(std::size_t column, std::uint64_t low, std::uint64_t high) const {
    return parse_integer(cells_[column], header_[column], low, high);
}

void read_csv(const std::string& path, const std::string& header,
              const std::function<void(const CsvRow&)>& visit) {
    std::ifstream file = open_to_read(path, "a CSV file with the header " + header);
    const std::vector<std::string> names = split(header, ',');
    std::string line;
    for (std::size_t number = 1; std::getline(file, line) || number == 1; ++number) {
        if (line.ends_with('\r')) line.pop_back();
        try {
            if (number == 1 && line != header) throw InputError("header '" + line + "'", header);
            if (number > 1 && !line.empty()) visit(CsvRow(names, line));
        } catch (const InputError& error) {
            throw error.at(path + ":" + std::to_string(number));
        }
    }
}

}  // namespace interlace
