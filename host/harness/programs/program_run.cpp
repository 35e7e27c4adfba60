// Interlace: hosts that run a program through the node interface
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/programs/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "interlace/core/error.h"
#include "interlace/harness/hosts/hosts.h"
#include "interlace/harness/hosts/machine_checkpoint.h"
#include "interlace/harness/hosts/send_lists.h"
#include "interlace/harness/hosts/waits.h"
#include "interlace/harness/traffic/host_lookahead.h"
#include "interlace/harness/traffic/unicast_traffic.h"

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

/// Which arrivals of its nodes are parts of sums.
std::vector<std::uint8_t> parts_of(const InjectionPlan& plan, std::span<const std::uint8_t> due) {
    if (plan.origins().sums == 0) return {};
    return {due.begin(), due.end()};
}

/// The hosts of a share: what they send of the program, and of unicast traffic under it, whose packets come
/// to the injection queues that the program's send lists come to and take their turn there.
class alignas(64) ProgramHosts final : public PinHosts {
  public:
    /// `due`: [node][packet], of its nodes: arrivals that are to come. Keeps references.
    ProgramHosts(const Fabric& fabric, const Machine& machine, NodeRange nodes, const InjectionPlan& plan,
                 const ProgramRunOptions& options, std::span<std::uint8_t> due,
                 UnicastTraffic::Share* background)
        : lists_(fabric, nodes, plan, options.packet_flits, options.pace, parts_of(plan, due)),
          hosts_(make_hosts(fabric, machine, lists_, options.host, options.packet_flits, options.seed)),
          background_(background),
          due_(due),
          left_(std::accumulate(due.begin(), due.end(), std::uint64_t{0})) {}

    void begin(std::uint64_t cycle) {
        lists_.begin(cycle);
        hosts_->begin(cycle);
        begun_ = true;
    }

    void drive(std::uint64_t cycle, RegionInputs& inputs) override {
        if (background_ != nullptr) background_->make(cycle, lists_);
        hosts_->drive(cycle, inputs);
        if (background_ == nullptr && inputs.writes()) moved_until_ = cycle + 1;
    }
    void receive(const RegionOutputs& outputs, std::uint64_t cycle) override {
        hosts_->receive(outputs, cycle);
        for (const Reception& reception : outputs.receptions)
            if (lists_.owns(reception.packet))
                take(reception, cycle);
            else if (background_ != nullptr)
                background_->take(reception, cycle);
            else
                refuse(reception);
    }
    std::uint64_t busy_from(std::uint64_t cycle) const override {
        const std::uint64_t next = background_ == nullptr ? UINT64_MAX : background_->next_cycle();
        return next <= cycle ? cycle : std::min(next, hosts_->busy_from(cycle));
    }
    bool done() const override { return begun_ && left_ == 0; }

    std::uint64_t left() const { return left_; }  ///< packets of the program that are to arrive
    std::uint64_t complete() const { return hosts_->complete(); }
    /// Cycles up to the last in which something moved: over background traffic, in which a packet of the
    /// program arrived.
    std::uint64_t moved_until() const { return moved_until_; }
    const std::vector<std::uint64_t>& injection_stalls() const { return hosts_->injection_stalls(); }
    SendLists::Report report() const { return lists_.report(); }

    void state(HostsState& state) {
        const NodeRange nodes = lists_.nodes();
        if (begun_) left_ = 0;
        for (std::uint32_t n = 0; begun_ && n < nodes.count; ++n) {
            Archive archive = state.nodes.of(NodeId{nodes.first + n});
            for (std::uint8_t& due :
                 due_.subspan(std::size_t{n} * lists_.packet_count(), lists_.packet_count())) {
                archive(due);
                left_ += due;
            }
        }
        lists_.state(state.nodes);
        hosts_->state(state);
        state.last(moved_until_, state.moved_until);
    }

  private:
    /// As often as the program sends a packet to a node it arrives there, and nowhere else.
    void take(const Reception& reception, std::uint64_t cycle) {
        std::uint8_t& due = due_[std::size_t{reception.node - lists_.nodes().first} * lists_.packet_count() +
                                 reception.packet.sequence()];
        if (due == 0) refuse(reception);
        --due;
        --left_;
        moved_until_ = cycle + 1;
    }
    [[noreturn]] static void refuse(const Reception& reception) {
        throw FellShort(fmt::format(
            "packet {} has reached node {}, which is not a destination, or more often than it was sent",
            reception.packet.sequence(), reception.node));
    }

