// Interlace: BookSim2, the peer that cycle engines are measured against
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "booksim.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

namespace interlace {
namespace {

/// What the program prints.
std::string output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string text;
    char line[4096];
    while (pipe && std::fgets(line, sizeof line, pipe.get()) != nullptr) text += line;
    return text;
}

/// With the allocators and the switch that make it fastest.
std::string fastest(const BookSim& c) {
    return fmt::format(
        "topology = torus; k = {}; n = {}; routing_function = dim_order;\n"
        "num_vcs = 2; vc_buf_size = 16; packet_size = 16;\n"
        "vc_allocator = separable_input_first; sw_allocator = separable_input_first; hold_switch_for_packet "
        "= 1;\n"
        "traffic = uniform; injection_rate_uses_flits = 1; injection_rate = {};\n"
        "sim_type = throughput; sample_period = 400; warmup_periods = 1; max_samples = 3;\n",
        c.size, c.dimensions, c.load);
}

}  // namespace

std::string booksim_output(const std::string& configuration) {
    const char* booksim = std::getenv("BOOKSIM");
    if (booksim == nullptr) return {};
    const std::string file =
        (std::filesystem::temp_directory_path() / fmt::format("interlace-booksim-{}", getpid())).string();
    std::ofstream(file) << configuration;
    const std::string text = output_of(fmt::format("'{}' {} 2>&1", booksim, file));
    std::remove(file.c_str());
    return text;
}

double number_after(const std::string& text, const std::string& words) {
    const std::size_t at = text.rfind(words);
    if (at == std::string::npos) throw std::runtime_error("BOOKSIM: no '" + words + "' in what it prints");
    return std::strtod(text.c_str() + at + words.size(), nullptr);
}

double booksim_router_cycles(const BookSim& c) {
    const std::string text = booksim_output(fastest(c));
    if (text.empty()) return c.router_cycles;
    return number_after(text, "Time taken is ") * std::pow(c.size, c.dimensions) /
           number_after(text, "Total run time ");
}

}  // namespace interlace
