// Interlace: native nodes flit by flit (docs/node.md, sections 5 and 14)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "flit_region.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "arbitration.h"
#include "flit_links.h"
#include "flit_nodes.h"
#include "flit_pins.h"
#include "flit_state.h"
#include "interlace/engine/region/counted_region.h"
#include "interlace/engine/region/link_lines.h"
#include "routed.h"

namespace interlace::native {
namespace {

class FlitRegion final : public CountedRegion, public RegionCheckpoint, private FlitNodes {
  public:
    FlitRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables)
        : CountedRegion(fabric, nodes),
          FlitNodes(fabric, nodes.size()),
          tables_(tables),
          links_(fabric, global_, local_, layered_, pipelined_),
          stages_(fabric.parameters.stages()) {
        for (std::uint32_t source = 0; source < link_sources_; ++source)
            if (fabric.in_slots(links_.channel(source).vc)) escapes_ |= std::uint64_t{1} << source;
    }

    void supervise(Supervision /*level*/) override { supervised_ = true; }

    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        for (const Ready& change : inputs.ready)
            receptions_.set_ready(local_[change.node] * f_.receptions + change.queue, change.ready);
        clear_shown();
        links_.advance();
        if (pipelined_) advance_stages();
        take_receptions(outputs);
        run_sinks(outputs);
        if (pipelined_) leave_stages(outputs);
        // What was on the pins in this cycle counts from the next on.
        for (const LinkFlit& flit : links_.flits())
            enter(flit.node, std::uint32_t{flit.port} * vcs_ + flit.vc, flit.flit);
        for (const FlitLinks::Body& body : links_.bodies()) enter_body(body);
        for (const LinkFlit& flit : inputs.flits)
            enter(local_[flit.node], std::uint32_t{flit.port} * vcs_ + flit.vc, flit.flit);
        for (const RawLinkFlit& flit : inputs.raw_flits)
            enter(local_[flit.node], std::uint32_t{flit.port} * vcs_ + flit.vc, flit.flit);
        for (const LinkFlit& flit : inputs.injections)
            enter(local_[flit.node], link_sources_ + flit.port, flit.flit);
        for (const FlitLinks::Credits& credits : links_.credits())
            if (pipelined_) {
                const Credit credit = links_.credit(credits);
                credit_back(credit.node, credit.port, credit.vc, credit.amount);
            } else if ((credits_[credits.channel] += credits.amount) > f_.parameters.vc_depth) {
                fail(links_.credit(credits).node, credit_error);
            }
        for (const Credit& credit : inputs.credits)
            credit_back(local_[credit.node], credit.port, credit.vc, credit.amount);
        for (const std::uint32_t queue : popped_)
            credit_back(queue / f_.receptions, ports_ + queue % f_.receptions, 0, 1);
        ++cycle_;
    }

    bool runs_alone() const override { return true; }
    std::uint64_t idle() const override {
        if (!active_.empty() || !receptions_.empty()) return 0;
        if (!pipelined_) return links_.idle();
        return std::min(
            {links_.idle(), entering_.idle(), leaving_.idle(), returned_.idle(), freed_in_flight_.idle()});
    }
    void skip(std::uint64_t cycles) override {
        if (cycles != 0) clear_shown();
        links_.skip(cycles);
        if (pipelined_ && cycles != 0) {
            entering_.skip(cycles);
            leaving_.skip(cycles);
            returned_.skip(cycles);
            freed_in_flight_.skip(cycles);
        }
        cycle_ += cycles;
    }

    RegionCheckpoint* checkpoint() override { return this; }
    void state(RegionState& state) override {
        counted_state(state);
        std::vector<Archive> archives;
        const std::vector<NodeId> nodes = global_.list();
        archives.reserve(nodes.size());
        for (const NodeId node : nodes) archives.push_back(state.nodes.of(node));
        nodes_state(nodes, archives);
        if (state.nodes.loads() && occupancy_ && !counts_are_of_queues()) throw BrokenBytes();
    }
    void give_links(LinkLines& links) const override {
        const auto give = [&](std::uint32_t delay, auto item) {
            item.node = +global_[item.node];
            links.push(delay, item);
        };
        each_coming_flit(give);
        links_.each_coming_credit(give);
    }
    void take_links(const LinkLines& links) override {
        const auto take = [&](std::uint32_t delay, auto item) {
            item.node = local_[item.node];
            links_.push(delay, item);
        };
        links.flits.each_coming(take);
        links.credits.each_coming(take);
    }

    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const override {
        return receptions_.flits(std::size_t{local_[node]} * f_.receptions + queue);
    }
    std::uint64_t stalled(NodeId node) const override {
        const auto found =
            std::lower_bound(stalled_.begin(), stalled_.end(), local_[node],
                             [](const Stalled& stalled, std::uint32_t of) { return stalled.node < of; });
        return found != stalled_.end() && found->node == local_[node] ? found->sinks : 0;
    }
    Pins pins(NodeId node) const override;

  private:
    /// What the last cycle has shown is seen.
    void clear_shown() {
        sent_.clear();
        freed_.clear();
        stalled_.clear();
    }

    /// visit(delay, flit) for all flits on links of the region.
    template <class Visit>
    void each_coming_flit(const Visit& visit) const {
        const auto next = [&](std::uint32_t source) {
            const Source& queue = source_[source];
            return queue.head == none ? Flit{} : Flit{entries_[tail(queue)].packet, queue.tail_arrived};
        };
        links_.each_coming_flit(next, visit);
    }

    /// Of a state that was loaded.
    bool counts_are_of_queues() const {
        for (std::size_t s = 0; s < source_.size(); ++s)
            if (occupancy_->of_source(s) != shown(s)) return false;
        for (std::size_t q = 0; q < global_.size() * f_.receptions; ++q)
            if (occupancy_->of_reception(q) != receptions_.flits(q)) return false;
        return true;
    }

