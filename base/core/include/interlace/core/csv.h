// Interlace: CSV files of whole numbers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace interlace {

class CsvRow {
  public:
    /// Throws InputError unless `line` has as many cells as the header.
    CsvRow(const std::vector<std::string>& header, const std::string& line);
    /// Throws InputError, with the column's name, for what is no number in [low, high].
    std::uint64_t number(std::size_t column, std::uint64_t low, std::uint64_t high) const;

  private:
    const std::vector<std::string>& header_;
    std::vector<std::string> cells_;
};

/// Calls `visit` for each row after the first line, which has to be `header` ("from,to"); empty lines are no
/// rows. Throws InputError with file and line, for what `visit` throws too.
void read_csv(const std::string& path, const std::string& header,
              const std::function<void(const CsvRow&)>& visit);

}  // namespace interlace
