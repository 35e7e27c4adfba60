// Interlace: values of all ranks, in ascending order
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/ranks/sorted_values.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

namespace interlace {

SortedValues::SortedValues(std::vector<std::uint64_t> own, Communicator& ranks)
    : own_(std::move(own)),
      ranks_(ranks),
      size_(ranks.reduced(own_.size(), Reduction::sum)),
      sum_(ranks.reduced(std::accumulate(own_.begin(), own_.end(), std::uint64_t{0}), Reduction::sum)) {
    std::sort(own_.begin(), own_.end());
}

double SortedValues::mean() const {
    return empty() ? std::numeric_limits<double>::quiet_NaN()
                   : static_cast<double>(sum_) / static_cast<double>(size_);
}

std::uint64_t SortedValues::operator[](std::uint64_t i) const {
    assert(i < size_);
    if (ranks_.alone()) return own_[i];
    std::uint64_t low = ranks_.reduced(own_.empty() ? UINT64_MAX : own_.front(), Reduction::least);
    std::uint64_t high = ranks_.reduced(own_.empty() ? 0 : own_.back(), Reduction::most);
    while (low < high) {  // the i-th is none of those below `low`, nor above `high`
        const std::uint64_t middle = low + (high - low) / 2;
        const auto up_to = std::upper_bound(own_.begin(), own_.end(), middle) - own_.begin();
        if (ranks_.reduced(static_cast<std::uint64_t>(up_to), Reduction::sum) > i)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

}  // namespace interlace