    void advance_stages() {
        entering_.advance();
        leaving_.advance();
        returned_.advance();
        freed_in_flight_.advance();
    }

    /// Between pins and core of pipelined nodes: what comes out in this cycle.
    void leave_stages(RegionOutputs& outputs) {
        for (const Leaving& leaving : leaving_.due()) show(leaving, outputs);
        for (const Freed& freed : freed_in_flight_.due()) show(freed, outputs);
        for (const Entering& entering : entering_.due())
            std::visit([&](const auto& flit) { push(entering.node, entering.source, flit); }, entering.flit);
        for (const Returned& returned : returned_.due())
            give(returned.node, returned.sink, returned.vc, returned.amount);
    }

    /// Reception queues give their oldest flit to a ready host.
    void take_receptions(RegionOutputs& outputs) {
        popped_.clear();
        receptions_.take([&](std::uint32_t index, const Flit& flit) {
            popped_.push_back(index);
            if (occupancy_) occupancy_->reception(index, receptions_.flits(index) - 1, cycle_);
            if (flit.tail())
                outputs.receptions.push_back({global_[index / f_.receptions],
                                              static_cast<std::uint8_t>(index % f_.receptions), flit.packet});
        });
    }

    void run_sinks(RegionOutputs& outputs) {
        active_.run([&](std::uint32_t node) {
            running_ = node;
            ended_.clear();
            if (pipelined_)
                start_and_request(node, outputs);
            else if (runs_worms_ && asking(node) == 0)
                run_worms(node, outputs);
            else
                request_and_grant(node, outputs);
            if (chosen_) turn_[node] = static_cast<std::uint8_t>((turn_[node] + 1U) % ports_);
            chosen_ = false;
            return busy_[node] != 0 || asking(node) != 0;
        });
        running_ = none;
        for (const Freed& freed : freed_) free(freed, outputs);
    }

    /// The sinks of a node that is not pipelined whose packets are worms and not adaptive.
    void run_worms(std::uint32_t node, RegionOutputs& outputs) {
        const std::size_t first = sink_index(node, 0);
        const Source* sources = &source_[source_index(node, 0)];
        std::uint64_t done = 0;
        for (std::uint64_t left = busy_[node]; left != 0; left &= left - 1) {
            const auto k = static_cast<std::uint32_t>(std::countr_zero(left));
            FlitSink& sink = sink_[first + k];
            if (is_taken(first + k, cycle_)) continue;
            if (sink.want == 0 && is_single(sink.held)) {
                // One worm goes on, as most do.
                const auto vc = static_cast<std::uint32_t>(std::countr_zero(sink.held));
                const std::size_t channel = (first + k) * vcs_ + vc;
                Branch& branch = branch_[channel];
                if (sources[branch.source].head_arrived <= branch.sent) continue;
                if (credits_[channel] == 0) {
                    stall(node, k);
                    continue;
                }
                sink.arbiter.won_alone(by_level_, branch.source);
                --credits_[channel];
                if (k < ports_ && branch.sent != 0 && branch.single && !watches_links_)
                    go_on(node, k, vc, branch, outputs);
                else
                    move(node, k, vc, outputs);
            } else {
                run_flits(node, k, sink, outputs);
            }
            if (sink.want == 0 && sink.held == 0) done |= std::uint64_t{1} << k;
        }
        busy_[node] &= ~done;
        for (const std::uint32_t source : ended_) next_packet(node, source);
    }

    /// As move() of a worm's flit behind its head that goes to one link.
    [[gnu::always_inline]] void go_on(std::uint32_t node, std::uint32_t k, std::uint32_t vc, Branch& branch,
                                      RegionOutputs& outputs) {
        const FlitLinks::Wire wire = links_.output(node, k);
        if (!wire.within()) return move(node, k, vc, outputs);
        take_link(sink_index(node, k));
        links_.push_body(wire, vc);
        const bool tail = ++branch.sent == branch.length;
        freed_.push_back(
            {node, branch.source, tail ? last_credits(branch.length, branch.source) : std::uint8_t{1}});
        if (tail) end(node, k, vc, branch);
    }

    void request_and_grant(std::uint32_t node, RegionOutputs& outputs) {
        each_bit(asking(node), [&](std::uint32_t source) { ask(node, source); });
        each_bit(busy_[node], [&](std::uint32_t k) {
            run_sink(node, k, outputs);
            const FlitSink& sink = sink_[sink_index(node, k)];
            if (sink.want == 0 && sink.held == 0) busy_[node] &= ~(std::uint64_t{1} << k);
        });
        each_bit(asking(node), [&](std::uint32_t source) {
            withdraw(node, source);
            settle(node, source);
        });
        for (const std::uint32_t source : ended_) next_packet(node, source);
    }

    /// Section 14: sinks start what was requested two cycles ago; then sources request what they ask for in
    /// this one, by what was so when it began, but for branches that have started.
    void start_and_request(std::uint32_t node, RegionOutputs& outputs) {
        if (asking(node) != 0) open_ = open_ports(node);
        started_ = 0;
        closing_ = 0;
        going_ = 0;
        each_bit(busy_[node], [&](std::uint32_t k) { run_sink(node, k, outputs); });
        if (going_ != 0) gone_[node] = {cycle_, going_};
        each_bit(asking(node), [&](std::uint32_t source) { settle(node, source); });
        each_bit(asking(node), [&](std::uint32_t source) { ask_again(node, source); });
        // What is behind a packet that will have left in the next cycle asks, unless that started in this
        // one.
        early_ = {};
        std::uint64_t sinks = busy_[node];
        each_bit(closing_ & ~started_, [&](std::uint32_t source) { sinks |= ask_early(node, source); });
        each_bit(sinks, [&](std::uint32_t k) { request(node, k); });
        each_bit(asking(node), [&](std::uint32_t source) { choose(node, source); });
        for (const Payment& payment : payments_) credits_[payment.channel] -= payment.credits;
        payments_.clear();
        for (const std::uint32_t source : ended_) next_packet(node, source);
    }