    SendLists lists_;
    std::unique_ptr<Hosts> hosts_;
    UnicastTraffic::Share* background_;
    std::span<std::uint8_t> due_;
    std::uint64_t left_, moved_until_ = 0;
    bool begun_ = false;
};

/// A machine, its hosts and what they send.
class Runner {
  public:
    Runner(const Fabric& fabric, Machine& machine, const InjectionPlan& plan,
           const ProgramRunOptions& options)
        : f_(fabric), machine_(machine), plan_(plan), o_(options), patience_(patience_of(fabric, options)) {
        const std::vector<NodeRange> shares = machine.shares();
        const std::uint32_t first = machine.own_nodes().first;
        due_ = plan.arrivals(machine.own_nodes());
        if (o_.background) add_background();
        hosts_.resize(shares.size());
        machine.each_share(shares.size(), [&](std::size_t i) {
            const std::size_t packets = plan.packet_count();
            const std::span<std::uint8_t> due(due_.data() + (shares[i].first - first) * packets,
                                              shares[i].count * packets);
            hosts_[i] = std::make_unique<ProgramHosts>(fabric, machine, shares[i], plan, options, due,
                                                       background_ ? &background_->share(i) : nullptr);
        });
        for (const auto& hosts : hosts_) pins_.push_back(hosts.get());
        if (o_.host.ideal() && o_.pace == 0) machine.foresee([&] { return lookahead(); });
    }

    ProgramRun run() {
        if (background_) {
            warm_up();
            save_warm_state(*o_.checkpoint, machine_, state());
        }
        run_.start = active_ = cycle_;
        count_left();
        for (const auto& hosts : hosts_) hosts->begin(cycle_);
        for (std::uint32_t p = 0; o_.made && p < plan_.packet_count(); ++p)
            o_.made(cycle_, plan_.origins()(PacketId{p}), p);
        if (o_.checkpoint->resumes_at()) cycle_ = load(*o_.checkpoint, machine_, state());
        while (left_ > 0) {
            if (end_ <= cycle_) begin_stretch();
            go_to(end_);
            watch();
            if (o_.progress) o_.progress(1 - static_cast<double>(left_) / sends());
        }
        run_.receptions = plan_.send_count();
        run_.queues = machine_.usage();
        std::uint64_t complete = run_.start;
        for (const auto& hosts : hosts_) {
            complete = std::max(complete, hosts->complete());
            run_.injection_stalls.insert(run_.injection_stalls.end(), hosts->injection_stalls().begin(),
                                         hosts->injection_stalls().end());
        }
        run_.cycles = machine_.ranks().reduced(complete, Reduction::most) - run_.start;
        run_.queues.stall_cycles[static_cast<std::size_t>(QueueClass::injection)] = machine_.ranks().reduced(
            std::accumulate(run_.injection_stalls.begin(), run_.injection_stalls.end(), std::uint64_t{0}),
            Reduction::sum);
        if (background_) measure_background();
        return run_;
    }

  private:
    std::unique_ptr<HostLookahead> lookahead() const {
        if (!o_.background) return std::make_unique<ProgramLookahead>(f_, plan_, o_.packet_flits);
        return std::make_unique<ProgramLookahead>(
            f_, plan_, foresee_traffic(f_, *o_.background, o_.background->seed, plan_.packet_count()));
    }

    void add_background() {
        check_traffic(f_, *o_.background);
        background_.emplace(f_, machine_, o_.background->mix, o_.background->seed, o_.made,
                            plan_.packet_count());
        background_->generate(f_, *o_.background);
    }

    double sends() const { return static_cast<double>(plan_.send_count()); }
    void count_left() {
        left_ = 0;
        for (const auto& hosts : hosts_) left_ += hosts->left();
        left_ = machine_.ranks().reduced(left_, Reduction::sum);
    }

    /// After which it is looked at whether anything moves.
    void begin_stretch() {
        end_ = active_ + patience_ + 1;
        // On ranks, of which one may have a terminal, all do the same.
        if (background_ || o_.progress || !machine_.ranks().alone())
            end_ = std::min(end_, cycle_ + UnicastTraffic::block);
    }

    void go_to(std::uint64_t until) {
        if (background_) background_->draw(until);
        while (cycle_ < until) {
            const std::uint64_t saves = o_.checkpoint->next(cycle_), stop = std::min(until, saves);
            cycle_ = machine_.run(stop, pins_);
            if (cycle_ < stop) return;
            if (cycle_ == saves) save(*o_.checkpoint, machine_, state());
        }
    }

