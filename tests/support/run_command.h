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

/// Runs a command that a shell reads. What follows a > in it is not in `out`.
inline Outcome run_in_shell(const std::string& command) {
    const TemporaryFile errors;
    Outcome outcome;
    FILE* pipe = popen((command + " 2>" + errors.path()).c_str(), "r");
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.out.append(buffer.data(), count);
    const int status = pclose(pipe);
    outcome.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    std::ifstream file(errors.path());
    outcome.err.assign(std::istreambuf_iterator<char>(file), {});
    return outcome;
}

/// Runs INTERLACE_COMMAND with `arguments`.
inline Outcome run(const std::string& arguments) {
    return run_in_shell(std::string(INTERLACE_COMMAND) + " " + arguments);
}

}  // namespace interlace
