// Interlace: what the operating system refuses
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/system_refusal.h"

#include <cerrno>

namespace interlace {

std::string remedy_of(int error) {
    switch (error) {
        case EMFILE:
            return "a higher limit on open files (ulimit -n)";
        case ENFILE:
            return "fewer open files on this machine";
        case EAGAIN:
            return "a higher limit on processes and threads (ulimit -u), or fewer of them";
        case ENOMEM:
            return "more memory, or less of what needs it";
        case EFBIG:
            return "a higher limit on file sizes (ulimit -f), or a shorter file";
        case ENOSPC:
        case EDQUOT:
            return "a disk with enough room";
        case EIO:
            return "a file and a disk without read or write errors";
        default:
            return "";
    }
}

std::string remedy_of(std::error_code error) {
    const bool by_system =
        error.category() == std::generic_category() || error.category() == std::system_category();
    return by_system ? remedy_of(error.value()) : "";
}

InputError system_refusal(const std::string& problem, int error, const std::string& expected) {
    const std::string remedy = remedy_of(error);
    return {problem + (error == 0 ? "" : ": " + std::generic_category().message(error)),
            remedy.empty() ? expected : remedy};
}

}  // namespace interlace
