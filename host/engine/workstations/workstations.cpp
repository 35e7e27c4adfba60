// Interlace: machines that run a program of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/workstations/workstations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interlace/core/error.h"
#include "interlace/core/random.h"

namespace interlace {

namespace {

constexpr std::uint64_t not_yet = UINT64_MAX;
constexpr OperationId no_operation{UINT32_MAX};
constexpr std::uint32_t no_message = UINT32_MAX;
enum Draws : std::uint64_t { draws_of_sent = 1, draws_of_taken = 2 };  // of jitter

/// [message]: the message of an envelope that takes its place there when this one starts: itself, or the one
/// that it announces; or none. Empty where there are no envelopes.
std::vector<std::uint32_t> announced(const MessageProgram& program) {
    const Matching& matching = program.matching;
    if (matching.envelopes.empty()) return {};
    std::vector<std::uint32_t> announces(program.messages.size(), no_message);
    for (std::uint32_t m = 0; m < announces.size(); ++m)
        if (program.envelope_of(MessageId{m})) announces[m] = m;
    for (const auto& [question, message] : matching.announces) {
        announces[message] = no_message;
        announces[question] = message;
    }
    return announces;
}

}  // namespace

using Kind = MessageProgram::Kind;

Workstations::Workstations(const MessageProgram& program, const EventParameters& parameters,
                           FrameCarrier& carrier, EventQueue& events, std::uint64_t seed, MachineRange own)
    : program_(program),
      parameters_(parameters),
      carrier_(carrier),
      events_(events),
      seed_(seed),
      own_(own),
      machines_(program.machines),
      flows_(parameters, events, program.machines),
      after_complete_(program.order, program.operations.size()),
      after_begun_(program.start_order, program.operations.size()),
      after_matched_(program.matching.order, program.messages.size()),
      waits_for_(program.operations.size()),
      times_(program.operations.size(), not_yet),
      begins_(program.operations.size()),
      receive_of_(program.messages.size()),
      begun_(program.messages.size(), not_yet),
      arrived_(program.messages.size(), not_yet),
      ranks_(start_ranks(program)),
      announces_(announced(program)) {
    for (const auto* order : {&program.order, &program.start_order})
        for (const auto& [before, after] : *order) ++waits_for_[after];
    for (const auto& [message, after] : program.matching.order) ++waits_for_[after];
    for (const auto& envelope : program.matching.envelopes)
        if (envelope) envelopes_.resize(std::max<std::size_t>(envelopes_.size(), *envelope + 1));
    for (std::uint32_t o = 0; o < program.operations.size(); ++o) {
        const auto& operation = program.operations[o];
        if (owns(OperationId{o})) ++open_;
        if (operation.kind == Kind::barrier) ++barriers_[operation.number].missing;
    }
    open_barriers_ = barriers_.size();
}

template <class Before>
Workstations::Successors::Successors(const std::vector<std::pair<Before, OperationId>>& order,
                                     std::size_t befores)
    : first(befores + 1), after(order.size()) {
    for (const auto& [before, next] : order) ++first[before + 1];
    for (std::size_t o = 1; o < first.size(); ++o) first[o] += first[o - 1];
    std::vector<std::uint32_t> place(first.begin(), first.end() - 1);
    for (const auto& [before, next] : order) after[place[before]++] = next;
}

void Workstations::begin_all() {
    for (std::uint32_t o = 0; o < waits_for_.size(); ++o)
        if (waits_for_[o] == 0 && owns(OperationId{o})) ready_.emplace_back(o);
    settle();
}

bool Workstations::happen(const EventQueue::Event& event) {
    using Event = EventQueue::Kind;
    switch (event.kind) {
        case Event::sends_begin:
            sends_begin(NodeId{event.subject});
            return true;
        case Event::receives_begin:
            receives_begin(NodeId{event.subject}, true);
            return true;
        case Event::send_started:
            send_started(OperationId{event.subject});
            return true;
        case Event::frame_left:
            frame_left(NodeId{event.subject}, event.time);
            return true;
        case Event::acknowledged:
            acknowledged(event.subject, event.other);
            return true;
        case Event::timeout:
            timeout(event.subject, event.other);
            return true;
        case Event::machine_may_send:
            machine_may_send(NodeId{event.subject});
            return true;
        case Event::frame_taken:
            taken(MessageId{event.subject}, event.other != 0, event.time);
            return true;
        case Event::complete:
            complete(OperationId{event.subject});
            return true;
        default:
            return false;
    }
}

/// An event at `when`, or now where that is past.
void Workstations::schedule(std::uint64_t when, EventQueue::Kind kind, std::uint32_t subject) {
    events_.at(std::max(when, events_.now()), kind, subject);
}

void Workstations::begin(OperationId o, std::uint64_t when) {
    const auto& operation = program_.operations[o];
    release(after_begun_.of(o), when);
    if (operation.kind == Kind::barrier) {
        begin_barrier(o, when);
    } else if (operation.kind == Kind::receive) {
        if (!program_.envelope_of(program_.message_of(o))) {
            match(program_.message_of(o), {when, 0, o});
            return;
        }
        machine_of(o).receiving.insert({when, rank(o), o});
        begin_soon(operation.machine);
    } else if (operation.kind == Kind::compute) {
        const std::uint64_t time = program_.computations[operation.number] + copy_time(o);
        std::uint64_t& may_compute = machine_of(o).may_compute;
        if (time > 0) may_compute = std::max(may_compute, when) + time;
        finish(o, time > 0 ? may_compute : when);
    } else {
        machine_of(o).beginning.push_back({when, rank(o), o});
        begin_soon(operation.machine);
    }
}

/// Of the receive, which got its message.
std::uint64_t Workstations::copy_time(OperationId computation) const {
    const auto found = program_.matching.copies.find(computation);
    if (found == program_.matching.copies.end()) return 0;
    const auto& [receive, most_bytes, picoseconds] = found->second;
    const std::uint64_t bytes = program_.messages[got_.at(receive)].bytes;
    return bytes <= most_bytes ? bytes * picoseconds : 0;
}

void Workstations::begin_soon(NodeId number) {
    if (std::exchange(machines_[number].begins, true)) return;
    events_.at(events_.now(), EventQueue::Kind::sends_begin, number);
}

/// Sends begin in the order of their times, and of their numbers: what is at the machine's port may be known
/// to have left, with sends that follow from that, only later.
void Workstations::sends_begin(NodeId number) {
    Machine& machine = machines_[number];
    machine.begins = false;
    receives_begin(number, false);
    if (machine.at_port) return;
    std::sort(machine.beginning.begin(), machine.beginning.end());
    for (const Beginning& beginning : machine.beginning) start(beginning.operation, beginning.when);
    machine.beginning.clear();
}

/// So do receives that have no message of their own; but they wait for the port no longer than it takes to
/// hear of what has left (`waited`): what follows from them need not wait for it.
void Workstations::receives_begin(NodeId number, bool waited) {
    Machine& machine = machines_[number];
    while (!machine.receiving.empty()) {
        const Beginning first = *machine.receiving.begin();
        const std::uint64_t heard = first.when + carrier_.lateness();
        if (machine.at_port && !(waited && heard <= events_.now())) {
            schedule(heard, EventQueue::Kind::receives_begin, number);
            return;
        }
        machine.receiving.erase(machine.receiving.begin());
        Envelope& envelope = envelopes_[*program_.envelope_of(program_.message_of(first.operation))];
        if (envelope.came.empty()) {
            envelope.begun.push_back(first);
        } else {
            const MessageId message = envelope.came.front();
            envelope.came.pop_front();
            match(message, first);
        }
        settle();
    }
}

/// The first frame of a message is at its machine.
void Workstations::message_came(MessageId first_frame_of) {
    const MessageId message{announces_[first_frame_of]};
    if (message == no_message) return;
    Envelope& envelope = envelopes_[*program_.envelope_of(message)];
    if (envelope.begun.empty()) {
        envelope.came.push_back(message);
        return;
    }
    const Beginning receive = envelope.begun.front();
    envelope.begun.pop_front();
    match(message, receive);
    settle();
}

/// The message belongs to a receive that has begun.
void Workstations::match(MessageId message, const Beginning& receive) {
    const std::uint64_t bytes = program_.messages[message].bytes;
    if (program_.room_of(receive.operation) < bytes)
        throw InputError(fmt::format("a recv of {} bytes matches a send of {}, which is the one that starts "
                                     "in its turn",
                                     program_.room_of(receive.operation), bytes),
                         "at least that many bytes")
            .at(program_.place_of(receive.operation));
    if (!program_.matching.copies.empty()) got_.emplace(receive.operation, message);
    receive_of_[message] = receive.operation;
    begun_[message] = receive.when;
    release(after_matched_.of(message), receive.when);
    if (arrived_[message] != not_yet) finish(receive.operation, std::max(receive.when, arrived_[message]));
}

void Workstations::start(OperationId send, std::uint64_t when) {
    const auto& starts = parameters_.workstation.start;
    std::uint64_t& may_start = machine_of(send).may_start;
    may_start =
        std::max(may_start, when) + starts[starts.size() == 1 ? 0 : +program_.operations[send].machine];
    begins_[send] = may_start;
    if (may_start > events_.now())
        events_.at(may_start, EventQueue::Kind::send_started, send);
    else
        send_started(send);
}

void Workstations::begin_barrier(OperationId o, std::uint64_t when) {
    const auto& operation = program_.operations[o];
    barriers_[operation.number].waiting.push_back(o);
    if (own_.end != UINT32_MAX) arrivals_.push_back({operation.machine, operation.number, when});
    arrive(operation.number, when);
}

/// One of the machines has come, own or not.
void Workstations::arrive(std::uint32_t number, std::uint64_t when) {
    Barrier& barrier = barriers_[number];
    barrier.last_came = std::max(barrier.last_came, when);
    if (--barrier.missing > 0) return;
    --open_barriers_;
    for (const OperationId passed : barrier.waiting)
        finish(passed, barrier.last_came + parameters_.workstation.barrier);
}

void Workstations::others_arrived(std::span<const BarrierArrival> arrivals) {
    for (const BarrierArrival& arrival : arrivals)
        if (!own_.contains(arrival.machine)) arrive(arrival.number, arrival.when);
    settle();
}

/// The operation is complete at `when`; what follows from it is settled then.
void Workstations::finish(OperationId o, std::uint64_t when) {
    times_[o] = when;
    if (when > events_.now())
        events_.at(when, EventQueue::Kind::complete, o);
    else
        finished_.push_back(o);
}

void Workstations::complete(OperationId operation) {
    finished_.push_back(operation);
    settle();
}

/// What follows from the operations that are complete or may begin.
void Workstations::settle() {
    while (!finished_.empty() || !ready_.empty()) {
        if (!finished_.empty()) {
            const OperationId operation = finished_.back();
            finished_.pop_back();
            --open_;
            release(after_complete_.of(operation), times_[operation]);
        } else {
            const OperationId operation = ready_.front();
            ready_.pop_front();
            begin(operation, begins_[operation]);
        }
    }
}

/// Something that these wait for is complete, or has begun.
void Workstations::release(std::span<const OperationId> waiting, std::uint64_t when) {
    for (const OperationId next : waiting) {
        begins_[next] = std::max(begins_[next], when);
        if (--waits_for_[next] == 0) ready_.push_back(next);
    }
}

void Workstations::send_started(OperationId send) {
    const NodeId number = program_.operations[send].machine;
    auto& sends = machines_[number].sends;
    const auto place =
        std::find_if(sends.rbegin(), sends.rend(), [&](const ActiveSend& other) {
            return std::pair(other.since, rank(other.operation)) <= std::pair(begins_[send], rank(send));
        }).base();
    sends.insert(place, {send, program_.messages[program_.message_of(send)].bytes, begins_[send]});
    wake(number);
}

/// The machine may have a frame to send.
void Workstations::wake(NodeId number) {
    Machine& machine = machines_[number];
    if (machine.waits || machine.at_port || !machine.has_frames()) return;
    machine.waits = true;
    const std::uint64_t prepared = std::max(machine.ready(), machine.left) +
                                   parameters_.workstation.send_overhead + stall(number) +
                                   jitter(number, machine.sent, draws_of_sent);
    schedule(std::max(machine.may_send, prepared), EventQueue::Kind::machine_may_send, number);
}

/// How long the machine is not scheduled before its next frame.
std::uint64_t Workstations::stall(NodeId number) {
    const WorkstationParameters& p = parameters_.workstation;
    if (p.stall_probability == 0) return 0;
    const std::uint64_t draw = random_bits(seed_, number, machines_[number].sent) >> 11U;
    return static_cast<double>(draw) < p.stall_probability * 0x1p53 ? p.stall : 0;
}

/// How much longer than it must the `index`-th frame of a kind takes.
std::uint64_t Workstations::jitter(NodeId number, std::uint64_t index, std::uint64_t kind) const {
    const std::uint64_t most = parameters_.workstation.jitter;
    return most == 0 ? 0 : random_up_to(most, random_bits(seed_, kind << 32U | number, index));
}

/// A frame to be sent again, or else the next one of the messages that take turns.
MessageFrame Workstations::next_frame(NodeId number, OperationId& completes) {
    Machine& machine = machines_[number];
    completes = no_operation;
    if (!machine.again.empty()) {
        const Flows::Flow flow = machine.again.front();
        const MessageFrame frame = flows_.take_again(flow);
        if (!flows_.has_again(flow)) machine.again.pop_front();
        return frame;
    }
    if (!announces_.empty()) keep_order(machine);
    ActiveSend send = machine.sends.front();
    machine.sends.pop_front();
    const MessageId number_of = program_.message_of(send.operation);
    const Message& message = program_.messages[number_of];
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(send.left, parameters_.frame.mtu));
    const auto index = static_cast<std::uint32_t>((message.bytes - send.left) / parameters_.frame.mtu);
    send.left -= bytes;
    send.since = events_.now();
    MessageFrame frame{number_of, std::max(bytes + parameters_.frame.overhead, parameters_.frame.minimum),
                       number,    message.to,
                       0,         send.left == 0,
                       index};
    if (send.left > 0)
        machine.sends.push_back(send);
    else
        completes = send.operation;
    if (flows_.used()) flows_.send(flows_.flow(number, message.to), frame);
    return frame;
}

