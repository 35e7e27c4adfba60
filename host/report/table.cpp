// Interlace: tables of text for a terminal
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace interlace {
namespace {

bool is_number(const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789.+-%") == std::string::npos;
}

}  // namespace

Table::Table(std::vector<std::string> header) {
    rows_.push_back(std::move(header));
}

void Table::add(std::vector<std::string> row) {
    assert(row.size() == rows_.front().size());
    rows_.push_back(std::move(row));
}

std::string Table::str() const {
    std::vector<std::size_t> width(rows_.front().size(), 0);
    std::vector<bool> right(width.size(), false);
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < row.size(); ++c) {
            width[c] = std::max(width[c], row[c].size());
            right[c] = right[c] || is_number(row[c]);
        }
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c)
            line += right[c] ? fmt::format("{:>{}}  ", row[c], width[c])
                             : fmt::format("{:<{}}  ", row[c], width[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace interlace
