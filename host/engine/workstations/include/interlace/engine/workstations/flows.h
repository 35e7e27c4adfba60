// Interlace: frames that arrive although switches drop them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "interlace/engine/workstations/event_parameters.h"
#include "interlace/engine/workstations/event_queue.h"
#include "interlace/engine/workstations/frame.h"

namespace interlace {

/// What each two machines do about loss (ReliabilityParameters). A flow is all that one machine sends to
/// another.
class Flows {
  public:
    using Flow = std::uint32_t;  ///< from * machines + to

    /// Of a cluster that loses nothing and has no windows: no flows, and nothing of these is called.
    Flows(const EventParameters& parameters, EventQueue& events, std::uint32_t machines);
    bool used() const { return !flows_.empty(); }
    Flow flow(NodeId from, NodeId to) const { return from * machines_ + to; }
    NodeId sender(Flow flow) const { return NodeId{flow / machines_}; }

    /// Of the sender: whether the window lets a new frame go; one that goes, which gets its number; whether
    /// the next of the flow's frames is one to be sent again; that frame.
    bool may_send(Flow flow) const;
    void send(Flow flow, MessageFrame& frame);
    bool has_again(Flow flow) const;
    /// Throws FellShort where one frame is sent again and again and nothing new arrives anywhere meanwhile.
    MessageFrame take_again(Flow flow);

    /// The sender hears that the receiver has all before `up_to`; or that nothing came since `waits_for`.
    void acknowledged(Flow flow, std::uint32_t up_to);
    void timeout(Flow flow, std::uint32_t waits_for);

    /// The receiver gets a frame, and says what it has. Returns the frames that it can now take, in their
    /// order.
    std::vector<MessageFrame> receive(const MessageFrame& frame);

    std::uint64_t retransmitted() const { return retransmitted_; }

  private:
    struct State {
        std::deque<MessageFrame> open;  // sent, not acknowledged: numbers first to next - 1
        std::uint32_t first = 0;
        std::uint32_t next = 0;      // number of the next new frame
        std::uint32_t next_out = 0;  // of the next one to go out; before `next`: to be sent again
        std::uint32_t in_vain = 0;   // times that the first was sent again since `news` was as it is
        std::uint64_t news = 0;      // arrivals_ then
        // The receiver's.
        std::uint32_t expected = 0;
        std::map<std::uint32_t, MessageFrame> ahead;  // beyond the expected one
        // Reno's.
        double window = 0, threshold = 0;  // frames
        std::uint32_t repeats = 0;         // acknowledgements that said the same again
        std::uint32_t recover = 0;         // recovery goes on until this number is acknowledged
        bool recovers = false, first_again = false;
        std::uint64_t round_trip = 0, variation = 0, timeout = 0;  // of round trips
        std::uint32_t timed = 0;                                   // a frame whose round trip is measured
        std::uint64_t timed_since = UINT64_MAX;                    // or none is
    };

    void set_timer(Flow flow);
    void count_in_vain(Flow flow);
    void grow(State& flow, std::uint32_t acknowledged);
    void measure(State& flow, std::uint32_t up_to);
    void repeated(State& flow);
    static double halved(const State& flow);

    ReliabilityParameters parameters_;
    bool reno_;
    EventQueue& events_;
    std::uint32_t machines_;
    std::vector<State> flows_;
    std::uint64_t retransmitted_ = 0;
    std::uint64_t arrivals_ = 0;  // of frames that their receivers did not have
};

}  // namespace interlace
