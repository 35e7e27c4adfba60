// Interlace: machines that run a program of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interlace/engine/workstations/event_parameters.h"
#include "interlace/engine/workstations/event_queue.h"
#include "interlace/engine/workstations/flows.h"
#include "interlace/engine/workstations/frame.h"
#include "interlace/program/messages.h"

namespace interlace {

/// What machines give their frames to.
class FrameCarrier {
  public:
    FrameCarrier() = default;
    FrameCarrier(const FrameCarrier&) = delete;
    FrameCarrier& operator=(const FrameCarrier&) = delete;
    virtual ~FrameCarrier() = default;
    /// Takes the frame at the machine's port, which is free. Returns whether it begins to leave at once; if
    /// not, Workstations::frame_left says so later.
    virtual bool send(NodeId machine, const MessageFrame& frame) = 0;
    /// Picoseconds that a frame of so many bytes keeps the machine's link busy.
    virtual std::uint64_t time_on_link(NodeId machine, std::uint32_t bytes) const = 0;
    /// Picoseconds after which Workstations::frame_left has told, at the latest, that a frame left.
    virtual std::uint64_t lateness() const { return 0; }
};

/// Some of a program's machines, those from `first` to `end` - 1: all, unless it says which.
struct MachineRange {
    std::uint32_t first = 0, end = UINT32_MAX;
    bool contains(NodeId machine) const { return machine >= first && machine < end; }
};

/// That a machine has come to its barrier of a number.
struct BarrierArrival {
    NodeId machine;
    std::uint32_t number = 0;
    std::uint64_t when = 0;  ///< picoseconds
};

/// The operations of some machines, begun when their order lets them, and each machine's one port: a machine
/// chooses its next frame when the one before it has left. Messages of an envelope (Matching) begin to leave
/// in the order in which their sends started, and so their first frames arrive; each belongs to the receive
/// that started as the same one of its envelope. What happened at a time `when` may be told later
/// (a cycle engine's hosts hear late); what follows from it counts from `when`, but does not happen before it
/// is told. Machines know of one another by frames and barriers alone: so others may be elsewhere, with their
/// own Workstations, which tell of barriers.
class Workstations {
  public:
    /// Keeps references. What follows throws InputError where a message belongs to a receive that has no room
    /// for it.
    Workstations(const MessageProgram& program, const EventParameters& parameters, FrameCarrier& carrier,
                 EventQueue& events, std::uint64_t seed, MachineRange own = {});

    void begin_all();
    /// What the carrier says: the machine's frame began to leave; a frame is at its machine.
    void frame_left(NodeId machine, std::uint64_t when);
    void frame_at_machine(const MessageFrame& frame, std::uint64_t when);
    /// Lets an event happen, if it is one of machines; whether it was.
    bool happen(const EventQueue::Event& event);

    /// Of a range that was named: what its machines have come to since this was asked last; and what others
    /// have, whose arrival must not let a barrier end before now().
    std::vector<BarrierArrival> take_arrivals() { return std::exchange(arrivals_, {}); }
    void others_arrived(std::span<const BarrierArrival> arrivals);

    /// At least one machine has not come, as far as that has been told.
    bool has_open_barriers() const { return open_barriers_ != 0; }
    bool done() const { return open_ == 0; }
    /// Of all operations, own or not.
    double share_done() const {
        return 1 - static_cast<double>(open_) / static_cast<double>(std::max<std::size_t>(1, times_.size()));
    }
    /// [operation]: when it was complete; UINT64_MAX: it is not, or is another machine's.
    const std::vector<std::uint64_t>& times() const { return times_; }
    std::uint64_t frames() const { return frames_; }
    std::uint64_t retransmitted() const { return flows_.retransmitted(); }
    /// The first operation of own machines that is not complete, if any; and what it waits for, as in "n3
    /// waits to receive message 7 from n1", or "x.goal:8: n3 waits to receive a message from n1".
    std::optional<OperationId> first_open() const;
    std::string waiting(OperationId operation) const;