/// Messages of an envelope begin to leave as their sends started, although those that made way for a full
/// window may come back in another order.
void Workstations::keep_order(Machine& machine) const {
    const auto envelope_of = [&](const ActiveSend& send) -> std::optional<std::uint32_t> {
        const MessageId message = program_.message_of(send.operation);
        if (announces_[message] == no_message || send.left < program_.messages[message].bytes) return {};
        return program_.envelope_of(MessageId{announces_[message]});
    };
    const auto started = [&](const ActiveSend& send) {
        return std::pair(begins_[send.operation], rank(send.operation));
    };
    ActiveSend& turn = machine.sends.front();
    const auto envelope = envelope_of(turn);
    if (!envelope) return;
    for (ActiveSend& other : machine.sends)
        if (envelope_of(other) == envelope && started(other) < started(turn)) {
            std::swap(other.operation, turn.operation);
            std::swap(other.left, turn.left);
        }
}

/// Sends whose windows are full make way. Whether anything is left to be sent.
bool Workstations::set_aside(Machine& machine) {
    while (flows_.used() && machine.again.empty() && !machine.sends.empty()) {
        const Message& message = program_.messages[program_.message_of(machine.sends.front().operation)];
        const Flows::Flow flow = flows_.flow(message.from, message.to);
        if (flows_.may_send(flow)) break;
        aside_[flow].push_back(machine.sends.front());
        machine.sends.pop_front();
    }
    return machine.has_frames();
}

