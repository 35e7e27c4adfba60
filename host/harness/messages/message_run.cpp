// Interlace: a program of messages on the nodes of a cluster, cycle by cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/messages/message_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <memory>

#include "host_delay.h"
#include "interlace/core/error.h"
#include "interlace/engine/workstations/workstations.h"
#include "interlace/harness/hosts/waits.h"

namespace interlace {
namespace {

constexpr std::uint64_t watchdog = 100'000;

/// The frames of a program, one message's after another's: so a packet's sequence says which frame it is.
class FrameNumbers {
  public:
    FrameNumbers(const MessageProgram& program, std::uint32_t mtu) {
        std::uint64_t next = 0;
        for (const Message& message : program.messages) {
            first_.push_back(static_cast<std::uint32_t>(next));
            next += std::max<std::uint64_t>(1, (message.bytes + mtu - 1) / mtu);
            if (next > UINT32_MAX)
                throw InputError("cannot run messages of more than 2^32 frames on a cycle engine",
                                 "fewer or shorter ones, or the engine event");
        }
        first_.push_back(static_cast<std::uint32_t>(next));
    }
    std::uint32_t count() const { return first_.back(); }
    std::uint32_t of(const MessageFrame& frame) const { return first_[frame.message] + frame.index; }
    /// The message of frame `number`, below count().
    std::uint32_t message(std::uint32_t number) const {
        return static_cast<std::uint32_t>(std::upper_bound(first_.begin(), first_.end(), number) -
                                          first_.begin() - 1);
    }
    std::uint32_t index(std::uint32_t number) const { return number - first_[message(number)]; }
    bool is_last(std::uint32_t number) const { return number + 1 == first_[message(number) + 1]; }

  private:
    std::vector<std::uint32_t> first_;  // [message]; and their number
};

/// The hosts of some machines: they write the frames that workstations send, and tell them what pins show.
/// Times are those of links, `host_to_link` cycles ago: so a frame begins to leave when it is written.
class alignas(64) MachineHosts final : public PinHosts, private FrameCarrier {
  public:
    /// Of those machines that are in `range`. Keeps references.
    MachineHosts(const ClusterNodes& nodes, const MessageProgram& program, const FrameNumbers& numbers,
                 const EventParameters& parameters, std::uint64_t seed, NodeRange range)
        : nodes_(nodes),
          program_(program),
          numbers_(numbers),
          first_(range.first),
          writers_(std::min(range.first + range.count, std::max(range.first, program.machines)) -
                   range.first),
          workstations_(program, parameters, *this, events_, seed, {first_, first_ + range.count}) {
        for (Writer& writer : writers_) writer.credits = nodes.node.injection_depth;
    }

    /// What is to happen at the beginning of cycle `end` waits for go_on(end).
    void stop_at(std::uint64_t end) { end_ = end; }
    void go_on(std::uint64_t cycle) {
        while (events_.next_time() <= cycle * nodes_.cycle_ps) workstations_.happen(events_.next());
    }
    void drive(std::uint64_t cycle, RegionInputs& inputs) override {
        go_on(cycle);
        std::erase_if(writing_, [&](NodeId machine) {
            Writer& writer = writer_of(machine);
            if (writer.credits == 0) return false;
            --writer.credits;
            inputs.injections.push_back({machine, 0, 0, {writer.packet, writer.written}});
            return ++writer.written == writer.packet.length();
        });
        if (!inputs.injections.empty()) moved_until_ = cycle + 1;
    }
    void receive(const RegionOutputs& outputs, std::uint64_t cycle) override {
        events_.advance_to(cycle * nodes_.cycle_ps);
        // Tokens say what pins show in the next cycle; a host acts on them in the cycle after that.
        for (const Credit& credit : shown_) take(credit, cycle);
        shown_ = outputs.injection_credits;
        for (const Reception& reception : outputs.receptions)
            workstations_.frame_at_machine(frame_of(reception), time_of(cycle));
        if (!outputs.receptions.empty()) moved_until_ = cycle + 1;
        if (cycle + 1 < end_) go_on(cycle + 1);
    }
    std::uint64_t busy_from(std::uint64_t cycle) const override {
        if (!writing_.empty() || !shown_.empty()) return cycle;
        if (events_.empty()) return UINT64_MAX;
        // They are done, where they are, at the end of the cycle before an event's.
        return std::max(cycle + 1, (events_.next_time() + nodes_.cycle_ps - 1) / nodes_.cycle_ps) - 1;
    }
    bool done() const override { return workstations_.done(); }

    /// Cycles up to the last in which something was written or received.
    std::uint64_t moved_until() const { return moved_until_; }
    bool has_events() const { return !events_.empty(); }
    Workstations& workstations() { return workstations_; }
    const Workstations& workstations() const { return workstations_; }

