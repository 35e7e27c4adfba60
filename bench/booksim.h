// Interlace: BookSim2, the peer that cycle engines are measured against
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace interlace {

/// A case that BookSim2 was measured in: uniform traffic on a torus, packets of 16 flits, two channels of 16
/// flits, dimension order.
struct BookSim {
    const char* network;
    int size, dimensions;
    double load;           ///< flits/node/cycle
    double router_cycles;  ///< a second, of one core, on another day and machine
};

inline constexpr BookSim booksim_cases[] = {{"torus:8x8x8", 8, 3, 0.1, 0.61e6},
                                            {"torus:8x8x8", 8, 3, 0.3, 0.26e6},
                                            {"torus:16x16x16", 16, 3, 0.1, 0.16e6},
                                            {"torus:64x64", 64, 2, 0.05, 0.18e6}};

/// What the BookSim2 that the environment variable BOOKSIM names prints for a configuration (its manual's
/// format); empty without it.
std::string booksim_output(const std::string& configuration);

/// The number behind the last `words` in `text`. Throws std::runtime_error where there are none.
double number_after(const std::string& text, const std::string& words);

/// Router-cycles a second of the BookSim2 that the environment variable BOOKSIM names, run here and now; of
/// the other day without it. Throws std::runtime_error if that program does not say how long it took.
double booksim_router_cycles(const BookSim& c);

}  // namespace interlace