    /// The packet behind a head packet that has closed; the sinks that it asks for.
    std::uint32_t ask_early(std::uint32_t node, std::uint32_t source) {
        const Entry& entry = entries_[head(node, source)];
        if (entry.started != entry.route || (entry.finished | entry.closing) != entry.route) return 0;
        if (entry.next == none || entries_[entry.next].adaptive) return 0;
        const Entry& behind = entries_[entry.next];
        std::uint32_t sinks = behind.route;
        if (f_.parameters.switching == Switching::store_and_forward && source < link_sources_)
            sinks &= ~f_.link_sinks();
        each_bit(sinks, [&](std::uint32_t k) { early_[k] |= std::uint64_t{1} << source; });
        return sinks;
    }

    void request(std::uint32_t node, std::uint32_t k) {
        const FlitSink& sink = sink_[sink_index(node, k)];
        Requests& requests = requests_[sink_index(node, k)];
        const std::uint64_t asks = sink.want | early_[k];
        const Request& last = requests.of[(cycle_ + 1) % 2];
        Request& request = requests.of[cycle_ % 2];
        request = {cycle_, 0, 0, asks != 0};
        each_bit(asks, [&](std::uint32_t source) {
            const Entry& first = entries_[head(node, source)];
            const Entry& entry = (early_[k] >> source & 1U) != 0 ? entries_[first.next] : first;
            if (!has_room(node, k, entry)) return;
            request.sources |= std::uint64_t{1} << source;
            if (entry.packet.high()) request.high |= std::uint64_t{1} << source;
            if (f_.by_level())
                levels_[source_index(node, source)][cycle_ % 2] =
                    static_cast<std::uint8_t>(level_of(node, source, entry));
        });
        const bool asked = request.asked || (last.asked && last.cycle + 1 == cycle_);
        if (sink.want == 0 && sink.held == 0 && !asked) busy_[node] &= ~(std::uint64_t{1} << k);
    }

    /// Of sink k; by one of its channels that the packet may use.
    bool has_room(std::uint32_t node, std::uint32_t k, const Entry& entry) const {
        const std::uint32_t* credits = &credits_[sink_index(node, k) * vcs_];
        if (k >= ports_) return credits[0] >= entry.room;
        for (std::uint32_t vc = 0; vc < vcs_; ++vc)
            if ((entry.channels >> vc & 1U) != 0 && credits[vc] >= entry.room) return true;
        return false;
    }

    /// Starts one of those that requested sink k two cycles ago.
    void run_requests(std::uint32_t node, std::uint32_t k, FlitSink& sink, RegionOutputs& outputs) {
        const Requests& requests = requests_[sink_index(node, k)];
        const Request& due = requests.of[cycle_ % 2];
        if (due.cycle + 2 != cycle_ || !due.asked || requests.rests_in == cycle_) return;
        if (due.sources == 0 || !start_nominee(node, k, sink, due, outputs)) stall(node, k);
    }

    bool start_nominee(std::uint32_t node, std::uint32_t k, FlitSink& sink, const Request& due,
                       RegionOutputs& outputs) {
        Arbiter arbiter = sink.arbiter;
        const std::uint32_t winner = arbiter.choose(
            f_, due.sources, 0, [&](std::uint32_t s) { return (due.high >> s & 1U) != 0; },
            [&](std::uint32_t s) { return levels_[source_index(node, s)][cycle_ % 2]; });
        const Gone& gone = gone_[node];
        if (gone.cycle + 1 == cycle_ && (gone.sources >> winner & 1U) != 0) return false;
        if (!still_asks(node, k, winner)) return false;
        Entry& entry = entries_[head(node, winner)];
        if (entry.adaptive) take(entry, k, (entry.chosen >> 2 & 1U) != 0);
        if (free_channel(node, k, entry) == none) return false;
        sink.arbiter = arbiter;
        if (entry.adaptive) {
            going_ |= std::uint64_t{1} << winner;
            chosen_ = chosen_ || (entry.chosen >> 2 & 1U) != 0;
        }
        start(node, k, winner, outputs);
        return true;
    }

    /// The head packet of a source that requested sink k, which nobody else can have meant.
    bool still_asks(std::uint32_t node, std::uint32_t k, std::uint32_t source) const {
        if (head(node, source) == none) return false;
        const Entry& entry = entries_[head(node, source)];
        return entry.adaptive ? entry.started == 0 : ((entry.route & ~entry.started) >> k & 1U) != 0;
    }

    /// An adaptive packet asks for what it took in the last cycle.
    void ask_again(std::uint32_t node, std::uint32_t source) {
        Entry& entry = entries_[head(node, source)];
        if (entry.taken == no_choice) return;
        take(entry, entry.taken, (entry.chosen & 1U) != 0);
        want(node, entry.taken, source);
    }

    /// ... and asks for no longer, but takes another, or the same.
    void choose(std::uint32_t node, std::uint32_t source) {
        Entry& entry = entries_[head(node, source)];
        if (entry.taken != no_choice)
            sink_[sink_index(node, entry.taken)].want &= ~(std::uint64_t{1} << source);
        const auto [sink, chosen] = choice(node, entry);
        entry.taken = static_cast<std::uint8_t>(sink);
        entry.chosen = static_cast<std::uint8_t>(entry.chosen << 1U | (chosen ? 1U : 0U));
    }

