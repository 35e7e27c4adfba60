// Interlace: a pseudo-terminal, as a board's serial line
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

[[noreturn]] inline void fail(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

class Terminal {
  public:
    explicit Terminal(const std::string& link) {
        ours_ = posix_openpt(O_RDWR | O_NOCTTY);
        if (ours_ < 0 || grantpt(ours_) != 0 || unlockpt(ours_) != 0) fail("a pseudo-terminal");
        const char* name = ptsname(ours_);
        // It is held open here, too, so that hosts may come and go.
        const int theirs = open(name, O_RDWR | O_NOCTTY);
        termios raw{};
        if (theirs < 0 || tcgetattr(theirs, &raw) != 0) fail(name);
        cfmakeraw(&raw);
        if (tcsetattr(theirs, TCSANOW, &raw) != 0 || fcntl(ours_, F_SETFL, O_NONBLOCK) != 0) fail(name);
        if (!link.empty()) {
            unlink(link.c_str());
            if (symlink(name, link.c_str()) != 0) fail(link);
        }
        std::puts(link.empty() ? name : link.c_str());
        std::fflush(stdout);
    }

    template <class Take>
    void read_all(bool wait, const Take& take) {
        pollfd look{ours_, POLLIN, 0};
        if (poll(&look, 1, wait ? -1 : 0) <= 0) return;
        std::vector<std::uint8_t> bytes(4096);
        const ssize_t got = read(ours_, bytes.data(), bytes.size());
        for (ssize_t i = 0; i < got; ++i) take(bytes[static_cast<std::size_t>(i)]);
    }
    /// What nobody reads is lost, as on any serial line.
    void write_byte(std::uint8_t byte) {
        if (write(ours_, &byte, 1) < 0 && errno != EAGAIN) fail("the pseudo-terminal");
    }

  private:
    int ours_;
};
