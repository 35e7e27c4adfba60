// Interlace: the command, run as its users run it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "support/temporary_file.h"

namespace interlace {

struct Outcome {
    int code = -1;  ///< 128 and more: the signal that ended it, as a shell says it
    std::string out, err;
};

/// Runs INTERLACE_COMMAND with `arguments`, which a shell reads. What follows a > in them is not in `out`.
inline Outcome run(const std::string& arguments) {
    const TemporaryFile errors;
    const std::string command = std::string(INTERLACE_COMMAND) + " " + arguments + " 2>" + errors.path();
    Outcome outcome;
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.out.append(buffer.data(), count);
    const int status = pclose(pipe);
    outcome.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    std::ifstream file(errors.path());
    outcome.err.assign(std::istreambuf_iterator<char>(file), {});
    return outcome;
}

}  // namespace interlace
