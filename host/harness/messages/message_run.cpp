// Interlace: a program of messages on the nodes of a cluster, cycle by cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/messages/message_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "host_delay.h"
#include "interlace/core/error.h"
#include "interlace/engine/workstations/workstations.h"
#include "interlace/harness/hosts/waits.h"

namespace interlace {
namespace {

constexpr std::uint64_t watchdog = 100'000;

/// The machines' hosts: they write the frames that workstations send, and tell them what pins show. Times are
/// those of links, `host_to_link` cycles ago: so a frame begins to leave when it is written.
class MachineHosts : public FrameCarrier {
  public:
    MachineHosts(const ClusterNodes& nodes, std::uint32_t machines) : nodes_(nodes), writers_(machines) {
        for (Writer& writer : writers_) writer.credits = nodes.node.injection_depth;
    }

    bool send(NodeId machine, const Frame& frame) override {
        PacketFields fields;
        fields.kind = PacketKind::table;
        fields.length = flits(frame.bytes);
        fields.slot = frame.to;
        fields.source = frame.from;
        fields.sequence = frames_.keep(frame);
        writers_[machine].packet = make_packet(fields);
        writers_[machine].written = 0;
        writers_[machine].leaving.push_back(fields.length);
        writing_.push_back(machine);
        return false;
    }
    std::uint64_t time_on_link(NodeId /*machine*/, std::uint32_t bytes) const override {
        return flits(bytes) * nodes_.cycle_ps;
    }

    bool writes() const { return !writing_.empty() || !shown_.empty(); }
    void drive(RegionInputs& inputs) {
        std::erase_if(writing_, [&](NodeId machine) {
            Writer& writer = writers_[machine];
            if (writer.credits == 0) return false;
            --writer.credits;
            inputs.injections.push_back({machine, 0, 0, {writer.packet, writer.written}});
            return ++writer.written == writer.packet.length();
        });
    }

    /// What came of `cycle`.
    void receive(const RegionOutputs& outputs, std::uint64_t cycle, Workstations& workstations) {
        // Tokens say what pins show in the next cycle; a host acts on them in the cycle after that.
        for (const Credit& credit : shown_) {
            Writer& writer = writers_[credit.node];
            writer.credits += credit.amount;
            for (std::uint32_t i = 0; i < credit.amount; ++i) {
                // The flit of this credit is on the link in this cycle.
                if (writer.freed == 0) workstations.frame_left(NodeId{credit.node}, time_of(cycle));
                if (++writer.freed < writer.leaving.front()) continue;
                writer.leaving.pop_front();
                writer.freed = 0;
            }
        }
        shown_ = outputs.injection_credits;
        for (const Reception& reception : outputs.receptions)
            workstations.frame_at_machine(take(reception), time_of(cycle));
    }

  private:
    /// A machine's injection queue.
    struct Writer {
        Packet packet;
        std::uint8_t written = 0;  // flits
        std::uint32_t credits = 0;
        std::deque<std::uint32_t> leaving;  // lengths of the packets that are in it
        std::uint32_t freed = 0;            // flits of the first of these
    };
    std::uint32_t flits(std::uint32_t bytes) const {
        return (bytes + nodes_.node.flit_bytes - 1) / nodes_.node.flit_bytes;
    }
    std::uint64_t time_of(std::uint64_t cycle) const { return (cycle - host_to_link) * nodes_.cycle_ps; }

    Frame take(const Reception& reception) {
        const Frame frame = frames_.take(reception.packet.sequence());
        if (frame.to != reception.node)
            throw FellShort(
                fmt::format("a frame from n{} to n{} reached n{}", +frame.from, +frame.to, reception.node));
        return frame;
    }

    const ClusterNodes& nodes_;
    std::vector<Writer> writers_;
    std::vector<NodeId> writing_;
    std::vector<Credit> shown_;  // on the pins in this cycle
    FramePool frames_;
};

void check_operations(const MessageProgram& program, const EventParameters& parameters,
                      std::uint64_t cycle_ps) {
    for (const std::uint64_t time : program.computations)
        if (time > 0) throw InputError("cannot run computations on a cycle engine", "the engine event");
    const bool has_barriers =
        std::any_of(program.operations.begin(), program.operations.end(),
                    [](const auto& o) { return o.kind == MessageProgram::Kind::barrier; });
    if (has_barriers && parameters.workstation.barrier < host_delay * cycle_ps)
        throw InputError("cannot use a barrier (event.workstation.barrier_us) on a cycle engine",
                         fmt::format("{} us or more, {} cycles",
                                     static_cast<double>(host_delay * cycle_ps) / 1e6, host_delay));
}

}  // namespace

MessageRun run_messages(const Fabric& fabric, Machine& machine, const ClusterNodes& nodes,
                        const MessageProgram& program, const EventParameters& parameters,
                        std::uint64_t seed) {
    check_operations(program, parameters, nodes.cycle_ps);
    EventQueue events;
    MachineHosts hosts(nodes, program.machines);
    Workstations workstations(program, parameters, hosts, events, seed);
    workstations.begin_all();
    RegionInputs inputs;
    RegionOutputs outputs;
    MessageRun run;
    std::uint64_t quiet = 0;
    for (std::uint64_t cycle = 0;; ++cycle) {
        while (events.next_time() <= cycle * nodes.cycle_ps) workstations.happen(events.next());
        if (workstations.done()) break;
        inputs.clear();
        hosts.drive(inputs);
        machine.tick(inputs, outputs);
        events.advance_to(cycle * nodes.cycle_ps);
        hosts.receive(outputs, cycle, workstations);
        quiet = inputs.injections.empty() && outputs.receptions.empty() ? quiet + 1 : 0;
        if (quiet > watchdog && events.empty())
            throw FellShort(fmt::format("nothing has moved for {} cycles: {}{}", quiet,
                                        workstations.waiting(), who_waits(fabric, machine)));
        if (quiet == 0 || hosts.writes()) continue;
        const std::uint64_t next = std::min(events.next_time() / nodes.cycle_ps, cycle + watchdog);
        if (next <= cycle + 1) continue;
        const std::uint64_t idle = std::min(machine.idle(), next - cycle - 1);
        machine.skip(idle);
        cycle += idle;
        quiet += idle;
    }
    run.complete = workstations.times();
    for (const std::uint64_t time : run.complete) run.time_ps = std::max(run.time_ps, time);
    run.frames = workstations.frames();
    run.cycles = run.time_ps / nodes.cycle_ps;
    run.node = nodes.node;
    run.queues = machine.usage();
    return run;
}

}  // namespace interlace