  private:
    struct ActiveSend {
        OperationId operation;
        std::uint64_t left;   // bytes
        std::uint64_t since;  // in its place
    };
    /// An operation that may begin: in the order of times, then of the program.
    struct Beginning {
        std::uint64_t when;
        std::uint32_t rank;  // start_ranks()
        OperationId operation;
        auto operator<=>(const Beginning&) const = default;  // NOLINT(modernize-use-nullptr)
    };
    struct Machine {
        std::deque<Flows::Flow> again;  // those that have frames to send again
        std::uint64_t again_since = 0;
        std::uint64_t sent = 0;            // frames, for the draws of stalls and jitter
        std::uint64_t taken = 0;           // likewise
        std::deque<ActiveSend> sends;      // the next frame is of the first; in the order of `since`
        std::vector<Beginning> beginning;  // sends
        std::set<Beginning> receiving;     // receives that have no message of their own
        std::uint64_t may_start = 0;       // the next message
        std::uint64_t may_send = 0;        // the next frame
        std::uint64_t left = 0;            // when the last frame began to
        std::uint64_t may_compute = 0;
        std::uint64_t may_take = 0;  // a frame that came
        bool begins = false;         // sends and receives, by an event
        bool waits = false;          // for an event machine_may_send
        bool at_port = false;        // a frame has not begun to leave, or it has not been told
        std::uint32_t bytes_at_port = 0;
        OperationId completes{};  // with that frame; or none
        bool has_frames() const { return !again.empty() || !sends.empty(); }
        /// Since when it has frames.
        std::uint64_t ready() const { return again.empty() ? sends.front().since : again_since; }
    };
    /// Messages that came, and receives that have begun, which wait for each other.
    struct Envelope {
        std::deque<MessageId> came;
        std::deque<Beginning> begun;
    };
    struct Barrier {
        std::uint32_t missing = 0;  // machines
        std::uint64_t last_came = 0;
        std::vector<OperationId> waiting;
    };

    void begin_soon(NodeId machine);
    void sends_begin(NodeId machine);
    void receives_begin(NodeId machine, bool waited);
    void message_came(MessageId first_frame_of);
    void match(MessageId message, const Beginning& receive);
    void keep_order(Machine& machine) const;
    std::uint64_t copy_time(OperationId computation) const;
    std::uint32_t rank(OperationId o) const { return ranks_.empty() ? +o : ranks_[o]; }
    void send_started(OperationId send);
    void machine_may_send(NodeId machine);
    void complete(OperationId operation);
    void acknowledged(Flows::Flow flow, std::uint32_t up_to);
    void timeout(Flows::Flow flow, std::uint32_t waits_for);
    void begin(OperationId operation, std::uint64_t when);
    void release(std::span<const OperationId> waiting, std::uint64_t when);
    void begin_barrier(OperationId operation, std::uint64_t when);
    void arrive(std::uint32_t barrier, std::uint64_t when);
    bool owns(OperationId operation) const { return own_.contains(program_.operations[operation].machine); }
    void start(OperationId send, std::uint64_t when);
    void finish(OperationId operation, std::uint64_t when);
    void settle();
    void taken(MessageId message, bool last, std::uint64_t when);
    void schedule(std::uint64_t when, EventQueue::Kind kind, std::uint32_t subject);
    void take(const MessageFrame& frame, std::uint64_t when);
    void resume(Flows::Flow flow);
    bool set_aside(Machine& machine);
    MessageFrame next_frame(NodeId machine, OperationId& completes);
    void wake(NodeId machine);
    std::uint64_t stall(NodeId machine);
    std::uint64_t jitter(NodeId machine, std::uint64_t index, std::uint64_t kind) const;
    Machine& machine_of(OperationId operation) { return machines_[program_.operations[operation].machine]; }

    const MessageProgram& program_;
    const EventParameters& parameters_;
    FrameCarrier& carrier_;
    EventQueue& events_;
    std::uint64_t seed_;
    MachineRange own_;
    std::vector<Machine> machines_;  // all, of which own ones are used
    Flows flows_;
    std::map<Flows::Flow, std::vector<ActiveSend>> aside_;  // whose windows are full
    /// Of each operation, those that wait for it: after[first[o]] to after[first[o + 1] - 1].
    struct Successors {
        template <class Before>
        Successors(const std::vector<std::pair<Before, OperationId>>& order, std::size_t befores);
        std::span<const OperationId> of(std::uint32_t o) const {
            return {after.data() + first[o], first[o + 1] - first[o]};
        }
        std::vector<std::uint32_t> first;
        std::vector<OperationId> after;
    };
    Successors after_complete_, after_begun_, after_matched_;
    std::vector<std::uint32_t> waits_for_;  // operations before it that are not complete, or not begun
    // When they were complete; when all before them were, and then, of sends, when they were started.
    std::vector<std::uint64_t> times_, begins_;
    std::vector<OperationId> finished_;  // complete; what follows has not been looked at
    std::deque<OperationId> ready_;      // may begin
    std::uint64_t open_ = 0;             // own operations that are not complete
    // Of messages: the receiving operation, once it is known; when it began; when all of the message was
    // there.
    std::vector<OperationId> receive_of_;
    std::vector<std::uint64_t> begun_, arrived_;
    std::vector<std::uint32_t> ranks_;      // of operations, or their numbers
    std::vector<Envelope> envelopes_;       // of own receivers
    std::vector<std::uint32_t> announces_;  // [message]: the one of an envelope that comes with it, or none
    std::map<OperationId, MessageId> got_;  // receives whose message is copied
    std::map<std::uint32_t, Barrier> barriers_;
    std::size_t open_barriers_ = 0;
    std::vector<BarrierArrival> arrivals_;
    std::uint64_t frames_ = 0;
};

}  // namespace interlace