  private:
    /// A machine's injection queue.
    struct Writer {
        Packet packet;
        std::uint8_t written = 0;  // flits
        std::uint32_t credits = 0;
        std::deque<std::uint32_t> leaving;  // lengths of the packets that are in it
        std::uint32_t freed = 0;            // flits of the first of these
    };

    bool send(NodeId machine, const MessageFrame& frame) override {
        PacketFields fields;
        fields.kind = PacketKind::table;
        fields.length = flits(frame.bytes);
        fields.slot = frame.to;
        fields.source = frame.from;
        fields.sequence = numbers_.of(frame);
        Writer& writer = writer_of(machine);
        writer.packet = make_packet(fields);
        writer.written = 0;
        writer.leaving.push_back(fields.length);
        writing_.push_back(machine);
        return false;
    }
    std::uint64_t time_on_link(NodeId /*machine*/, std::uint32_t bytes) const override {
        return flits(bytes) * nodes_.cycle_ps;
    }

    /// One cycle more than a host's pins: in that cycle events happen before it looks at them.
    std::uint64_t lateness() const override { return host_delay * nodes_.cycle_ps; }

    Writer& writer_of(std::uint32_t machine) { return writers_[machine - first_]; }
    std::uint32_t flits(std::uint32_t bytes) const {
        return (bytes + nodes_.node.flit_bytes - 1) / nodes_.node.flit_bytes;
    }
    std::uint64_t time_of(std::uint64_t cycle) const { return (cycle - host_to_link) * nodes_.cycle_ps; }

    /// The flits of these credits are on the link in `cycle`.
    void take(const Credit& credit, std::uint64_t cycle) {
        Writer& writer = writer_of(credit.node);
        writer.credits += credit.amount;
        for (std::uint32_t i = 0; i < credit.amount; ++i) {
            if (writer.freed == 0) workstations_.frame_left(NodeId{credit.node}, time_of(cycle));
            if (++writer.freed < writer.leaving.front()) continue;
            writer.leaving.pop_front();
            writer.freed = 0;
        }
    }

    MessageFrame frame_of(const Reception& reception) const {
        const std::uint32_t number = reception.packet.sequence();
        const std::uint32_t message = number < numbers_.count() ? numbers_.message(number) : 0;
        if (number >= numbers_.count() || program_.messages[message].to != reception.node)
            throw FellShort(fmt::format("frame {} of n{}, which was not sent there, reached n{}", number,
                                        reception.packet.source(), reception.node));
        return {message,
                reception.packet.length() * nodes_.node.flit_bytes,
                program_.messages[message].from,
                program_.messages[message].to,
                0,
                numbers_.is_last(number),
                numbers_.index(number)};
    }

    const ClusterNodes& nodes_;
    const MessageProgram& program_;
    const FrameNumbers& numbers_;
    std::uint32_t first_;
    std::vector<Writer> writers_;  // from the first machine on
    std::vector<NodeId> writing_;
    std::vector<Credit> shown_;  // on the pins in this cycle
    EventQueue events_;
    Workstations workstations_;
    std::uint64_t moved_until_ = 0, end_ = 0;
};

bool has_barriers(const MessageProgram& program) {
    return std::any_of(program.operations.begin(), program.operations.end(),
                       [](const auto& o) { return o.kind == MessageProgram::Kind::barrier; });
}

void check_operations(const MessageProgram& program, const EventParameters& parameters,
                      std::uint64_t cycle_ps) {
    for (const std::uint64_t time : program.computations)
        if (time > 0 || !program.matching.copies.empty())
            throw InputError("cannot run computations on a cycle engine", "the engine event");
    if (has_barriers(program) && parameters.workstation.barrier < host_delay * cycle_ps)
        throw InputError("cannot use a barrier (event.workstation.barrier_us) on a cycle engine",
                         fmt::format("{} us or more, {} cycles",
                                     static_cast<double>(host_delay * cycle_ps) / 1e6, host_delay));
}

/// A machine and its hosts.
class Runner {
  public:
    Runner(const Fabric& fabric, Machine& machine, const ClusterNodes& nodes, const MessageProgram& program,
           const EventParameters& parameters, std::uint64_t seed)
        : f_(fabric), machine_(machine), nodes_(nodes), numbers_(program, parameters.frame.mtu) {
        const std::vector<NodeRange> shares = machine.shares();
        const bool divided = machine.ranks().reduced(shares.size(), Reduction::sum) > 1;
        check_operations(program, parameters, nodes.cycle_ps);
        tells_ = divided && has_barriers(program);
        barrier_ = parameters.workstation.barrier / nodes.cycle_ps;
        for (const NodeRange& share : shares) {
            hosts_.push_back(
                std::make_unique<MachineHosts>(nodes, program, numbers_, parameters, seed, share));
            pins_.push_back(hosts_.back().get());
        }
    }