    void run_sink(std::uint32_t node, std::uint32_t k, RegionOutputs& outputs) {
        FlitSink& sink = sink_[sink_index(node, k)];
        if (is_taken(sink_index(node, k), cycle_)) return;
        if (pipelined_ && sink.held == 0)
            run_requests(node, k, sink, outputs);
        else if (f_.parameters.switching == Switching::wormhole)
            run_flits(node, k, sink, outputs);
        else
            run_packets(node, k, sink, outputs);
    }

    void run_packets(std::uint32_t node, std::uint32_t k, FlitSink& sink, RegionOutputs& outputs) {
        if (sink.held != 0) {
            const auto vc = static_cast<std::uint32_t>(std::countr_zero(sink.held));
            if (has_come(node, branch_[sink_index(node, k) * vcs_ + vc])) move(node, k, vc, outputs);
            return;
        }
        const std::uint32_t winner = arbitrate(node, sink, fitting(node, k, sink.want));
        if (winner != none)
            start(node, k, winner, outputs);
        else
            stall(node, k);
    }

    void run_flits(std::uint32_t node, std::uint32_t k, FlitSink& sink, RegionOutputs& outputs) {
        const Branch* branches = &branch_[sink_index(node, k) * vcs_];
        std::uint32_t* credits = &credits_[sink_index(node, k) * vcs_];
        std::uint64_t own = 0;
        bool waiting = sink.want != 0;
        std::array<std::uint8_t, 64> channel;
        for (std::uint32_t held = sink.held; held != 0; held &= held - 1) {
            const auto vc = static_cast<std::uint32_t>(std::countr_zero(held));
            const Branch& branch = branches[vc];
            if (!has_come(node, branch)) continue;
            waiting = true;
            if (credits[vc] == 0) continue;
            own |= std::uint64_t{1} << branch.source;
            channel[branch.source] = static_cast<std::uint8_t>(vc);
        }
        const std::uint32_t winner = arbitrate(node, sink, own | fitting(node, k, sink.want), own);
        if (winner == none) {
            if (waiting) stall(node, k);
        } else if ((own >> winner & 1U) == 0) {
            start(node, k, winner, outputs);
        } else {
            --credits[channel[winner]];
            move(node, k, channel[winner], outputs);
        }
    }

    /// Whether the next flit of a branch has.
    bool has_come(std::uint32_t node, const Branch& branch) const {
        return source_[source_index(node, branch.source)].head_arrived > branch.sent;
    }

    /// Something waits for sink k and finds no room.
    void stall(std::uint32_t node, std::uint32_t k) {
        ++use_.stall_cycles[static_cast<std::size_t>(k < ports_ ? QueueClass::channel
                                                                : QueueClass::reception)];
        if (occupancy_) occupancy_->stall(sink_index(node, k));
        if (stalled_.empty() || stalled_.back().node != node) stalled_.push_back({node, 0});
        stalled_.back().sinks |= 1U << k;
    }

    /// An adaptive head packet asks for one sink.
    void ask(std::uint32_t node, std::uint32_t source) {
        Entry& entry = entries_[head(node, source)];
        const auto [sink, chosen] = choice(node, entry);
        take(entry, sink, chosen);
        want(node, sink, source);
    }

    struct Choice {
        std::uint32_t sink;
        bool chosen;  // else the escape
    };

    /// The first of an adaptive packet's choices, from the node's turn on, that is free and has room for a
    /// packet of any size in a dynamic channel, or else its escape.
    Choice choice(std::uint32_t node, const Entry& entry) const {
        const std::uint32_t turn = turn_[node];
        Choice best{entry.escape, false};
        std::uint32_t most = 0;  // credits of the port, as a level
        for (std::uint32_t i = 0; i < ports_; ++i) {
            const std::uint32_t port = turn + i < ports_ ? turn + i : turn + i - ports_;
            if ((entry.choices >> port & 1U) == 0 || !is_open(node, port)) continue;
            const std::uint32_t free = !f_.by_credits() ? 0
                                       : pipelined_     ? open_.levels[port]
                                                        : most_credits(node, port);
            if (best.chosen && free <= most) continue;
            most = free;
            best = {port, true};
            if (!f_.by_credits()) break;
        }
        return best;
    }

    void take(Entry& entry, std::uint32_t sink, bool chosen) const {
        const std::uint32_t slot = f_.parameters.packet_flits;
        entry.channels = chosen ? static_cast<std::uint8_t>(f_.dynamic_channels()) : entry.escape_channels;
        entry.cost = chosen ? entry.length : static_cast<std::uint8_t>(slot);
        entry.room = chosen ? room_of(entry) : static_cast<std::uint8_t>(entry.enters ? 2 * slot : slot);
        entry.route = 1U << sink;
    }

    void want(std::uint32_t node, std::uint32_t k, std::uint32_t source) {
        busy_[node] |= std::uint64_t{1} << k;
        sink_[sink_index(node, k)].want |= std::uint64_t{1} << source;
    }

    bool is_open(std::uint32_t node, std::uint32_t port) const {
        return pipelined_ ? (open_.ports >> port & 1U) != 0 : has_slot(node, port);
    }

    Open open_ports(std::uint32_t node) const {
        Open open;
        for (std::uint32_t port = 0; port < ports_; ++port) {
            if (!has_slot(node, port)) continue;
            open.ports |= 1U << port;
            if (f_.by_credits()) open.levels[port] = static_cast<std::uint8_t>(most_credits(node, port));
        }
        return open;
    }

