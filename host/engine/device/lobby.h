// Interlace: hosts that have come and are not let in yet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "session.h"

namespace interlace {

/// Lets hosts say side by side what they need and who they are, so that none of them keeps another waiting.
class Lobby {
  public:
    /// Of more hosts the one that came first has to go.
    static constexpr std::size_t most = 64;

    /// All of these have to outlive it.
    Lobby(Listener& listener, const MakeDevice& make, const std::string& secret)
        : listener_(listener), make_(make), secret_(secret) {}
    /// The next host that is let in. The time until next() is called again is not that of those who wait.
    std::unique_ptr<Session> next();

  private:
    using Clock = std::chrono::steady_clock;
    std::unique_ptr<Session> look_at_hosts();
    void let_come();

    Listener& listener_;
    const MakeDevice& make_;
    const std::string& secret_;
    std::deque<std::unique_ptr<Session>> hosts_;  // in the order in which they came
    Clock::time_point left_ = Clock::now();
};

}  // namespace interlace
