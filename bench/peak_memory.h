// Interlace: how much memory a benchmark took
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

namespace interlace {

/// The process's peak memory since the last call of reset(), in MiB (Linux: VmHWM).
class PeakMemory {
  public:
    PeakMemory() { std::ofstream("/proc/self/clear_refs") << "5"; }
    static double mebibytes() {
        std::ifstream status("/proc/self/status");
        for (std::string word; status >> word;)
            if (word == "VmHWM:") {
                double kibibytes = 0;
                status >> kibibytes;
                return kibibytes / 1024;
            }
        return 0;
    }
};

}  // namespace interlace