    /// Link sink `port` is free, and a dynamic channel has room for a packet of any size.
    bool has_slot(std::uint32_t node, std::uint32_t port) const {
        const std::size_t index = sink_index(node, port);
        if (sink_[index].held != 0 || is_taken(index, cycle_)) return false;
        for (std::uint32_t vc = 0; vc < vcs_; ++vc)
            if ((f_.dynamic_channels() >> vc & 1U) != 0 &&
                credits_[index * vcs_ + vc] >= f_.parameters.packet_flits)
                return true;
        return false;
    }

    /// The level of the dynamic channel with the most credits.
    std::uint32_t most_credits(std::uint32_t node, std::uint32_t port) const {
        const std::uint32_t* credits = &credits_[sink_index(node, port) * vcs_];
        std::uint32_t most = 0;
        for (std::uint32_t vc = 0; vc < vcs_; ++vc)
            if ((f_.dynamic_channels() >> vc & 1U) != 0)
                most = std::max(most, level(credits[vc], f_.parameters.vc_depth));
        return most;
    }

    /// Takes back what an adaptive packet asked for in this cycle, whether it got it or not.
    void withdraw(std::uint32_t node, std::uint32_t source) {
        const auto k = static_cast<std::uint32_t>(std::countr_zero(entries_[head(node, source)].route));
        FlitSink& sink = sink_[sink_index(node, k)];
        sink.want &= ~(std::uint64_t{1} << source);
        if (sink.want == 0 && sink.held == 0) busy_[node] &= ~(std::uint64_t{1} << k);
    }

    /// An adaptive packet that has started asks for nothing more.
    void settle(std::uint32_t node, std::uint32_t source) {
        const Entry& entry = entries_[head(node, source)];
        if (entry.started == 0) return;
        asking_[node] &= ~(std::uint64_t{1} << source);
        if (!pipelined_ && entry.channels != entry.escape_channels) chosen_ = true;
    }

    /// Of sources those whose packet has room in one of its channels of sink k.
    std::uint64_t fitting(std::uint32_t node, std::uint32_t k, std::uint64_t sources) const {
        std::uint64_t fit = 0;
        if (sources == 0 || !has_any_room(node, k)) return fit;
        each_bit(sources, [&](std::uint32_t source) {
            if (free_channel(node, k, entries_[head(node, source)]) != none)
                fit |= std::uint64_t{1} << source;
        });
        return fit;
    }

    /// For any packet, in a free channel of sink k.
    bool has_any_room(std::uint32_t node, std::uint32_t k) const {
        const std::size_t index = sink_index(node, k);
        std::uint32_t left = (k < ports_ ? f_.all_channels() : 1U) & ~std::uint32_t{sink_[index].held};
        for (; left != 0; left &= left - 1)
            if (credits_[index * vcs_ + static_cast<std::uint32_t>(std::countr_zero(left))] != 0) return true;
        return false;
    }

    /// The lowest free channel of sink k that the packet may use and that has room for it; by credits, of
    /// those with the highest level.
    std::uint32_t free_channel(std::uint32_t node, std::uint32_t k, const Entry& entry) const {
        const std::size_t index = sink_index(node, k);
        const std::uint32_t allowed =
            (k < ports_ ? entry.channels & f_.all_channels() : 1U) & ~std::uint32_t{sink_[index].held};
        std::uint32_t best = none;
        for (std::uint32_t left = allowed; left != 0; left &= left - 1) {
            const auto vc = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::uint32_t credits = credits_[index * vcs_ + vc];
            if (credits < entry.room) continue;
            if (!f_.by_credits() || k >= ports_) return vc;
            const std::uint32_t depth = f_.parameters.vc_depth;
            if (best == none || level(credits, depth) > level(credits_[index * vcs_ + best], depth))
                best = vc;
        }
        return best;
    }

    std::uint32_t arbitrate(std::uint32_t node, FlitSink& sink, std::uint64_t candidates,
                            std::uint64_t running = 0) const {
        if (candidates == 0) return none;
        return sink.arbiter.choose(
            f_, candidates, running, [&](std::uint32_t s) { return entries_[head(node, s)].packet.high(); },
            [&](std::uint32_t s) { return level_of(node, s, entries_[head(node, s)]); });
    }

    /// Of a packet that asks, or of its queue.
    std::uint32_t level_of(std::uint32_t node, std::uint32_t source, const Entry& entry) const {
        if (f_.by_hops()) return entry.packet.hops();
        return level(stored(source_index(node, source)), f_.parameters.depth(class_of(source)));
    }

    void start(std::uint32_t node, std::uint32_t k, std::uint32_t source, RegionOutputs& outputs) {
        const std::size_t index = sink_index(node, k);
        FlitSink& sink = sink_[index];
        const std::uint32_t entry = head(node, source);
        const std::uint32_t vc = free_channel(node, k, entries_[entry]);
        sink.arbiter.started(f_);
        if (pipelined_)
            payments_.push_back({index * vcs_ + vc, entries_[entry].cost});
        else
            credits_[index * vcs_ + vc] -= entries_[entry].cost;
        entries_[entry].started |= 1U << k;
        if (pipelined_) {
            started_ |= std::uint64_t{1} << source;
            requests_[index].rests_in = cycle_ + 1;
        }
        sink.want &= ~(std::uint64_t{1} << source);
        sink.held |= static_cast<std::uint8_t>(1U << vc);
        branch_[index * vcs_ + vc] = {static_cast<std::uint8_t>(source), 0, entries_[entry].length,
                                      is_single(entries_[entry].route)};
        move(node, k, vc, outputs);
    }

    Entry& entry_of(std::uint32_t node, const Branch& branch) { return entries_[head(node, branch.source)]; }

    /// A flit comes to a link, which may take several cycles for it.
    void take_link(std::size_t sink) {
        if (!busy_until_.empty()) busy_until_[sink] = cycle_ + cycles_per_flit_;
    }

