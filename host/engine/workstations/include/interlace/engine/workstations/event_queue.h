// Interlace: the event queue: what happens next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/program/messages.h"

namespace interlace {

/// Events in the order of their times; those of one time and kind in the order in which they were made, so
/// that a run repeats. An event is a kind and two numbers, which its owner knows how to read.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan, "Faster algorithms for the shortest path problem", 1990),
/// for time only goes on: an event lies in the bucket of the highest bit in which its time differs from that
/// of the events that happen now, and moves to lower ones as its time comes nearer. So it is copied once for
/// each of these bits at most, and timers, which are far away and many, cost next to nothing. Events of one
/// time are always in one bucket, and stay in the order in which they were made.
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
        sends_begin,       // machine: its sends, and receives that have no message of their own
        send_started,      // operation
        frame_left,        // machine
        timeout,           // flow, the number that it waits for
        machine_may_send,  // machine
        receives_begin,    // machine: those that waited for its port
        arbitrate,         // link: after everything else, for all to be there
    };
    struct Event {
        std::uint64_t time;
        std::uint32_t subject, other;
        Kind kind;
    };

    std::uint64_t now() const { return now_; }
    /// At `time`, which is not before now(). Throws InputError beyond longest_time.
    void at(std::uint64_t time, Kind kind, std::uint32_t subject, std::uint32_t other = 0) {
        assert(time >= now_);
        if (time > longest_time)
            throw InputError("the run is longer than 2^61 ps, 26 days",
                             "shorter messages, faster links or shorter times");
        insert({time, subject, other, kind});
    }
    /// Time goes on to `time` at least, before which nothing is left to happen.
    void advance_to(std::uint64_t time) { now_ = std::max(now_, time); }
    bool empty() const { return kinds_ == 0 && filled_ == 0; }
    /// Whether another event of this kind happens at now(), as far as any has been made; between next() and
    /// what that event makes.
    bool has_now(Kind kind) const { return (kinds_ >> static_cast<unsigned>(kind) & 1U) != 0; }
    /// UINT64_MAX where no event is left.
    std::uint64_t next_time() const {
        if (kinds_ != 0) return present_time_;
        return filled_ == 0 ? UINT64_MAX : buckets_[lowest(filled_)].first;
    }
    /// There is one.
    Event next() {
        if (kinds_ == 0) open_bucket();
        Present& present = present_[lowest(kinds_)];
        const Event event = present.events[present.taken++];
        if (present.taken == present.events.size()) {
            present.events.clear();
            present.taken = 0;
            kinds_ &= kinds_ - 1;
        }
        now_ = event.time;
        return event;
    }

  private:
    /// Events of the present time and one kind, of which the first have happened.
    struct Present {
        std::vector<Event> events;
        std::size_t taken;
    };
    struct Bucket {
        std::vector<Event> events;
        std::uint64_t first;  // the least time
    };

    static std::size_t lowest(std::uint64_t mask) { return static_cast<std::size_t>(std::countr_zero(mask)); }
    void insert(const Event& event) {
        const std::uint64_t differs = event.time ^ present_time_;
        if (differs == 0) {
            present_[static_cast<std::size_t>(event.kind)].events.push_back(event);
            kinds_ |= std::uint64_t{1} << static_cast<unsigned>(event.kind);
            return;
        }
        const auto bit = static_cast<std::size_t>(std::bit_width(differs)) - 1;
        Bucket& bucket = buckets_[bit];
        bucket.first = bucket.events.empty() ? event.time : std::min(bucket.first, event.time);
        bucket.events.push_back(event);
        filled_ |= std::uint64_t{1} << bit;
    }
    /// The time of the first event becomes the present one. The others of its bucket, which have the bucket's
    /// bit in common with it, go to lower ones.
    void open_bucket() {
        Bucket& bucket = buckets_[lowest(filled_)];
        filled_ &= filled_ - 1;
        present_time_ = bucket.first;
        for (const Event& event : bucket.events) insert(event);
        bucket.events.clear();
    }

    std::uint64_t now_ = 0, present_time_ = 0;
    std::array<Present, static_cast<std::size_t>(Kind::arbitrate) + 1> present_{};  // [kind]
    std::array<Bucket, 64> buckets_{};                                              // [bit]
    std::uint64_t kinds_ = 0, filled_ = 0;  // of present_ and buckets_ those that have events
};

}  // namespace interlace
