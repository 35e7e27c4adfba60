// Interlace: another program, run to its end
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace interlace {

/// A folder of its own that goes with all that is in it.
class TemporaryFolder {
  public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();
    /// The path of a file in it.
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

/// Runs a program, found as a shell would, with what it prints in the file `output`; calls `meanwhile` five
/// times a second. Returns its exit code, 128 and the signal's number for a signal. Throws InputError where
/// there is no such program.
int run_process(const std::vector<std::string>& command, const std::string& output,
                const std::function<void()>& meanwhile = {});

}  // namespace interlace
