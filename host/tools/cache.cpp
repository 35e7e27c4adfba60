// Interlace: where results that other programs took long for are kept
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/tools/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "interlace/core/system_refusal.h"

namespace interlace {

std::string cache_folder(const std::string& name) {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
        return std::string(cache) + "/interlace/" + name;
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return std::string(home) + "/.cache/interlace/" + name;
    return {};
}

FileLock::FileLock(const std::string& path)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_ < 0)
        throw system_refusal("cannot make '" + path + "'", errno, "a folder that can be written to");
    while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
}

FileLock::~FileLock() {
    ::close(file_);
}

}  // namespace interlace
