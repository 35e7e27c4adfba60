// Interlace: what is to be done at which time of the kernel
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <systemc>
#include <utility>

namespace interlace {

/// Actions in the order of their times, and at one time in that of being asked for.
class Agenda {
  public:
    using Action = std::function<void()>;

    /// `time` is not past.
    void at(const sc_core::sc_time& time, Action action) {
        actions_.emplace(time, std::move(action));
        event_.notify(time - sc_core::sc_time_stamp());
    }
    /// For a process that waits for event().
    void run() {
        while (!actions_.empty() && actions_.begin()->first <= sc_core::sc_time_stamp())
            actions_.extract(actions_.begin()).mapped()();
        if (!actions_.empty()) event_.notify(actions_.begin()->first - sc_core::sc_time_stamp());
    }
    const sc_core::sc_event& event() const { return event_; }

  private:
    std::multimap<sc_core::sc_time, Action> actions_;
    sc_core::sc_event event_{"agenda"};
};

}  // namespace interlace
