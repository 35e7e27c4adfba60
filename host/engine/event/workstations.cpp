// Interlace: machines that run a program of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "workstations.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/random.h"

namespace interlace {

namespace {

constexpr std::uint64_t not_yet = UINT64_MAX;
constexpr OperationId no_operation{UINT32_MAX};

}  // namespace

using Kind = MessageProgram::Kind;

Workstations::Workstations(const MessageProgram& program, const EventParameters& parameters,
                           FrameFabric& fabric, Timeline& timeline, std::uint64_t seed)
    : program_(program),
      parameters_(parameters),
      fabric_(fabric),
      timeline_(timeline),
      seed_(seed),
      lossy_(parameters.lossy()),
      machines_(program.machines),
      flows_(lossy_ ? std::size_t{program.machines} * program.machines : 0),
      waits_for_(program.operations.size()),
      first_(program.operations.size() + 1),
      after_(program.order.size()),
      times_(program.operations.size(), not_yet),
      receive_of_(program.messages.size()),
      begun_(program.messages.size()),
      arrived_(program.messages.size()) {
    for (const auto& [before, after] : program.order) {
        ++waits_for_[after];
        ++first_[before + 1];
    }
    for (std::size_t o = 1; o < first_.size(); ++o) first_[o] += first_[o - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const auto& [before, after] : program.order) after_[next[before]++] = after;
    for (std::uint32_t o = 0; o < program.operations.size(); ++o) {
        const auto& operation = program.operations[o];
        if (operation.kind == Kind::receive) receive_of_[operation.number] = OperationId{o};
        if (operation.kind == Kind::barrier) ++missing_[operation.number];
    }
}

void Workstations::begin_all() {
    for (std::uint32_t o = 0; o < waits_for_.size(); ++o)
        if (waits_for_[o] == 0) begin(OperationId{o});
}

void Workstations::begin(OperationId o) {
    const auto& operation = program_.operations[o];
    if (operation.kind == Kind::barrier) {
        begin_barrier(o);
    } else if (operation.kind == Kind::receive) {
        begun_[operation.number] = 1;
        if (arrived_[operation.number] != 0) timeline_.at(timeline_.now(), Timeline::Kind::complete, o);
    } else {
        const auto& starts = parameters_.workstation.start;
        std::uint64_t& may_start = machine_of(o).may_start;
        may_start =
            std::max(may_start, timeline_.now()) + starts[starts.size() == 1 ? 0 : +operation.machine];
        timeline_.at(may_start, Timeline::Kind::send_started, o);
    }
}

void Workstations::begin_barrier(OperationId o) {
    const std::uint32_t number = program_.operations[o].number;
    at_barrier_[number].push_back(o);
    if (--missing_[number] > 0) return;
    for (const OperationId passed : at_barrier_[number])
        timeline_.at(timeline_.now() + parameters_.workstation.barrier, Timeline::Kind::complete, passed);
}

void Workstations::send_started(OperationId send) {
    const NodeId machine = program_.operations[send].machine;
    machines_[machine].sends.push_back({send, program_.messages[program_.message_of(send)].bytes});
    wake(machine);
}

/// The machine has a frame to send.
void Workstations::wake(NodeId number) {
    Machine& machine = machines_[number];
    if (machine.waits) return;
    machine.waits = true;
    timeline_.at(
        std::max(machine.may_send, timeline_.now() + parameters_.workstation.send_overhead + stall(number)),
        Timeline::Kind::machine_may_send, number);
}

/// How long the machine is not scheduled before its next frame.
std::uint64_t Workstations::stall(NodeId number) {
    const WorkstationParameters& p = parameters_.workstation;
    if (p.stall_probability == 0) return 0;
    const std::uint64_t draw = random_bits(seed_, number, machines_[number].sent) >> 11U;
    return static_cast<double>(draw) < p.stall_probability * 0x1p53 ? p.stall : 0;
}

/// A frame to be sent again, or else the next one of the messages that take turns.
Frame Workstations::next_frame(NodeId number, OperationId& completes) {
    Machine& machine = machines_[number];
    completes = no_operation;
    if (!machine.again.empty()) {
        Flow& flow = flows_[machine.again.front()];
        const Frame frame = flow.open[flow.open.size() - flow.again];
        if (--flow.again == 0) machine.again.pop_front();
        ++sent_again_;
        return frame;
    }
    ActiveSend send = machine.sends.front();
    machine.sends.pop_front();
    const MessageId number_of = program_.message_of(send.operation);
    const Message& message = program_.messages[number_of];
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(send.left, parameters_.frame.mtu));
    send.left -= bytes;
    Frame frame{number_of, std::max(bytes + parameters_.frame.overhead, parameters_.frame.minimum),
                number,    message.to,
                0,         send.left == 0};
    if (send.left > 0)
        machine.sends.push_back(send);
    else
        completes = send.operation;
    if (lossy_) {
        const std::uint32_t index = number * program_.machines + message.to;
        Flow& flow = flows_[index];
        frame.number = flow.next++;
        flow.open.push_back(frame);
        if (flow.open.size() == 1)
            timeline_.at(timeline_.now() + parameters_.reliability.timeout, Timeline::Kind::timeout, index,
                         flow.first);
    }
    return frame;
}

