// Interlace: hosts that run a program through the node interface
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/programs/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "background.h"
#include "interlace/core/error.h"
#include "interlace/harness/hosts/hosts.h"
#include "interlace/harness/hosts/lanes.h"
#include "interlace/harness/hosts/waits.h"
#include "interlace/harness/traffic/host_foresight.h"

namespace interlace {
namespace {

/// Packets of background traffic that may be in the way of one of the program's.
constexpr std::uint64_t max_packets_ahead = 100;

/// Cycles without movement that mean nothing ever will: what links, hosts and pace may take between two
/// movements comes on top, and what background traffic may be in the way.
std::uint64_t patience_of(const Fabric& fabric, const ProgramRunOptions& options) {
    const std::uint64_t task = longest_task(fabric, options.host, options.packet_flits);
    return options.watchdog + options.pace + fabric.longest_delay + fabric.longest_repetition() +
           options.host.start_skew_cycles + task +
           (options.background ? traffic_watchdog + max_packets_ahead * task : 0);
}

double mean(const std::vector<double>& values) {
    return values.empty()
               ? std::numeric_limits<double>::quiet_NaN()
               : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// A machine, its hosts and what they send, cycle by cycle.
class Runner {
  public:
    Runner(const Fabric& fabric, Machine& machine, const Program& program, const InjectionPlan& plan,
           const ProgramRunOptions& options)
        : f_(fabric),
          machine_(machine),
          program_(program),
          o_(options),
          patience_(patience_of(fabric, options)),
          lanes_(fabric, plan, options.packet_flits, options.pace),
          hosts_(make_hosts(fabric, machine, lanes_, options.host, options.packet_flits, options.seed)) {
        if (o_.background) background_.emplace(f_, *o_.background, lanes_, o_.made);
        if (o_.host.ideal() && o_.pace == 0) machine.foresee([&] { return foresight(plan); });
        std::vector<std::uint32_t> targets;  // [link]: they are numbered from node to node
        for (const FarPort& far : f_.to)
            if (far.node != UINT32_MAX) targets.push_back(far.node);
        for (std::uint32_t lane = 0; lane < program.lane_count(); ++lane)
            for (const PacketId packet : program.sends(lane))
                ++due(NodeId{targets[program.link(lane)]}, packet);
    }

    ProgramRun run() {
        if (background_) warm_up();
        run_.start = cycle_;
        lanes_.begin(cycle_);
        hosts_->begin(cycle_);
        for (std::uint32_t p = 0; o_.made && p < program_.packet_count(); ++p)
            o_.made(cycle_, program_.source(), p);
        while (run_.receptions < program_.send_count()) {
            watch(tick());
            if (o_.progress && cycle_ % 64 == 0) o_.progress(share());
        }
        run_.cycles = hosts_->complete() - run_.start;
        run_.queues = machine_.usage();
        run_.injection_stalls = hosts_->injection_stalls();
        run_.queues.stall_cycles[static_cast<std::size_t>(QueueClass::injection)] =
            std::accumulate(run_.injection_stalls.begin(), run_.injection_stalls.end(), std::uint64_t{0});
        if (background_) measure_background();
        return run_;
    }

  private:
    std::unique_ptr<Foresight> foresight(const InjectionPlan& plan) const {
        if (!o_.background) return std::make_unique<ProgramForesight>(f_, plan, o_.packet_flits);
        return std::make_unique<ProgramForesight>(
            f_, plan, foresee_traffic(f_, *o_.background, o_.background->seed, program_.packet_count()));
    }

    double share() const {
        return static_cast<double>(run_.receptions) / static_cast<double>(program_.send_count());
    }

    /// True where something moved: over background traffic, where a packet of the program arrived.
    bool tick() {
        inputs_.clear();
        if (background_) background_->make(cycle_);
        hosts_->drive(cycle_, inputs_);
        machine_.tick(inputs_, outputs_);
        hosts_->receive(outputs_, cycle_);
        std::uint64_t arrived = outputs_.receptions.size();
        if (background_) arrived -= background_->take(outputs_.receptions, cycle_);
        run_.receptions += arrived;
        for (const Reception& reception : outputs_.receptions)
            if (lanes_.owns(reception.packet)) take(reception);
        ++cycle_;
        return arrived > 0 || (!background_ && inputs_.writes());
    }

    std::uint8_t& due(NodeId node, PacketId packet) {
        return due_[std::size_t{node} * program_.packet_count() + packet];
    }

    /// As often as the program sends a packet to a node it arrives there, and nowhere else.
    void take(const Reception& reception) {
        const std::uint32_t packet = reception.packet.sequence();
        if (packet >= program_.packet_count() || due(NodeId{reception.node}, PacketId{packet}) == 0)
            throw FellShort(
                fmt::format("packet {} has reached node {}, to which it was not sent, or not as often",
                            packet, reception.node));
        --due(NodeId{reception.node}, PacketId{packet});
    }

    void warm_up() {
        WarmUp warmup(o_.background->warmup);
        while (!warmup.over(cycle_, background_->packets().made(), background_->packets().arrivals())) tick();
        if (!warmup.settled())
            throw FellShort(
                fmt::format("the network does not carry background traffic of {} flits/node/cycle: "
                            "what is under way has not settled in {} cycles",
                            o_.background->load, cycle_));
    }

    /// Gives up where nothing moves for too long, and leaves out cycles in which nothing can.
    void watch(bool moved) {
        quiet_ = moved ? 0 : quiet_ + 1;
        if (quiet_ > patience_)
            throw FellShort(fmt::format("nothing {} for {} cycles; {} of {} packets have arrived{}{}",
                                        background_ ? "of the program has arrived" : "has moved", quiet_,
                                        run_.receptions, program_.send_count(), who_waits(f_, machine_),
                                        lanes_.report()));
        if (moved || background_) return;
        const std::uint64_t idle =
            std::min({machine_.idle(), hosts_->busy_from(cycle_) - cycle_, patience_ - quiet_});
        machine_.skip(idle);
        cycle_ += idle;
        quiet_ += idle;
    }

    void measure_background() {
        const std::uint64_t end = run_.start + run_.cycles;
        const auto during = background_->packets().latencies_of_arrivals(run_.start, end);
        BackgroundResult& result = run_.background;
        result.accepted_load = static_cast<double>(during.size() * o_.packet_flits) /
                               (static_cast<double>(run_.cycles) * f_.nodes);
        result.latency_mean = mean(during);
        result.latency_before =
            mean(background_->packets().latencies_of_arrivals(run_.start / 2, run_.start));
    }

    const Fabric& f_;
    Machine& machine_;
    const Program& program_;
    const ProgramRunOptions& o_;
    std::uint64_t patience_;
    Lanes lanes_;
    std::unique_ptr<Hosts> hosts_;
    std::optional<Background> background_;
    std::vector<std::uint8_t> due_ = std::vector<std::uint8_t>(
        std::size_t{f_.nodes} * program_.packet_count());  // [node][packet]: arrivals
    RegionInputs inputs_;
    RegionOutputs outputs_;
    std::uint64_t cycle_ = 0, quiet_ = 0;
    ProgramRun run_;
};

}  // namespace

ProgramRun run_program(const Fabric& fabric, Machine& machine, const Program& program,
                       const InjectionPlan& plan, const ProgramRunOptions& options) {
    return Runner(fabric, machine, program, plan, options).run();
}

}  // namespace interlace
