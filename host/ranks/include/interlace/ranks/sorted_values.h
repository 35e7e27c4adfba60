// Interlace: values of all ranks, in ascending order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/ranks/communicator.h"

namespace interlace {

/// Values of all ranks in ascending order, of which each rank keeps its own alone. Everything is called by
/// all ranks.
class SortedValues {
  public:
    /// `ranks` have to stay.
    SortedValues(std::vector<std::uint64_t> own, Communicator& ranks);

    std::uint64_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::uint64_t sum() const { return sum_; }
    double mean() const;  ///< NaN: there are none
    /// The i-th, below size(): found by asking all ranks how many are below some value, again and again.
    std::uint64_t operator[](std::uint64_t i) const;

  private:
    std::vector<std::uint64_t> own_;
    Communicator& ranks_;
    std::uint64_t size_, sum_;
};

}  // namespace interlace