    StateAtMachine state() {
        return [this](NodeStates& nodes, std::uint64_t cycle, Archive& whole) {
            whole(active_, left_, end_);
            hosts_state(hosts_, machine_, nodes, cycle, whole);
            if (background_) background_->state(nodes, cycle, whole);
            whole.expect(active_ <= cycle && end_ <= active_ + patience_ + 1);
            whole.expect(!background_ || end_ <= cycle + UnicastTraffic::block);
        };
    }

    void warm_up_to(std::uint64_t until) {
        if (goes_back(*o_.checkpoint, machine_, until, cycle_, state())) return;
        while (cycle_ < until) go_to(std::min(until, cycle_ + UnicastTraffic::block));
    }

    void warm_up() {
        WarmUp warmup(o_.background->warmup);
        const auto counts_now = [&] {
            return o_.checkpoint->reading<TrafficCounts>([&] { return background_->counts(cycle_); });
        };
        for (auto counts = counts_now(); !warmup.over(cycle_, counts.waiting, counts.made, counts.taken);
             counts = counts_now())
            warm_up_to(warmup.next(cycle_));
        if (!warmup.settled())
            throw FellShort(
                fmt::format("the network is saturated by background traffic of {} flits/node/cycle: "
                            "the number of in-flight packets has not settled in {} cycles",
                            o_.background->load, cycle_));
    }

    /// Gives up where nothing moves for too long.
    void watch() {
        count_left();
        for (const auto& hosts : hosts_) active_ = std::max(active_, hosts->moved_until());
        active_ = machine_.ranks().reduced(active_, Reduction::most);
        if (left_ == 0 || cycle_ - active_ <= patience_) return;
        throw FellShort(fmt::format("nothing {} for {} cycles; {} of {} packets have arrived{}{}",
                                    background_ ? "of the program has arrived" : "has moved",
                                    cycle_ - active_, plan_.send_count() - left_, plan_.send_count(),
                                    who_waits(f_, machine_), report().text()));
    }

    /// Of the send lists of all ranks.
    SendLists::Report report() const {
        SendLists::Report own, all;
        for (const auto& hosts : hosts_) own.add(hosts->report());
        ByteWriter bytes;
        own.write(bytes);
        for (const Bytes& told : machine_.ranks().gather(bytes.take())) {
            ByteReader reader(told);
            all.add(SendLists::Report::read(reader));
        }
        return all;
    }

    void measure_background() {
        const std::uint64_t end = run_.start + run_.cycles;
        const auto during = background_->latencies_of_arrivals(run_.start, end);
        BackgroundResult& result = run_.background;
        result.accepted_load = static_cast<double>(during.size() * o_.packet_flits) /
                               (static_cast<double>(run_.cycles) * f_.nodes);
        result.latency_mean = during.mean();
        result.latency_before = background_->latencies_of_arrivals(run_.start / 2, run_.start).mean();
    }

    const Fabric& f_;
    Machine& machine_;
    const InjectionPlan& plan_;
    const ProgramRunOptions& o_;
    std::uint64_t patience_;
    std::vector<std::uint8_t> due_;  // [node][packet], from this rank's first node on: arrivals
    std::optional<UnicastTraffic> background_;
    std::vector<std::unique_ptr<ProgramHosts>> hosts_;  // [share]
    std::vector<PinHosts*> pins_;                       // the same
    std::uint64_t cycle_ = 0;
    std::uint64_t active_ = 0;  // cycles up to the last in which something moved
    std::uint64_t end_ = 0;     // of the stretch that it is in, or was
    std::uint64_t left_ = 0;    // packets of the program that are to arrive
    ProgramRun run_;
};

}  // namespace

void ProgramRun::write(ByteWriter& bytes) const {
    for (const std::uint64_t value : {cycles, start, receptions}) bytes.put(value);
    queues.write(bytes);
    bytes.put(background);
}

ProgramRun ProgramRun::read(ByteReader& bytes) {
    ProgramRun run;
    for (std::uint64_t* value : {&run.cycles, &run.start, &run.receptions}) bytes.get(*value);
    run.queues = Usage::read(bytes);
    bytes.get(run.background);
    return run;
}

ProgramRun run_program(const Fabric& fabric, Machine& machine, const InjectionPlan& plan,
                       const ProgramRunOptions& options) {
    return Runner(fabric, machine, plan, options).run();
}

}  // namespace interlace