    MessageRun run() {
        for (const auto& hosts : hosts_) hosts->workstations().begin_all();
        for (std::uint64_t cycle = 0;;) {
            tell_of_barriers();
            go_on(cycle);
            if (watch(cycle)) break;
            const std::uint64_t end = cycle + stretch(cycle);
            for (const auto& hosts : hosts_) hosts->stop_at(end);
            cycle = machine_.run(end, pins_);
        }
        MessageRun run;
        run.complete = hosts_.front()->workstations().times();
        for (const auto& hosts : hosts_) {
            run.frames += hosts->workstations().frames();
            for (std::size_t o = 0; o < run.complete.size(); ++o)
                run.complete[o] = std::min(run.complete[o], hosts->workstations().times()[o]);
        }
        run.frames = machine_.ranks().reduced(run.frames, Reduction::sum);
        machine_.ranks().reduce(run.complete, Reduction::least);
        for (const std::uint64_t time : run.complete) run.time_ps = std::max(run.time_ps, time);
        run.cycles = run.time_ps / nodes_.cycle_ps;
        run.node = nodes_.node;
        run.queues = machine_.usage();
        return run;
    }

  private:
    /// An error of one rank's hosts is one of all ranks.
    void go_on(std::uint64_t cycle) {
        std::exception_ptr thrown;
        try {
            for (const auto& hosts : hosts_) hosts->go_on(cycle);
        } catch (...) {
            thrown = std::current_exception();
        }
        rethrow_first(machine_.ranks(), cycle, thrown);
    }

    /// Cycles until hosts are looked at. Other shares hear of a barrier before it ends: a host knows when a
    /// frame of its own has left as late as its pins are from the link.
    std::uint64_t stretch(std::uint64_t cycle) const {
        const std::uint64_t patience = active_ + watchdog + 1;
        const std::uint64_t longest = patience > cycle ? patience - cycle : watchdog;
        return tells_ ? std::min(longest, barrier_ - host_to_link) : longest;
    }

    void tell_of_barriers() {
        if (!tells_) return;
        std::vector<BarrierArrival> arrivals;
        for (const auto& hosts : hosts_) {
            const std::vector<BarrierArrival> own = hosts->workstations().take_arrivals();
            arrivals.insert(arrivals.end(), own.begin(), own.end());
        }
        arrivals = machine_.ranks().gather_values(arrivals);
        for (const auto& hosts : hosts_) hosts->workstations().others_arrived(arrivals);
        tells_ = hosts_.front()->workstations().has_open_barriers();
    }

    /// Whether all hosts are done. Gives up where nothing moves for too long and nothing is to come.
    bool watch(std::uint64_t cycle) {
        std::uint64_t open = 0, events = 0;
        for (const auto& hosts : hosts_) {
            active_ = std::max(active_, hosts->moved_until());
            open += hosts->done() ? 0 : 1;
            events += hosts->has_events() ? 1 : 0;
        }
        std::array<std::uint64_t, 3> most = {active_, open, events};
        machine_.ranks().reduce(most, Reduction::most);
        active_ = most[0];
        if (most[1] == 0) return true;
        if (most[2] != 0 || cycle - active_ <= watchdog) return false;
        throw FellShort(fmt::format("nothing has moved for {} cycles: {}{}", cycle - active_, waiting(),
                                    who_waits(f_, machine_)));
    }

    /// Of all machines, what the first operation that is not complete waits for.
    std::string waiting() const {
        std::uint32_t first = UINT32_MAX;
        std::string text;
        for (const auto& hosts : hosts_)
            if (const auto open = hosts->workstations().first_open(); open && *open < first) {
                first = *open;
                text = hosts->workstations().waiting(*open);
            }
        ByteWriter own;
        own.put(first);
        own.put(text);
        for (const Bytes& told : machine_.ranks().gather(own.take())) {
            ByteReader reader(told);
            std::uint32_t other = 0;
            reader.get(other);
            if (other < first) {
                first = other;
                text = reader.get_text();
            }
        }
        return text;
    }

    const Fabric& f_;
    Machine& machine_;
    const ClusterNodes& nodes_;
    FrameNumbers numbers_;
    bool tells_ = false;         // shares have barriers to tell one another of
    std::uint64_t barrier_ = 0;  // cycles that one takes
    std::uint64_t active_ = 0;   // up to the last in which something moved
    std::vector<std::unique_ptr<MachineHosts>> hosts_;
    std::vector<PinHosts*> pins_;
};

}  // namespace

MessageRun run_messages(const Fabric& fabric, Machine& machine, const ClusterNodes& nodes,
                        const MessageProgram& program, const EventParameters& parameters,
                        std::uint64_t seed) {
    return Runner(fabric, machine, nodes, program, parameters, seed).run();
}

}  // namespace interlace
