// Interlace: how work in another process ended
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace interlace {

/// How a task ended: with a text, or with an error.
struct TaskOutcome {
    bool failed = false;
    std::string text;  ///< the result, or what was wrong
    double seconds = 0;
};

}  // namespace interlace
