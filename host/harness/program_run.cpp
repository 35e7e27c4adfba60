// Interlace: hosts that run a program through the node interface
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/program_run.h"

#include <fmt/format.h>

#include <deque>
#include <queue>

#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

struct Lane {
    std::uint32_t node = 0, port = 0;
    std::uint32_t next = 0;        // index into its sends
    std::uint64_t not_before = 0;  // pacing
    bool queued = false;           // at its injection queue, or waiting for its time
};

/// An injection queue as its host sees it: the lanes that wait for it and the packet being written.
struct Writer {
    std::deque<std::uint32_t> lanes;
    Packet packet;
    std::uint32_t credits = 0;
    std::uint8_t next_flit = 0;
    bool listed = false;
};

class Hosts {
  public:
    Hosts(const Network& network, const Fabric& fabric, const Program& program,
          const ProgramRunOptions& options)
        : f_(fabric),
          program_(program),
          options_(options),
          lanes_(program.lane_count()),
          lane_of_port_(std::size_t{fabric.nodes} * fabric.ports, none),
          writers_(std::size_t{fabric.nodes} * fabric.injections),
          held_(std::size_t{fabric.nodes} * program.packet_count(), false) {
        for (Writer& writer : writers_) writer.credits = fabric.parameters.injection_depth;
        for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
            const NodeId node = network.origin(program.link(i));
            lanes_[i].node = node;
            lanes_[i].port = program.link(i) - network.first_link(node);
            lane_of_port_[std::size_t{node} * fabric.ports + lanes_[i].port] = i;
        }
        for (std::uint32_t p = 0; p < program.packet_count(); ++p) hold(program.source(), PacketId{p}, 0);
    }

    /// What the hosts' pins show in cycle `cycle`.
    void drive(std::uint64_t cycle, RegionInputs& inputs) {
        while (!waiting_.empty() && waiting_.top().first <= cycle) {
            enqueue(waiting_.top().second);
            waiting_.pop();
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < active_.size(); ++i) {
            const std::uint32_t w = active_[i];
            write(w, cycle, inputs);
            writers_[w].listed = !writers_[w].lanes.empty();
            if (writers_[w].listed) active_[kept++] = w;
        }
        active_.resize(kept);
    }

    void receive(const RegionOutputs& outputs, std::uint64_t cycle) {
        for (const Reception& reception : outputs.receptions)
            hold(NodeId{reception.node}, PacketId{reception.packet.sequence()}, cycle + 1);
        // Tokens say what pins show in the next cycle; a host acts on them in the cycle after that.
        for (const Credit& credit : shown_)
            writers_[credit.node * f_.injections + credit.port].credits += credit.amount;
        shown_ = outputs.injection_credits;
    }

  private:
    void hold(NodeId node, PacketId packet, std::uint64_t from) {
        const std::size_t index = std::size_t{node} * program_.packet_count() + packet;
        if (held_[index]) return;
        held_[index] = true;
        for (std::uint32_t port = 0; port < f_.ports; ++port)
            if (const std::uint32_t lane = lane_of_port_[std::size_t{node} * f_.ports + port]; lane != none)
                consider(lane, from);
    }

    /// Queues a lane whose next packet is here, when its time has come.
    void consider(std::uint32_t index, std::uint64_t cycle) {
        Lane& lane = lanes_[index];
        const auto sends = program_.sends(index);
        if (lane.queued || lane.next == sends.size() ||
            !held_[std::size_t{lane.node} * program_.packet_count() + sends[lane.next]])
            return;
        lane.queued = true;
        if (lane.not_before > cycle)
            waiting_.emplace(lane.not_before, index);
        else
            enqueue(index);
    }

    void enqueue(std::uint32_t lane) {
        const std::uint32_t queues = std::min(f_.injections, f_.ports);
        const std::uint32_t w = lanes_[lane].node * f_.injections + lanes_[lane].port % queues;
        writers_[w].lanes.push_back(lane);
        if (!writers_[w].listed) active_.push_back(w);
        writers_[w].listed = true;
    }

    void write(std::uint32_t w, std::uint64_t cycle, RegionInputs& inputs) {
        Writer& writer = writers_[w];
        if (writer.credits == 0) return;
        Lane& lane = lanes_[writer.lanes.front()];
        if (writer.next_flit == 0) {
            writer.packet = packet_of(writer.lanes.front());
            lane.not_before = cycle + options_.pace;
        }
        inputs.injections.push_back(
            {lane.node, static_cast<std::uint8_t>(w % f_.injections), 0, {writer.packet, writer.next_flit}});
        --writer.credits;
        if (++writer.next_flit < options_.packet_flits) return;
        writer.next_flit = 0;
        const std::uint32_t index = writer.lanes.front();
        writer.lanes.pop_front();
        ++lane.next;
        lane.queued = false;
        consider(index, cycle + 1);
    }

    Packet packet_of(std::uint32_t index) const {
        PacketFields fields;
        fields.length = options_.packet_flits;
        fields.slot = 1U << lanes_[index].port;
        fields.source = program_.source();
        fields.sequence = program_.sends(index)[lanes_[index].next];
        return make_packet(fields);
    }

    const Fabric& f_;
    const Program& program_;
    ProgramRunOptions options_;
    std::vector<Lane> lanes_;
    std::vector<std::uint32_t> lane_of_port_;                 // [node * ports + port]
    std::vector<Writer> writers_;                             // [node * injections + queue]
    std::vector<bool> held_;                                  // [node * packets + packet]
    std::vector<std::uint32_t> active_;                       // writers with lanes
    std::vector<Credit> shown_;                               // on the pins in this cycle
    using Waiting = std::pair<std::uint64_t, std::uint32_t>;  // cycle, lane
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
};

}  // namespace

ProgramRun run_program(const Network& network, const Fabric& fabric, Machine& machine, const Program& program,
                       const ProgramRunOptions& options) {
    Hosts hosts(network, fabric, program, options);
    ProgramRun run;
    RegionOutputs outputs;
    std::uint64_t quiet = 0;
    for (std::uint64_t cycle = 0; run.receptions < program.send_count(); ++cycle) {
        RegionInputs inputs;
        hosts.drive(cycle, inputs);
        machine.tick(inputs, outputs);
        hosts.receive(outputs, cycle);
        run.receptions += outputs.receptions.size();
        if (!outputs.receptions.empty()) run.cycles = cycle + 1;
        quiet = inputs.injections.empty() && outputs.receptions.empty() ? quiet + 1 : 0;
        if (quiet > options.watchdog + options.pace)
            throw FellShort(fmt::format("nothing has moved for {} cycles; {} of {} packets have arrived",
                                        quiet, run.receptions, program.send_count()));
    }
    return run;
}

}  // namespace interlace