void Workstations::machine_may_send(NodeId number) {
    Machine& machine = machines_[number];
    machine.waits = false;
    if (!set_aside(machine)) return;
    const MessageFrame frame = next_frame(number, machine.completes);
    machine.at_port = true;
    machine.bytes_at_port = frame.bytes;
    ++frames_;
    ++machine.sent;
    if (carrier_.send(number, frame)) frame_left(number, events_.now());
}

void Workstations::frame_left(NodeId number, std::uint64_t when) {
    const WorkstationParameters& p = parameters_.workstation;
    Machine& machine = machines_[number];
    machine.left = when;
    machine.may_send = when + std::max(carrier_.time_on_link(number, machine.bytes_at_port), p.gap);
    if (machine.completes != no_operation) {
        finish(machine.completes, when);
        settle();
    }
    machine.at_port = false;
    sends_begin(number);
    wake(number);
}

void Workstations::acknowledged(Flows::Flow flow, std::uint32_t up_to) {
    flows_.acknowledged(flow, up_to);
    resume(flow);
}

void Workstations::timeout(Flows::Flow flow, std::uint32_t waits_for) {
    flows_.timeout(flow, waits_for);
    resume(flow);
}

/// What the flow's sender may send may have changed.
void Workstations::resume(Flows::Flow flow) {
    const NodeId number = flows_.sender(flow);
    Machine& machine = machines_[number];
    const auto listed = std::find(machine.again.begin(), machine.again.end(), flow);
    if (flows_.has_again(flow) && listed == machine.again.end()) {
        if (machine.again.empty()) machine.again_since = events_.now();
        machine.again.push_back(flow);
    } else if (!flows_.has_again(flow) && listed != machine.again.end()) {
        machine.again.erase(listed);
    }
    const auto aside = aside_.find(flow);
    if (aside != aside_.end() && flows_.may_send(flow)) {
        for (ActiveSend& send : aside->second) {
            send.since = events_.now();
            machine.sends.push_back(send);
        }
        aside_.erase(aside);
    }
    wake(number);
}

