// Interlace: CSV files of whole numbers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interlace/core/problems.h"

namespace interlace {

class CsvRow {
  public:
    /// Throws InputError unless `text`, the file's `line` (from 1), has as many cells as the header.
    CsvRow(const std::vector<std::string>& header, const std::string& text, std::size_t line);
    /// Throws InputError, with the column's name, for what is no number in [low, high].
    std::uint64_t number(std::size_t column, std::uint64_t low, std::uint64_t high) const;
    std::size_t columns() const { return cells_.size(); }
    std::size_t line() const { return line_; }

  private:
    const std::vector<std::string>& header_;
    std::vector<std::string> cells_;
    std::size_t line_;
};

/// Calls `visit` for each row after the first line, which has to be `header` ("from,to"; "from,to[,weight]":
/// with or without the last column); empty lines are no rows. Throws InputError with file and line, for what
/// `visit` throws too; with `problems` what is wrong with a row goes there instead, and the next row follows.
void read_csv(const std::string& path, const std::string& header,
              const std::function<void(const CsvRow&)>& visit, Problems* problems = nullptr);

}  // namespace interlace