    /// The branch that holds channel `vc` of sink k moves its next flit.
    void move(std::uint32_t node, std::uint32_t k, std::uint32_t vc, RegionOutputs& outputs) {
        const std::size_t index = sink_index(node, k);
        Branch& branch = branch_[index * vcs_ + vc];
        if (k < ports_) take_link(index);
        if (pipelined_)
            leaving_.push((k < ports_ ? stages_.flits_out : stages_.received) - 1,
                          {node, static_cast<std::uint8_t>(k), static_cast<std::uint8_t>(vc),
                           Flit{entry_of(node, branch).packet, branch.sent}});
        else if (k < ports_)
            send(node, k, vc, branch, outputs);
        else
            receive(node * f_.receptions + k - ports_, Flit{entry_of(node, branch).packet, branch.sent});
        const bool tail = ++branch.sent == branch.length;
        if (branch.single)
            freed_.push_back(
                {node, branch.source, tail ? last_credits(branch.length, branch.source) : std::uint8_t{1}});
        if (pipelined_) close(k, branch, entry_of(node, branch));
        if (tail) end(node, k, vc, branch);
    }

    /// The branch of channel `vc` of sink k has moved its tail.
    void end(std::uint32_t node, std::uint32_t k, std::uint32_t vc, const Branch& branch) {
        Entry& entry = entry_of(node, branch);
        sink_[sink_index(node, k)].held &= static_cast<std::uint8_t>(~(1U << vc));
        entry.finished |= 1U << k;
        if (entry.finished != entry.route) return;
        if (!branch.single) freed_.push_back({node, branch.source, entry.length});
        ended_.push_back(branch.source);
    }

    /// A branch that will have ended in the next cycle: its tail has moved, or is next, there, and moves in
    /// any case.
    void close(std::uint32_t k, const Branch& branch, Entry& entry) {
        const std::uint32_t left = entry.length - branch.sent;
        const bool at_once = k >= ports_ || cycles_per_flit_ <= 1;
        if (left > 1 || (left == 1 && !(branch.sent > 1 && at_once && has_come_whole(running_, branch))))
            return;
        entry.closing |= 1U << k;
        closing_ |= std::uint64_t{1} << branch.source;
    }

    bool has_come_whole(std::uint32_t node, const Branch& branch) const {
        return source_[source_index(node, branch.source)].head_arrived == branch.length;
    }

    /// An escape channel, in which every packet counts as one of full size.
    bool in_escape(std::uint32_t source) const { return (escapes_ >> source & 1U) != 0; }

    /// Credits that go back with the tail of a packet with one branch.
    std::uint8_t last_credits(std::uint32_t length, std::uint32_t source) const {
        return static_cast<std::uint8_t>(in_escape(source) ? f_.parameters.packet_flits - length + 1U : 1U);
    }

    /// The branch's next flit comes to its link's pins.
    void send(std::uint32_t node, std::uint32_t port, std::uint32_t vc, const Branch& branch,
              RegionOutputs& outputs) {
        const auto channel = static_cast<std::uint8_t>(vc);
        const FlitLinks::Wire wire = links_.output(node, port);
        if (branch.sent != 0 && wire.within() && !watches_links_) {
            links_.push_body(wire, vc);
            return;
        }
        send({node, static_cast<std::uint8_t>(port), channel,
              Flit{entry_of(node, branch).packet, branch.sent}},
             wire, outputs);
    }

    void send(const LinkFlit& sent, const FlitLinks::Wire& wire, RegionOutputs& outputs) {
        if (sent.flit.head()) ++use_.hops;
        const LinkFlit shown{global_[sent.node], sent.port, sent.vc, sent.flit};
        if (watches_links_) outputs.sent.push_back(shown);
        if (!wire.within()) {
            sent_.push_back(sent);
            outputs.flits.push_back(shown);
            return;
        }
        const FarPort far = f_.to(global_[sent.node], sent.port);
        links_.push(wire.delay, LinkFlit{local_[far.node], far.port, sent.vc, sent.flit});
    }

    /// Of a pipelined node: a flit that has moved comes to its link's pins, or into its reception queue.
    void show(const Leaving& leaving, RegionOutputs& outputs) {
        const LinkFlit sent{leaving.node, leaving.sink, leaving.vc, leaving.flit};
        if (leaving.sink < ports_)
            send(sent, links_.output(leaving.node, leaving.sink), outputs);
        else
            receive(leaving.node * f_.receptions + leaving.sink - ports_, leaving.flit);
    }

    /// A flit enters a reception queue.
    void receive(std::uint32_t queue, const Flit& flit) {
        const std::uint32_t flits = receptions_.push(queue, flit);
        note(QueueClass::reception, flits);
        if (occupancy_) occupancy_->reception(queue, flits, cycle_);
    }

    static bool is_head(const Flit& flit) { return flit.head(); }
    static bool is_head(const RawFlit& flit) { return (flit.ends & 1U) != 0; }

    /// What a flit counts for in its source: in an escape channel the head for a slot.
    std::uint32_t counts(std::uint32_t source, bool head) const {
        return !in_escape(source) ? 1U : head ? f_.parameters.packet_flits : 0U;
    }

    /// A flit on the pins of a source.
    template <class AnyFlit>
    void enter(std::uint32_t node, std::uint32_t source, const AnyFlit& flit) {
        const std::size_t index = source_index(node, source);
        if (pipelined_) {
            flits_shown_[index] += counts(source, is_head(flit));
            entering_.push(stages_.flits_in - 1, {node, static_cast<std::uint8_t>(source), flit});
        } else {
            push(node, source, flit);
        }
        count_shown(index, source);
    }

