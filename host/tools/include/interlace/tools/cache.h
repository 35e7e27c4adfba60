// Interlace: where results that other programs took long for are kept
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace interlace {

/// $XDG_CACHE_HOME/interlace/NAME or ~/.cache/interlace/NAME; empty where there is no home.
std::string cache_folder(const std::string& name);

/// Held by one process at a time, in any thread: a lock on the file `path`, which is made, and stays. Waits
/// for whoever holds it. Throws InputError where the file cannot be made.
class FileLock {
  public:
    explicit FileLock(const std::string& path);
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

  private:
    int file_;
};

}  // namespace interlace
