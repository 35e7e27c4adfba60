// Interlace: what BookSim2 was measured to do
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace interlace {

/// The cases that BookSim2 was measured in (16-flit packets, two channels of 16 flits), with its
/// router-cycles per second on one core; `times_booksim` is the ratio to them, taken on another day.
struct BookSim {
    const char* network;
    double load;
    double router_cycles;
};

inline constexpr BookSim booksim_cases[] = {{"torus:8x8x8", 0.1, 0.61e6},
                                            {"torus:8x8x8", 0.3, 0.26e6},
                                            {"torus:16x16x16", 0.1, 0.16e6},
                                            {"torus:64x64", 0.05, 0.18e6}};

}  // namespace interlace
