// Interlace: CSV files of whole numbers, and of words
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interlace/core/problems.h"

namespace interlace {

/// Which columns a file has, and where.
class CsvColumns {
  public:
    /// `line`: the file's first one, which has to name the columns of `header` ("from,to";
    /// "from,to[,weight]": with or without the last one), in any order. Throws InputError.
    CsvColumns(const std::string& header, const std::string& line);
    /// In the order of `header`.
    const std::vector<std::string>& names() const { return names_; }
    /// Of the column `names()[column]` in a row.
    std::size_t place(std::size_t column) const { return places_[column]; }

  private:
    std::vector<std::string> names_;
    std::vector<std::size_t> places_;  // [column]
};

class CsvRow {
  public:
    /// Throws InputError unless `text`, the file's `line` (from 1), has as many cells as the header.
    CsvRow(const CsvColumns& columns, const std::string& text, std::size_t line);
    /// Of the `column`-th column that read_csv() asks for, from 0, wherever it stands in the file. Throws
    /// InputError, with the column's name, for what is no number in [low, high].
    std::uint64_t number(std::size_t column, std::uint64_t low, std::uint64_t high) const;
    /// Whether that cell is empty.
    bool empty(std::size_t column) const { return cells_[columns_.place(column)].empty(); }
    /// Likewise; which of `words` it is. Throws InputError for any other.
    std::size_t word(std::size_t column, const std::vector<std::string>& words) const;
    std::size_t columns() const { return cells_.size(); }
    std::size_t line() const { return line_; }

  private:
    const CsvColumns& columns_;
    std::vector<std::string> cells_;
    std::size_t line_;
};

/// Calls `visit` for each row after the first line, which has to be the CsvColumns of `header`. Empty lines
/// are no rows; blanks around cells and a byte order mark at the beginning are ignored. Throws InputError
/// with file and line, for what `visit` throws too; with `problems` what is wrong with a row goes there
/// instead, and the next row follows.
void read_csv(const std::string& path, const std::string& header,
              const std::function<void(const CsvRow&)>& visit, Problems* problems = nullptr);

}  // namespace interlace
