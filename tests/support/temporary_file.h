// Interlace: a file that lives as long as a test
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>  // mkstemp
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace interlace {

class TemporaryFile {
  public:
    /// `suffix`: of its name, as ".csv".
    explicit TemporaryFile(const std::string& text = "", const std::string& suffix = "") {
        path_ = (std::filesystem::temp_directory_path() / ("interlace-XXXXXX" + suffix)).string();
        close(mkstemps(path_.data(), static_cast<int>(suffix.size())));
        std::ofstream(path_) << text;
    }
    ~TemporaryFile() { std::remove(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return path_; }
    /// What it holds now.
    std::string text() const {
        std::ifstream in(path_);
        return {std::istreambuf_iterator<char>(in), {}};
    }

  private:
    std::string path_;
};

}  // namespace interlace