    /// After a flit has come.
    void count_shown(std::size_t index, std::uint32_t source) {
        const std::uint32_t flits = shown(index);
        note(class_of(source), flits);
        if (occupancy_) occupancy_->source(class_of(source), index, flits, cycle_);
    }

    /// A flit behind a head, on the pins of a source that is not pipelined.
    void enter_body(const FlitLinks::Body& body) {
        Source& queue = source_[body.index];
        // Which of the node's it is, where it matters.
        const std::uint32_t source = escapes_ != 0 || stores_first() ? links_.source(body) : 0;
        const bool fits = store(body.index, source, false);
        count_shown(body.index, source);
        if (!fits) fail(body.index / sources_, overflow);
        if (queue.head == none) return fail(body.index / sources_, malformed);
        if (arrive(queue) && stores_first() && queue.tail_arrived == entries_[queue.head].length)
            offer(body.index / sources_, source);
    }

    /// A flit enters a source.
    void push(std::uint32_t node, std::uint32_t source, const Flit& flit) {
        const std::size_t index = source_index(node, source);
        if (!store(index, source, flit.head())) fail(node, overflow);
        Source& queue = source_[index];
        if (flit.head()) enqueue(node, source, flit.packet);
        if (queue.head == none) return fail(node, malformed);
        if (arrive(queue) && (flit.head() || (stores_first() && flit.tail()))) offer(node, source);
    }

    /// Packets ask for links when their tails have come.
    bool stores_first() const { return f_.parameters.switching == Switching::store_and_forward; }

    /// Whether there was room for it.
    bool store(std::size_t index, std::uint32_t source, bool head) {
        Source& queue = source_[index];
        queue.flits += counts(source, head);
        if (!stored_.empty()) ++stored_[index];
        return queue.flits <= f_.parameters.depth(class_of(source));
    }

    /// Another flit of the last packet; whether that is the first.
    static bool arrive(Source& queue) {
        ++queue.tail_arrived;
        if (!queue.single) return false;
        ++queue.head_arrived;
        return true;
    }

    /// A flit from hardware. What belongs to no packet is dropped.
    void push(std::uint32_t node, std::uint32_t source, const RawFlit& flit) {
        const Source& queue = source_[source_index(node, source)];
        if ((flit.ends & 1U) != 0)
            push(node, source, Flit{{flit.word[0], flit.word[1]}, 0});
        else if (queue.head != none && queue.tail_arrived < entries_[tail(queue)].length)
            push(node, source, Flit{entries_[tail(queue)].packet, queue.tail_arrived});
        else
            fail(node, malformed);
    }

    void fail(std::uint32_t node, Status bit) {
        status_[node] |= bit;
        if (supervised_) throw NodeFault(global_[node], cycle_ + 1, status_meaning(bit));
    }

    /// A packet's head goes behind the other packets of its source.
    void enqueue(std::uint32_t node, std::uint32_t source, const Packet& packet) {
        const std::uint32_t index = entries_.make();
        Entry& entry = entries_[index];
        const Entrance entrance{source < link_sources_, source / vcs_, source % vcs_};
        const Status status = route_packet(entry, f_, tables_, global_[node], entrance, packet);
        entry.cost = f_.parameters.switching == Switching::wormhole ? 1 : entry.length;
        entry.room = f_.parameters.switching == Switching::wormhole ? 1 : room_of(entry);
        if (status != fine) fail(node, status);
        Source& queue = source_[source_index(node, source)];
        if (queue.head == none)
            queue.head_arrived = 0;
        else
            entries_[tail(queue)].arrived = queue.tail_arrived;
        append(queue, index);
        queue.tail_arrived = 0;
    }

    /// Flits for which a packet that is no worm has to find room, unless it escapes.
    std::uint8_t room_of(const Entry& entry) const {
        return pipelined_ ? static_cast<std::uint8_t>(f_.parameters.packet_flits) : entry.length;
    }

    /// The head packet of a source asks for the sinks that it may start on.
    void offer(std::uint32_t node, std::uint32_t source) {
        const Source& queue = source_[source_index(node, source)];
        const Entry& entry = entries_[queue.head];
        const bool waits = stores_first() && source < link_sources_ && queue.head_arrived < entry.length;
        std::uint32_t sinks = entry.adaptive ? 0 : entry.route & ~entry.started;
        if (waits) sinks &= ~f_.link_sinks();
        const bool asks = entry.adaptive && entry.started == 0 && !waits;
        if (sinks == 0 && !asks) return;
        if (busy_[node] == 0 && asking(node) == 0 && node != running_) active_.add(node);
        busy_[node] |= sinks;
        if (asks) asking_[node] |= std::uint64_t{1} << source;
        for (; sinks != 0; sinks &= sinks - 1)
            sink_[sink_index(node, static_cast<std::uint32_t>(std::countr_zero(sinks)))].want |=
                std::uint64_t{1} << source;
    }

    void next_packet(std::uint32_t node, std::uint32_t source) {
        Source& queue = source_[source_index(node, source)];
        const Entry& left = entries_[queue.head];
        const std::uint32_t next = left.next, last = left.last;
        entries_.drop(queue.head);
        queue.head = next;
        queue.single = next == last;
        if (next == none) return;
        entries_[next].last = last;
        queue.head_arrived = queue.single ? queue.tail_arrived : entries_[next].arrived;
        offer(node, source);
    }

    QueueClass class_of(std::uint32_t source) const {
        return source < link_sources_ ? QueueClass::channel : QueueClass::injection;
    }

    void free(const Freed& freed, RegionOutputs& outputs) {
        const std::size_t index = source_index(freed.node, freed.source);
        source_[index].flits -= freed.amount;
        if (!stored_.empty()) stored_[index] -= in_escape(freed.source) ? 1U : freed.amount;
        if (pipelined_)
            freed_in_flight_.push(stages_.credits_out - 1, freed);
        else
            show(freed, outputs);
    }

