// Interlace: what an example says of a number that is known beforehand
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdio>

/// Prints the number; 1 if it is another than the one expected.
inline int expect(const char* what, double measured, double expected, double tolerance = 0) {
    const bool right = std::abs(measured - expected) <= tolerance;
    std::printf("%-24s %.10g%s\n", what, measured, right ? "" : "  WRONG");
    if (!right) std::printf("%-24s %.10g +- %g\n", "  expected", expected, tolerance);
    return right ? 0 : 1;
}