void Workstations::frame_at_machine(const MessageFrame& frame, std::uint64_t when) {
    if (!flows_.used()) {
        take(frame, when);
        return;
    }
    for (const MessageFrame& next : flows_.receive(frame)) take(next, when);
}

void Workstations::take(const MessageFrame& frame, std::uint64_t when) {
    if (frame.index == 0 && !announces_.empty()) message_came(MessageId{frame.message});
    Machine& machine = machines_[frame.to];
    std::uint64_t& may_take = machine.may_take;
    may_take = std::max(may_take, when) + parameters_.workstation.receive_overhead +
               jitter(frame.to, machine.taken++, draws_of_taken);
    if (may_take <= events_.now())
        taken(MessageId{frame.message}, frame.last, may_take);
    else
        events_.at(may_take, EventQueue::Kind::frame_taken, frame.message, frame.last ? 1 : 0);
}

void Workstations::taken(MessageId message, bool last, std::uint64_t when) {
    if (!last) return;  // frames of a message take one path and stay in order
    arrived_[message] = when;
    if (begun_[message] == not_yet) return;
    finish(receive_of_[message], std::max(when, begun_[message]));
    settle();
}

std::optional<OperationId> Workstations::first_open() const {
    for (std::uint32_t o = 0; o < times_.size(); ++o)
        if (times_[o] == not_yet && owns(OperationId{o})) return OperationId{o};
    return {};
}

std::string Workstations::waiting(OperationId o) const {
    const auto& operation = program_.operations[o];
    const std::string place = program_.place_of(o);
    const std::string where = place.empty() ? place : place + ": ";
    if (operation.kind == Kind::compute)
        return fmt::format("{}n{} waits to compute", where, +operation.machine);
    if (operation.kind == Kind::barrier)
        return fmt::format("n{} waits at barrier {}", +operation.machine, operation.number);
    const Message& message = program_.messages[operation.number];
    const bool sends = operation.kind == Kind::send;
    return fmt::format("{}n{} waits to {} {} {} n{}", where, +operation.machine, sends ? "send" : "receive",
                       place.empty() ? fmt::format("message {}", operation.number) : "a message",
                       sends ? "to" : "from", sends ? +message.to : +message.from);
}

}  // namespace interlace
