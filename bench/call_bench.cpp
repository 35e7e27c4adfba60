// Interlace: a run of an experiment from C++, text to text, for bench/python_bench.py
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: interlace_call_bench FILE.yaml RUNS        prints microseconds, of each run
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "interlace/core/whole_file.h"
#include "interlace/experiment/experiment.h"

int main(int, char** argv) {
    using namespace interlace;
    const std::string text = read_whole_file(argv[1], "a YAML file");
    for (int i = 0; i < std::atoi(argv[2]); ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::string result = read_experiment(ConfigMap::from_text(text, argv[1]))->run().dump();
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
        fmt::print("{:.1f}\n", result.empty() ? 0 : took.count());
    }
}
