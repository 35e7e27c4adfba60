// Interlace: the event queue: what happens next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/program/messages.h"

namespace interlace {

/// Events in the order of their times; those of one time and kind in the order in which they were made, so
/// that a run repeats. An event is a kind and two numbers, which its owner knows how to read.
class EventQueue {
  public:
    /// In the order in which events of one time happen: what ends before what begins.
    enum class Kind : std::uint8_t {
        link_free,         // link
        input_free,        // link
        credit,            // link
        paused,            // link, whether
        complete,          // operation
        acknowledged,      // flow, up to which number
        frame_taken,       // message, whether it was the last
        frame_at_machine,  // frame
        frame_at_switch,   // frame, link
        sends_begin,       // machine
        send_started,      // operation
        frame_left,        // machine
        timeout,           // flow, the number that it waits for
        machine_may_send,  // machine
        arbitrate,         // link: after everything else, for all to be there
    };
    struct Event {
        std::uint64_t time;
        Kind kind;
        std::uint64_t order;
        std::uint32_t subject, other;
        bool operator>(const Event& that) const {
            return std::tie(time, kind, order) > std::tie(that.time, that.kind, that.order);
        }
    };

    std::uint64_t now() const { return now_; }
    /// Throws InputError beyond longest_time.
    void at(std::uint64_t time, Kind kind, std::uint32_t subject, std::uint32_t other = 0) {
        if (time > longest_time)
            throw InputError("the run takes more than 2^61 ps, 26 days",
                             "shorter messages, faster links or shorter times");
        events_.push({time, kind, made_++, subject, other});
    }
    /// Time goes on to `time` at least.
    void advance_to(std::uint64_t time) { now_ = std::max(now_, time); }
    bool empty() const { return events_.empty(); }
    std::uint64_t next_time() const { return events_.empty() ? UINT64_MAX : events_.top().time; }
    Event next() {
        const Event event = events_.top();
        events_.pop();
        now_ = event.time;
        return event;
    }

  private:
    std::uint64_t now_ = 0, made_ = 0;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace interlace
