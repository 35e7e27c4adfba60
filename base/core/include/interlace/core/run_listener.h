// Interlace: who hears of a long run as it goes on
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace interlace {

/// Empty functions are not called.
struct RunListener {
    std::function<void(const char* stage, double share)> progress = {};  ///< share of the stage's work done
    std::function<void(const std::string& text)> warn = {};  ///< what the user should know before the end
};

}  // namespace interlace
