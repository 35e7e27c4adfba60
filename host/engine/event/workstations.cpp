// Interlace: machines that run a program of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "workstations.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlace {

namespace {

constexpr std::uint64_t not_yet = UINT64_MAX;

}  // namespace

using Kind = MessageProgram::Kind;

Workstations::Workstations(const MessageProgram& program, const EventParameters& parameters,
                           FrameFabric& fabric, Timeline& timeline)
    : program_(program),
      parameters_(parameters),
      fabric_(fabric),
      timeline_(timeline),
      machines_(program.machines),
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
    const NodeId number = program_.operations[send].machine;
    Machine& machine = machines_[number];
    machine.sends.push_back({send, program_.messages[program_.message_of(send)].bytes});
    if (machine.waits) return;
    machine.waits = true;
    timeline_.at(std::max(machine.may_send, timeline_.now() + parameters_.workstation.send_overhead),
                 Timeline::Kind::machine_may_send, number);
}

void Workstations::machine_may_send(NodeId number) {
    const WorkstationParameters& p = parameters_.workstation;
    Machine& machine = machines_[number];
    ActiveSend send = machine.sends.front();
    machine.sends.pop_front();
    const MessageId message = program_.message_of(send.operation);
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(send.left, parameters_.frame.mtu));
    send.left -= bytes;
    const std::uint64_t now = timeline_.now();
    const std::uint32_t on_wire = std::max(bytes + parameters_.frame.overhead, parameters_.frame.minimum);
    const std::uint64_t link_free =
        fabric_.send(number, {message, on_wire, program_.messages[message].to, send.left == 0});
    ++frames_;
    machine.may_send = std::max({link_free, now + p.gap, now + p.send_overhead});
    if (send.left > 0)
        machine.sends.push_back(send);
    else
        timeline_.at(link_free, Timeline::Kind::complete, send.operation);
    machine.waits = !machine.sends.empty();
    if (machine.waits) timeline_.at(machine.may_send, Timeline::Kind::machine_may_send, number);
}

void Workstations::frame_at_machine(const Frame& frame) {
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
