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
                 Timeline& timeline);

    void begin_all();
    void send_started(OperationId send);
    void machine_may_send(NodeId machine);
    void frame_at_machine(const Frame& frame);
    void frame_taken(MessageId message, bool last);
    void complete(OperationId operation);

    const std::vector<std::uint64_t>& times() const { return times_; }
    std::uint64_t frames() const { return frames_; }
    /// "n3 waits to receive message 7 from n1" of an operation that is not complete, or nothing.
    std::string waiting() const;

  private:
    struct ActiveSend {
        OperationId operation;
        std::uint64_t left;  // bytes
    };
    struct Machine {
        std::deque<ActiveSend> sends;  // the next frame is of the first
        std::uint64_t may_start = 0;   // the next message
        std::uint64_t may_send = 0;    // the next frame
        std::uint64_t may_take = 0;    // a frame that came
        bool waits = false;            // for an event machine_may_send
    };

    void begin(OperationId operation);
    void begin_barrier(OperationId operation);
    Machine& machine_of(OperationId operation) { return machines_[program_.operations[operation].machine]; }

    const MessageProgram& program_;
    const EventParameters& parameters_;
    FrameFabric& fabric_;
    Timeline& timeline_;
    std::vector<Machine> machines_;
    // Of operations: those before it that are not complete; those after it, [first[o], first[o + 1]).
    std::vector<std::uint32_t> waits_for_, first_;
    std::vector<OperationId> after_;
    std::vector<std::uint64_t> times_;
    // Of messages: the receiving operation; whether it has begun; whether all of the message is there.
    std::vector<OperationId> receive_of_;
    std::vector<std::uint8_t> begun_, arrived_;
    std::map<std::uint32_t, std::uint32_t> missing_;  // machines that a barrier still waits for
    std::map<std::uint32_t, std::vector<OperationId>> at_barrier_;
    std::uint64_t frames_ = 0;
};

}  // namespace interlace
