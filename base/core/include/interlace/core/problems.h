// Interlace: all that is wrong with a user's file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace interlace {

/// Counts what is wrong with a file, and keeps the first ten.
class Problems {
  public:
    static constexpr std::size_t max_kept = 10;

    /// `line` of the file, from 1; 0 for what has no line (a row that is missing).
    void add(const std::string& what, std::size_t line = 0);

    std::uint64_t count() const { return count_; }
    /// Each with its line in front: "line 3: ...".
    std::vector<std::string> first() const;
    /// Throws InputError where there are any, in one line: a single one as "FILE:3: ...", several as "FILE:
    /// 12 problems: line 3: ... | line 7: ...". `expected` as of InputError, for those that do not say it.
    void refuse(const std::string& path, const std::string& expected) const;

  private:
    struct Problem {
        std::size_t line;
        std::string what;
    };
    std::vector<Problem> kept_;
    std::uint64_t count_ = 0;
};

}  // namespace interlace
