// Interlace: frames that arrive although switches drop them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/workstations/flows.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint64_t longest_timeout = 60'000'000'000'000;  // a minute
constexpr std::uint32_t repeats_of_a_loss = 3;
constexpr std::uint32_t max_futile_retransmissions = 1000;  // TCP gives up after 15 (Linux, tcp_retries2)
constexpr std::uint64_t not_timed = UINT64_MAX;

}  // namespace

Flows::Flows(const EventParameters& parameters, EventQueue& events, std::uint32_t machines)
    : parameters_(parameters.reliability),
      reno_(parameters.reliability.window == Window::reno),
      events_(events),
      machines_(machines),
      flows_(parameters.lossy() || reno_ ? std::size_t{machines} * machines : 0) {
    for (State& flow : flows_) {
        flow.window = parameters_.initial_window;
        flow.threshold = UINT32_MAX;
        flow.timeout = parameters_.timeout;
    }
}

bool Flows::may_send(Flow index) const {
    const State& flow = flows_[index];
    return !reno_ || flow.next - flow.first < static_cast<std::uint32_t>(flow.window);
}

bool Flows::has_again(Flow index) const {
    const State& flow = flows_[index];
    if (flow.first_again) return true;
    return flow.next_out < flow.next &&
           (!reno_ || flow.next_out - flow.first < static_cast<std::uint32_t>(flow.window));
}

void Flows::send(Flow index, MessageFrame& frame) {
    State& flow = flows_[index];
    frame.number = flow.next++;
    flow.next_out = flow.next;
    flow.open.push_back(frame);
    if (flow.timed_since == not_timed) {
        flow.timed = frame.number;
        flow.timed_since = events_.now();
    }
    if (flow.open.size() == 1) set_timer(index);
}

MessageFrame Flows::take_again(Flow index) {
    State& flow = flows_[index];
    ++retransmitted_;
    if (flow.first_again || flow.next_out == flow.first) count_in_vain(index);
    if (flow.first_again) {
        flow.first_again = false;
        return flow.open.front();
    }
    return flow.open[flow.next_out++ - flow.first];
}

/// Machines in step lose the same frames in every round: such a run would never end.
void Flows::count_in_vain(Flow index) {
    State& flow = flows_[index];
    if (flow.news != arrivals_) flow.in_vain = 0;
    flow.news = arrivals_;
    if (++flow.in_vain > max_futile_retransmissions)
        throw FellShort(
            fmt::format("n{} has sent frame {} to n{} again {} times, and nothing new has arrived anywhere: "
                        "switches drop "
                        "the same frames each time",
                        +sender(index), flow.first, index % machines_, max_futile_retransmissions));
}

void Flows::set_timer(Flow index) {
    const State& flow = flows_[index];
    events_.at(events_.now() + flow.timeout, EventQueue::Kind::timeout, index, flow.first);
}

void Flows::acknowledged(Flow index, std::uint32_t up_to) {
    State& flow = flows_[index];
    if (up_to <= flow.first) {
        if (reno_ && up_to == flow.first && !flow.open.empty()) repeated(flow);
        return;
    }
    const std::uint32_t acknowledged = up_to - flow.first;
    flow.open.erase(flow.open.begin(), flow.open.begin() + acknowledged);
    flow.first = up_to;
    flow.next_out = std::max(flow.next_out, up_to);
    flow.first_again = false;
    if (reno_) {
        measure(flow, up_to);
        grow(flow, acknowledged);
    }
    if (!flow.open.empty()) set_timer(index);
}

void Flows::timeout(Flow index, std::uint32_t waits_for) {
    State& flow = flows_[index];
    if (flow.first != waits_for || flow.open.empty()) return;  // there was an answer since
    if (reno_) {
        flow.threshold = halved(flow);
        flow.window = 1;
        flow.repeats = 0;
        flow.recovers = flow.first_again = false;
        flow.timed_since = not_timed;
        flow.timeout = std::min(2 * flow.timeout, longest_timeout);
    }
    flow.next_out = flow.first;
    set_timer(index);
}

/// Of the frames on their way, at least two.
double Flows::halved(const State& flow) {
    return std::max(2.0, (flow.next_out - flow.first) / 2.0);
}

/// Slow start up to the threshold, a frame a round trip beyond; in recovery the next hole is filled.
void Flows::grow(State& flow, std::uint32_t acknowledged) {
    flow.repeats = 0;
    if (flow.recovers && flow.first < flow.recover) {
        flow.first_again = !flow.open.empty();
        return;
    }
    if (flow.recovers) {
        flow.recovers = false;
        flow.window = flow.threshold;
        return;
    }
    for (std::uint32_t i = 0; i < acknowledged; ++i)
        flow.window += flow.window < flow.threshold ? 1 : 1 / flow.window;
}

/// Jacobson's estimate, never below the least time-out; frames sent again are not measured (Karn).
void Flows::measure(State& flow, std::uint32_t up_to) {
    if (flow.timed_since == not_timed || up_to <= flow.timed) return;
    const std::uint64_t sample = events_.now() - flow.timed_since;
    flow.timed_since = not_timed;
    if (flow.round_trip == 0) {
        flow.round_trip = sample;
        flow.variation = sample / 2;
    } else {
        const std::uint64_t apart = std::max(sample, flow.round_trip) - std::min(sample, flow.round_trip);
        flow.variation = (3 * flow.variation + apart) / 4;
        flow.round_trip = (7 * flow.round_trip + sample) / 8;
    }
    flow.timeout = std::max(parameters_.timeout, flow.round_trip + 4 * flow.variation);
}

/// The third repeated acknowledgement says that a frame is lost: it is sent again at once.
void Flows::repeated(State& flow) {
    if (flow.recovers || ++flow.repeats != repeats_of_a_loss) return;
    flow.threshold = flow.window = halved(flow);
    flow.recovers = flow.first_again = true;
    flow.recover = flow.next;
    flow.timed_since = not_timed;
}

std::vector<MessageFrame> Flows::receive(const MessageFrame& frame) {
    const Flow index = flow(frame.from, frame.to);
    State& flow = flows_[index];
    std::vector<MessageFrame> taken;
    if (frame.number == flow.expected) {
        taken.push_back(frame);
        ++flow.expected;
        for (auto next = flow.ahead.find(flow.expected); next != flow.ahead.end();
             next = flow.ahead.find(flow.expected)) {
            taken.push_back(next->second);
            flow.ahead.erase(next);
            ++flow.expected;
        }
    } else if (reno_ && frame.number > flow.expected) {
        arrivals_ += flow.ahead.emplace(frame.number, frame).second ? 1 : 0;
    }
    arrivals_ += taken.size();
    events_.at(events_.now() + parameters_.acknowledge, EventQueue::Kind::acknowledged, index, flow.expected);
    return taken;
}

}  // namespace interlace