    /// What has been freed comes to the pins.
    [[gnu::always_inline]] void show(const Freed& freed, RegionOutputs& outputs) {
        const std::size_t index = source_index(freed.node, freed.source);
        if (pipelined_) flits_shown_[index] -= freed.amount;
        if (occupancy_) occupancy_->source(class_of(freed.source), index, shown(index), cycle_);
        if (freed.source >= link_sources_) {
            outputs.injection_credits.push_back({global_[freed.node],
                                                 static_cast<std::uint8_t>(freed.source - link_sources_), 0,
                                                 freed.amount});
            return;
        }
        const auto [port, vc] = links_.channel(freed.source);
        const FlitLinks::Wire wire = links_.input(freed.node, port);
        if (!wire.within()) {
            outputs.credits.push_back({global_[freed.node], port, vc, freed.amount});
            return;
        }
        links_.push_credits(wire, vc, freed.amount);
    }

    /// Credits on the pins, or of a reception queue whose oldest flit leaves.
    void credit_back(std::uint32_t node, std::uint32_t k, std::uint32_t vc, std::uint32_t amount) {
        if (pipelined_)
            returned_.push(stages_.credits_in - 1,
                           {node, static_cast<std::uint8_t>(k), static_cast<std::uint8_t>(vc),
                            static_cast<std::uint8_t>(amount)});
        else
            give(node, k, vc, amount);
    }

    void give(std::uint32_t node, std::uint32_t k, std::uint32_t vc, std::uint32_t amount) {
        std::uint32_t& credits = credits_[sink_index(node, k) * vcs_ + vc];
        credits += amount;
        if (credits > depth_behind(k)) fail(node, credit_error);
    }

    /// Lays out what was sent and freed in the last cycle by where it shows, once for all nodes.
    void show_pins() const {
        if (shown_ == cycle_) return;
        shown_ = cycle_;
        link_pins_.assign(sink_.size() / sinks_ * ports_, std::nullopt);
        const auto lay = [&](const LinkFlit& flit) {
            link_pins_[std::size_t{flit.node} * ports_ + flit.port] = flit;
        };
        for (const LinkFlit& flit : sent_) lay(flit);
        // What has as far to go as its link is long was sent in the last cycle.
        each_coming_flit([&](std::uint32_t delay, const LinkFlit& flit) {
            const FarPort far = f_.from(global_[flit.node], flit.port);
            const std::uint32_t node = local_[far.node];
            if (delay == links_.output(node, far.port).delay) lay({node, far.port, flit.vc, flit.flit});
        });
        freed_pins_.assign(source_.size(), 0);
        for (const Freed& freed : pipelined_ ? freed_in_flight_.due() : freed_)
            freed_pins_[source_index(freed.node, freed.source)] = freed.amount;
    }

    const PortTables* tables_;
    std::uint64_t escapes_ = 0;  // sources
    const bool by_level_ = f_.by_level();
    const std::uint32_t cycles_per_flit_ = f_.links.cycles_per_flit;
    const bool runs_worms_ = !pipelined_ && f_.parameters.switching == Switching::wormhole;

    bool chosen_ = false;  // an adaptive packet did in this cycle of the node that is run
    bool supervised_ = false;

    std::uint32_t running_ = none;  // the one of the active nodes whose cycle is being run
    std::vector<std::uint32_t> popped_, ended_;
    // Of the last cycle: flits that were sent out of the region, and what was freed.
    std::vector<LinkFlit> sent_;
    std::vector<Freed> freed_;
    std::vector<Stalled> stalled_;  // in their order
    FlitLinks links_;
    Stages stages_;  // of pipelined nodes
    // Of the cycle of the node that is run:
    Open open_;  // when it began
    // Sources of which a packet has started, an adaptive one has, a branch has closed.
    std::uint64_t started_ = 0, going_ = 0, closing_ = 0;
    std::array<std::uint64_t, 32> early_{};  // per sink: sources whose packet behind the head packet asks
    std::vector<Payment> payments_;
    mutable std::uint64_t shown_ = UINT64_MAX;  // the cycle of link_pins_ and freed_pins_
    mutable std::vector<std::optional<LinkFlit>> link_pins_;
    mutable std::vector<std::uint8_t> freed_pins_;
};

Pins FlitRegion::pins(NodeId node) const {
    const std::uint32_t n = local_[node];
    show_pins();
    Pins pins;
    for (std::uint32_t p = 0; p < ports_; ++p) {
        const std::optional<LinkFlit>& link = link_pins_[std::size_t{n} * ports_ + p];
        put_link(pins, f_.words, link ? std::optional(link->flit) : std::nullopt, link ? link->vc : 0);
        for (std::uint32_t v = 0; v < vcs_; ++v) pins.push_back(freed_pins_[source_index(n, p * vcs_ + v)]);
    }
    for (std::uint32_t i = 0; i < f_.injections; ++i)
        pins.push_back(freed_pins_[source_index(n, link_sources_ + i)]);
    for (std::uint32_t r = 0; r < f_.receptions; ++r) {
        const std::size_t queue = std::size_t{n} * f_.receptions + r;
        const std::uint32_t flits = receptions_.flits(queue);
        put_reception(pins, f_.words, flits != 0 ? std::optional(receptions_.oldest(queue)) : std::nullopt,
                      flits);
    }
    pins.push_back(0);
    pins.push_back(stalled(node));
    pins.push_back(status_[n]);
    return pins;
}

}  // namespace

std::unique_ptr<Region> flit_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                    const PortTables* tables) {
    return std::make_unique<FlitRegion>(fabric, nodes, tables);
}

}  // namespace interlace::native
