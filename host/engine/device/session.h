// Interlace: what a device and one of its hosts say to one another
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "interlace/engine/device/remote_device.h"

namespace interlace {

/// Time from the arrival of a host to its welcome, on a channel that loses nothing.
inline constexpr std::chrono::seconds max_greeting_time(10);

/// A host from its arrival on, as docs/hil-protocol.md has it.
class Session {
  public:
    Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    virtual ~Session() = default;

    /// Reads what comes within `patience`. True: the host has said what it needs, and proven that it knows
    /// the secret, if there is one; what is left is run(). Throws FellShort for one that is gone, breaks the
    /// protocol, or is not through in time; it has been told why.
    virtual bool is_let_in(std::chrono::milliseconds patience) = 0;
    /// The time for is_let_in() is so much longer: the device was busy.
    virtual void postpone(std::chrono::steady_clock::duration time) = 0;
    /// As serve().
    virtual std::uint64_t run() = 0;
};

/// `make` and `secret` have to outlive it.
std::unique_ptr<Session> open_session(std::unique_ptr<Channel> channel, const MakeDevice& make,
                                      const std::string& secret);

}  // namespace interlace