void Workstations::machine_may_send(NodeId number) {
    const WorkstationParameters& p = parameters_.workstation;
    Machine& machine = machines_[number];
    machine.waits = false;
    if (machine.again.empty() && machine.sends.empty())
        return;  // what was to be sent again has been acknowledged
    OperationId completes;
    const std::uint64_t now = timeline_.now();
    const std::uint64_t link_free = fabric_.send(number, next_frame(number, completes));
    ++frames_;
    ++machine.sent;
    machine.may_send = std::max({link_free, now + p.gap, now + p.send_overhead});
    if (completes != no_operation) timeline_.at(now, Timeline::Kind::complete, completes);
    if (machine.again.empty() && machine.sends.empty()) return;
    machine.waits = true;
    timeline_.at(machine.may_send + stall(number), Timeline::Kind::machine_may_send, number);
}

void Workstations::acknowledged(std::uint32_t index, std::uint32_t up_to) {
    Flow& flow = flows_[index];
    if (up_to <= flow.first) return;
    flow.open.erase(flow.open.begin(), flow.open.begin() + (up_to - flow.first));
    flow.first = up_to;
    if (flow.again > flow.open.size()) {
        flow.again = static_cast<std::uint32_t>(flow.open.size());
        if (flow.again == 0) std::erase(machines_[index / program_.machines].again, index);
    }
    if (!flow.open.empty())
        timeline_.at(timeline_.now() + parameters_.reliability.timeout, Timeline::Kind::timeout, index,
                     flow.first);
}

void Workstations::timeout(std::uint32_t index, std::uint32_t waits_for) {
    Flow& flow = flows_[index];
    if (flow.first != waits_for || flow.open.empty()) return;  // there was an answer since
    const NodeId number{index / program_.machines};
    if (flow.again == 0) machines_[number].again.push_back(index);
    flow.again = static_cast<std::uint32_t>(flow.open.size());
    timeline_.at(timeline_.now() + parameters_.reliability.timeout, Timeline::Kind::timeout, index,
                 flow.first);
    wake(number);
}

/// Whether the frame is the next one of its flow. Says to its sender, later, what the receiver has.
bool Workstations::take_in_order(const Frame& frame) {
    if (!lossy_) return true;
    const std::uint32_t index = frame.from * program_.machines + frame.to;
    Flow& flow = flows_[index];
    const bool in_order = frame.number == flow.expected;
    if (in_order) ++flow.expected;
    timeline_.at(timeline_.now() + parameters_.reliability.acknowledge, Timeline::Kind::acknowledged, index,
                 flow.expected);
    return in_order;
}

void Workstations::frame_at_machine(const Frame& frame) {
    if (!take_in_order(frame)) return;
    std::uint64_t& may_take = machines_[frame.to].may_take;
    may_take = std::max(may_take, timeline_.now()) + parameters_.workstation.receive_overhead;
    if (may_take == timeline_.now())
        frame_taken(MessageId{frame.message}, frame.last);
    else
        timeline_.at(may_take, Timeline::Kind::frame_taken, frame.message, frame.last ? 1 : 0);
}

void Workstations::frame_taken(MessageId message, bool last) {
    if (!last) return;  // frames of a message take one path and stay in order
    arrived_[message] = 1;
    if (begun_[message] != 0) complete(receive_of_[message]);
}

void Workstations::complete(OperationId operation) {
    times_[operation] = timeline_.now();
    for (std::uint32_t i = first_[operation]; i < first_[operation + 1]; ++i)
        if (--waits_for_[after_[i]] == 0) begin(after_[i]);
}

std::string Workstations::waiting() const {
    const auto open = std::find(times_.begin(), times_.end(), not_yet);
    if (open == times_.end()) return {};
    const auto& operation = program_.operations[static_cast<std::size_t>(open - times_.begin())];
    if (operation.kind == Kind::barrier)
        return fmt::format("n{} waits at barrier {}", +operation.machine, operation.number);
    const Message& message = program_.messages[operation.number];
    const bool sends = operation.kind == Kind::send;
    return fmt::format("n{} waits to {} message {} {} n{}", +operation.machine, sends ? "send" : "receive",
                       operation.number, sends ? "to" : "from", sends ? +message.to : +message.from);
}

}  // namespace interlace
