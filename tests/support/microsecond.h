// Interlace: the unit of tests that are worked out by hand
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace interlace::test {

inline constexpr std::uint64_t us = 1'000'000;  ///< in picoseconds, which event engines count

}  // namespace interlace::test
