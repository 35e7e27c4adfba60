// Interlace: machines that run a program of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "fabric.h"
#include "interlace/program/messages.h"

namespace interlace {

/// The operations of all machines, begun when their order lets them, and each machine's one port.
class Workstations {
  public:
    Workstations(const MessageProgram& program, const EventParameters& parameters, FrameFabric& fabric,
                 Timeline& timeline, std::uint64_t seed);

    void begin_all();
    void send_started(OperationId send);
    void machine_may_send(NodeId machine);
    void frame_at_machine(const Frame& frame);
    void frame_taken(MessageId message, bool last);
    void complete(OperationId operation);
    /// Of a flow (from one machine to another): what is acknowledged; that nothing was since `waits_for`.
    void acknowledged(std::uint32_t flow, std::uint32_t up_to);
    void timeout(std::uint32_t flow, std::uint32_t waits_for);

    const std::vector<std::uint64_t>& times() const { return times_; }
    std::uint64_t frames() const { return frames_; }
    std::uint64_t sent_again() const { return sent_again_; }
    /// "n3 waits to receive message 7 from n1" of an operation that is not complete, or nothing.
    std::string waiting() const;

  private:
    struct ActiveSend {
        OperationId operation;
        std::uint64_t left;  // bytes
    };
    /// Go-Back-N between two machines.
    struct Flow {
        std::deque<Frame> open;  // sent, not acknowledged; the first has the number `first`
        std::uint32_t first = 0;
        std::uint32_t next = 0;      // number of the next new frame
        std::uint32_t expected = 0;  // by the receiver
        std::uint32_t again = 0;     // frames of `open` that are to be sent again: the last ones
    };
    struct Machine {
        std::deque<std::uint32_t> again;  // flows that have frames to send again
        std::uint64_t sent = 0;           // frames, for the draws of stalls
        std::deque<ActiveSend> sends;     // the next frame is of the first
        std::uint64_t may_start = 0;      // the next message
        std::uint64_t may_send = 0;       // the next frame
        std::uint64_t may_take = 0;       // a frame that came
        bool waits = false;               // for an event machine_may_send
    };

    void begin(OperationId operation);
    void begin_barrier(OperationId operation);
    bool take_in_order(const Frame& frame);
    Frame next_frame(NodeId machine, OperationId& completes);
    void wake(NodeId machine);
    std::uint64_t stall(NodeId machine);
    Machine& machine_of(OperationId operation) { return machines_[program_.operations[operation].machine]; }

    const MessageProgram& program_;
    const EventParameters& parameters_;
    FrameFabric& fabric_;
    Timeline& timeline_;
    std::uint64_t seed_;
    bool lossy_;
    std::vector<Machine> machines_;
    std::vector<Flow> flows_;  // from * machines + to; none where nothing is lost
    // Of operations: those before it that are not complete; those after it, [first[o], first[o + 1]).
    std::vector<std::uint32_t> waits_for_, first_;
    std::vector<OperationId> after_;
    std::vector<std::uint64_t> times_;
    // Of messages: the receiving operation; whether it has begun; whether all of the message is there.
    std::vector<OperationId> receive_of_;
    std::vector<std::uint8_t> begun_, arrived_;
    std::map<std::uint32_t, std::uint32_t> missing_;  // machines that a barrier still waits for
    std::map<std::uint32_t, std::vector<OperationId>> at_barrier_;
    std::uint64_t frames_ = 0, sent_again_ = 0;
};

}  // namespace interlace
