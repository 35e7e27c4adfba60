// Interlace: what is said to a user whose input is wrong
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace interlace {

/// Where a value stands.
struct Place {
    std::string text = {};  ///< as errors say it: "FILE:LINE: key", a flag, a key
    std::string file = {};  ///< empty: none, or unknown
    std::size_t line = 0;   ///< from 1; 0: none, or unknown
    std::string key = {};   ///< likewise

    operator const std::string&() const { return text; }
};

/// The user's input is wrong: what, where, and what would have been right, in one line. The command line
/// prints what() and ends with exit code 2. Bugs are assertions, never this.
class InputError : public std::runtime_error {
  public:
    /// `problem` is a clause that names the offending value ("cannot use size 2", "there are no links");
    /// `expected` completes the phrase "expected ...".
    InputError(const std::string& problem, const std::string& expected);

    /// The same error, found at `place` (a file, "FILE:LINE", a flag or a key), named in front.
    InputError at(const std::string& place) const;
    InputError at(const Place& place) const;

    /// Of the value that is wrong, as far as it is known: where it was found first (its text is not kept).
    const Place& place() const { return place_; }
    const std::string& expected() const { return expected_; }

  private:
    InputError(const std::string& line, std::string expected, Place place);
    std::string expected_;
    Place place_;
};

/// The input was right, but what was asked for did not come about: a run that is stuck, two engines that
/// disagree. The command line prints what() and ends with exit code 1.
class FellShort : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace interlace
