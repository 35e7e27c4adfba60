// Interlace: tables of text for a terminal
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace interlace {

/// A table in columns as wide as their widest cell; numbers stand to the right.
class Table {
  public:
    explicit Table(std::vector<std::string> header);
    /// As many cells as the header has.
    void add(std::vector<std::string> row);
    std::string str() const;

  private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace interlace
