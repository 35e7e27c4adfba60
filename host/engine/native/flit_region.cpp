// Interlace: native nodes flit by flit (docs/node.md, sections 5 and 14)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "flit_region.h"

#include <algorithm>
#include <array>
#include <bit>

#include "arbitration.h"
#include "flit_nodes.h"
#include "flit_pins.h"
#include "flit_state.h"
#include "interlace/engine/region/counted_region.h"
#include "interlace/engine/region/delay_line.h"
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
          flits_(fabric.longest_delay),
          credits_in_flight_(fabric.longest_delay),
          stages_(fabric.parameters.stages()) {}

    void supervise(Supervision /*level*/) override { supervised_ = true; }

    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        for (const Ready& change : inputs.ready)
            receptions_.set_ready(local_[change.node] * f_.receptions + change.queue, change.ready);
        sent_.clear();
        freed_.clear();
        flits_.advance();
        credits_in_flight_.advance();
        if (pipelined_) advance_stages();
        take_receptions(outputs);
        run_sinks(outputs);
        if (pipelined_) leave_stages(outputs);
        // What was on the pins in this cycle counts from the next on.
        for (const LinkFlit& flit : flits_.due())
            enter(flit.node, std::uint32_t{flit.port} * f_.vcs + flit.vc, flit.flit);
        for (const LinkFlit& flit : inputs.flits)
            enter(local_[flit.node], std::uint32_t{flit.port} * f_.vcs + flit.vc, flit.flit);
        for (const RawLinkFlit& flit : inputs.raw_flits)
            enter(local_[flit.node], std::uint32_t{flit.port} * f_.vcs + flit.vc, flit.flit);
        for (const LinkFlit& flit : inputs.injections)
            enter(local_[flit.node], f_.link_sources() + flit.port, flit.flit);
        for (const Credit& credit : credits_in_flight_.due())
            credit_back(credit.node, credit.port, credit.vc, credit.amount);
        for (const Credit& credit : inputs.credits)
            credit_back(local_[credit.node], credit.port, credit.vc, credit.amount);
        for (const std::uint32_t queue : popped_)
            credit_back(queue / f_.receptions, f_.ports + queue % f_.receptions, 0, 1);
        ++cycle_;
    }

    bool runs_alone() const override { return true; }
    std::uint64_t idle() const override {
        if (!active_.empty() || !receptions_.empty()) return 0;
        const std::uint64_t links = std::min(flits_.idle(), credits_in_flight_.idle());
        if (!pipelined_) return links;
        return std::min(
            {links, entering_.idle(), leaving_.idle(), returned_.idle(), freed_in_flight_.idle()});
    }
    void skip(std::uint64_t cycles) override {
        if (cycles != 0) {
            sent_.clear();
            freed_.clear();
        }
        flits_.skip(cycles);
        credits_in_flight_.skip(cycles);
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
        flits_.each_coming(give);
        credits_in_flight_.each_coming(give);
    }
    void take_links(const LinkLines& links) override {
        const auto to = [&](auto& line) {
            return [&](std::uint32_t delay, auto item) {
                item.node = local_[item.node];
                line.push(delay, item);
            };
        };
        links.flits.each_coming(to(flits_));
        links.credits.each_coming(to(credits_in_flight_));
    }

    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const override {
        return receptions_.flits(std::size_t{local_[node]} * f_.receptions + queue);
    }
    std::uint64_t stalled(NodeId node) const override {
        const Stalls& stalls = stalls_[local_[node]];
        return stalls.cycle == cycle_ - 1 ? stalls.sinks : 0;
    }
    Pins pins(NodeId node) const override;

  private:
    /// Of a state that was loaded.
    bool counts_are_of_queues() const {
        for (std::size_t s = 0; s < source_.size(); ++s)
            if (occupancy_->of_source(s) != source_[s].shown) return false;
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
        std::size_t kept = 0;
        const std::size_t count = active_.size();
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t node = active_[i];
            running_ = node;
            ended_.clear();
            if (pipelined_)
                start_and_request(node, outputs);
            else
                request_and_grant(node, outputs);
            if (chosen_) turn_[node] = static_cast<std::uint8_t>((turn_[node] + 1U) % f_.ports);
            chosen_ = false;
            if (busy_[node] != 0 || asking_[node] != 0) active_[kept++] = node;
        }
        active_.resize(kept);
        running_ = none;
        for (const Freed& freed : freed_) free(freed, outputs);
    }

    void request_and_grant(std::uint32_t node, RegionOutputs& outputs) {
        each_bit(asking_[node], [&](std::uint32_t source) { ask(node, source); });
        each_bit(busy_[node], [&](std::uint32_t k) {
            run_sink(node, k, outputs);
            const FlitSink& sink = sink_[sink_index(node, k)];
            if (sink.want == 0 && sink.held == 0) busy_[node] &= ~(std::uint64_t{1} << k);
        });
        each_bit(asking_[node], [&](std::uint32_t source) {
            withdraw(node, source);
            settle(node, source);
        });
        for (const std::uint32_t source : ended_) next_packet(node, source);
    }

    /// Section 14: sinks start what was requested two cycles ago; then sources request what they ask for in
    /// this one, by what was so when it began, but for branches that have started.
    void start_and_request(std::uint32_t node, RegionOutputs& outputs) {
        if (asking_[node] != 0) open_ = open_ports(node);
        started_ = 0;
        closing_ = 0;
        going_ = 0;
        each_bit(busy_[node], [&](std::uint32_t k) { run_sink(node, k, outputs); });
        if (going_ != 0) gone_[node] = {cycle_, going_};
        each_bit(asking_[node], [&](std::uint32_t source) { settle(node, source); });
        each_bit(asking_[node], [&](std::uint32_t source) { ask_again(node, source); });
        // What is behind a packet that will have left in the next cycle asks, unless that started in this
        // one.
        early_ = {};
        std::uint64_t sinks = busy_[node];
        each_bit(closing_ & ~started_, [&](std::uint32_t source) { sinks |= ask_early(node, source); });
        each_bit(sinks, [&](std::uint32_t k) { request(node, k); });
        each_bit(asking_[node], [&](std::uint32_t source) { choose(node, source); });
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
        if (f_.parameters.switching == Switching::store_and_forward && source < f_.link_sources())
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
        const std::uint32_t* credits = &credits_[sink_index(node, k) * f_.vcs];
        if (k >= f_.ports) return credits[0] >= entry.room;
        for (std::uint32_t vc = 0; vc < f_.vcs; ++vc)
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
        if (sink.busy_until > cycle_) return;
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
            const Branch& branch = branch_[sink_index(node, k) * f_.vcs + vc];
            if (entries_[branch.entry].arrived > branch.sent) move(node, k, vc, outputs);
            return;
        }
        const std::uint32_t winner = arbitrate(node, sink, fitting(node, k, sink.want));
        if (winner != none)
            start(node, k, winner, outputs);
        else
            stall(node, k);
    }

    void run_flits(std::uint32_t node, std::uint32_t k, FlitSink& sink, RegionOutputs& outputs) {
        const Branch* branches = &branch_[sink_index(node, k) * f_.vcs];
        std::uint32_t* credits = &credits_[sink_index(node, k) * f_.vcs];
        std::uint64_t own = 0;
        bool waiting = sink.want != 0;
        std::array<std::uint8_t, 64> channel;
        for (std::uint32_t held = sink.held; held != 0; held &= held - 1) {
            const auto vc = static_cast<std::uint32_t>(std::countr_zero(held));
            const Branch& branch = branches[vc];
            if (entries_[branch.entry].arrived <= branch.sent) continue;
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

    /// Something waits for sink k and finds no room.
    void stall(std::uint32_t node, std::uint32_t k) {
        ++use_.stall_cycles[static_cast<std::size_t>(k < f_.ports ? QueueClass::channel
                                                                  : QueueClass::reception)];
        if (occupancy_) occupancy_->stall(sink_index(node, k));
        Stalls& stalls = stalls_[node];
        stalls = {cycle_, (stalls.cycle == cycle_ ? stalls.sinks : 0) | 1U << k};
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
        for (std::uint32_t i = 0; i < f_.ports; ++i) {
            const std::uint32_t port = turn + i < f_.ports ? turn + i : turn + i - f_.ports;
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
        for (std::uint32_t port = 0; port < f_.ports; ++port) {
            if (!has_slot(node, port)) continue;
            open.ports |= 1U << port;
            if (f_.by_credits()) open.levels[port] = static_cast<std::uint8_t>(most_credits(node, port));
        }
        return open;
    }

    /// Link sink `port` is free, and a dynamic channel has room for a packet of any size.
    bool has_slot(std::uint32_t node, std::uint32_t port) const {
        const std::size_t index = sink_index(node, port);
        if (sink_[index].held != 0 || sink_[index].busy_until > cycle_) return false;
        for (std::uint32_t vc = 0; vc < f_.vcs; ++vc)
            if ((f_.dynamic_channels() >> vc & 1U) != 0 &&
                credits_[index * f_.vcs + vc] >= f_.parameters.packet_flits)
                return true;
        return false;
    }

    /// The level of the dynamic channel with the most credits.
    std::uint32_t most_credits(std::uint32_t node, std::uint32_t port) const {
        const std::uint32_t* credits = &credits_[sink_index(node, port) * f_.vcs];
        std::uint32_t most = 0;
        for (std::uint32_t vc = 0; vc < f_.vcs; ++vc)
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
        each_bit(sources, [&](std::uint32_t source) {
            if (free_channel(node, k, entries_[head(node, source)]) != none)
                fit |= std::uint64_t{1} << source;
        });
        return fit;
    }

    /// The lowest free channel of sink k that the packet may use and that has room for it; by credits, of
    /// those with the highest level.
    std::uint32_t free_channel(std::uint32_t node, std::uint32_t k, const Entry& entry) const {
        const std::size_t index = sink_index(node, k);
        const std::uint32_t allowed =
            (k < f_.ports ? entry.channels & f_.all_channels() : 1U) & ~std::uint32_t{sink_[index].held};
        std::uint32_t best = none;
        for (std::uint32_t left = allowed; left != 0; left &= left - 1) {
            const auto vc = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::uint32_t credits = credits_[index * f_.vcs + vc];
            if (credits < entry.room) continue;
            if (!f_.by_credits() || k >= f_.ports) return vc;
            const std::uint32_t depth = f_.parameters.vc_depth;
            if (best == none || level(credits, depth) > level(credits_[index * f_.vcs + best], depth))
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
        return level(source_[source_index(node, source)].stored, f_.parameters.depth(class_of(source)));
    }

    void start(std::uint32_t node, std::uint32_t k, std::uint32_t source, RegionOutputs& outputs) {
        const std::size_t index = sink_index(node, k);
        FlitSink& sink = sink_[index];
        const std::uint32_t entry = head(node, source);
        const std::uint32_t vc = free_channel(node, k, entries_[entry]);
        sink.arbiter.started(f_);
        if (pipelined_)
            payments_.push_back({index * f_.vcs + vc, entries_[entry].cost});
        else
            credits_[index * f_.vcs + vc] -= entries_[entry].cost;
        entries_[entry].started |= 1U << k;
        if (pipelined_) {
            started_ |= std::uint64_t{1} << source;
            requests_[index].rests_in = cycle_ + 1;
        }
        sink.want &= ~(std::uint64_t{1} << source);
        sink.held |= static_cast<std::uint8_t>(1U << vc);
        branch_[index * f_.vcs + vc] = {entry, static_cast<std::uint8_t>(source), 0};
        move(node, k, vc, outputs);
    }

    /// The branch that holds channel `vc` of sink k moves its next flit.
    void move(std::uint32_t node, std::uint32_t k, std::uint32_t vc, RegionOutputs& outputs) {
        const std::size_t index = sink_index(node, k);
        Branch& branch = branch_[index * f_.vcs + vc];
        Entry& entry = entries_[branch.entry];
        const Flit flit{entry.packet, branch.sent++};
        const Leaving leaving{node, static_cast<std::uint8_t>(k), static_cast<std::uint8_t>(vc), flit};
        if (k < f_.ports) sink_[index].busy_until = cycle_ + f_.links.cycles_per_flit;
        if (pipelined_)
            leaving_.push((k < f_.ports ? stages_.flits_out : stages_.received) - 1, leaving);
        else
            show(leaving, outputs);
        const bool single = (entry.route & (entry.route - 1)) == 0;
        if (single)
            freed_.push_back(
                {node, branch.source, flit.tail() ? last_credits(entry, branch.source) : std::uint8_t{1}});
        if (pipelined_) close(k, branch, entry);
        if (!flit.tail()) return;
        sink_[index].held &= static_cast<std::uint8_t>(~(1U << vc));
        entry.finished |= 1U << k;
        if (entry.finished != entry.route) return;
        if (!single) freed_.push_back({node, branch.source, entry.length});
        ended_.push_back(branch.source);
    }

    /// A branch that will have ended in the next cycle: its tail has moved, or is next, there, and moves in
    /// any case.
    void close(std::uint32_t k, const Branch& branch, Entry& entry) {
        const std::uint32_t left = entry.length - branch.sent;
        const bool at_once = k >= f_.ports || f_.links.cycles_per_flit <= 1;
        if (left > 1 || (left == 1 && !(branch.sent > 1 && at_once && entry.arrived == entry.length))) return;
        entry.closing |= 1U << k;
        closing_ |= std::uint64_t{1} << branch.source;
    }

    /// An escape channel, in which every packet counts as one of full size.
    bool in_escape(std::uint32_t source) const {
        return source < f_.link_sources() && f_.in_slots(source % f_.vcs);
    }

    /// Credits that go back with the tail of a packet with one branch.
    std::uint8_t last_credits(const Entry& entry, std::uint32_t source) const {
        return static_cast<std::uint8_t>(in_escape(source) ? f_.parameters.packet_flits - entry.length + 1U
                                                           : 1U);
    }

    /// A flit that has moved comes to its link's pins, or into its reception queue.
    void show(const Leaving& leaving, RegionOutputs& outputs) {
        if (leaving.sink < f_.ports)
            send(leaving.node, leaving.sink, leaving.vc, leaving.flit, outputs);
        else
            receive(leaving.node * f_.receptions + leaving.sink - f_.ports, leaving.flit);
    }

    void send(std::uint32_t node, std::uint32_t port, std::uint32_t vc, const Flit& flit,
              RegionOutputs& outputs) {
        const FarPort far = f_.to(global_[node], port);
        const auto channel = static_cast<std::uint8_t>(vc);
        sent_.push_back({node, static_cast<std::uint8_t>(port), channel, flit});
        if (watches_links_)
            outputs.sent.push_back({global_[node], static_cast<std::uint8_t>(port), channel, flit});
        if (flit.head()) ++use_.hops;
        if (!is_outside(far.node))
            flits_.push(f_.flit_delay(global_[node], port), {local_[far.node], far.port, channel, flit});
        else
            outputs.flits.push_back({global_[node], static_cast<std::uint8_t>(port), channel, flit});
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
        Source& queue = source_[source_index(node, source)];
        queue.shown += counts(source, is_head(flit));
        note(class_of(source), queue.shown);
        if (occupancy_) occupancy_->source(class_of(source), source_index(node, source), queue.shown, cycle_);
        if (pipelined_)
            entering_.push(stages_.flits_in - 1, {node, static_cast<std::uint8_t>(source), flit});
        else
            push(node, source, flit);
    }

    /// A flit enters a source.
    void push(std::uint32_t node, std::uint32_t source, const Flit& flit) {
        Source& queue = source_[source_index(node, source)];
        queue.flits += counts(source, flit.head());
        ++queue.stored;
        if (queue.flits > f_.parameters.depth(class_of(source))) fail(node, overflow);
        if (flit.head()) enqueue(node, source, flit.packet);
        if (queue.tail == none) return fail(node, malformed);
        Entry& entry = entries_[queue.tail];
        ++entry.arrived;
        if (queue.tail == queue.head && (flit.head() || flit.tail())) offer(node, source);
    }

    /// A flit from hardware. What belongs to no packet is dropped.
    void push(std::uint32_t node, std::uint32_t source, const RawFlit& flit) {
        const Source& queue = source_[source_index(node, source)];
        if ((flit.ends & 1U) != 0)
            push(node, source, Flit{{flit.word[0], flit.word[1]}, 0});
        else if (queue.tail != none && entries_[queue.tail].arrived < entries_[queue.tail].length)
            push(node, source, Flit{entries_[queue.tail].packet, entries_[queue.tail].arrived});
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
        const Entrance entrance{source < f_.link_sources(), source / f_.vcs, source % f_.vcs};
        const Status status = route_packet(entry, f_, tables_, global_[node], entrance, packet);
        entry.cost = f_.parameters.switching == Switching::wormhole ? 1 : entry.length;
        entry.room = f_.parameters.switching == Switching::wormhole ? 1 : room_of(entry);
        if (status != fine) fail(node, status);
        Source& queue = source_[source_index(node, source)];
        if (queue.head == none)
            queue.head = index;
        else
            entries_[queue.tail].next = index;
        queue.tail = index;
    }

    /// Flits for which a packet that is no worm has to find room, unless it escapes.
    std::uint8_t room_of(const Entry& entry) const {
        return pipelined_ ? static_cast<std::uint8_t>(f_.parameters.packet_flits) : entry.length;
    }

    /// The head packet of a source asks for the sinks that it may start on.
    void offer(std::uint32_t node, std::uint32_t source) {
        const Entry& entry = entries_[head(node, source)];
        const bool waits = f_.parameters.switching == Switching::store_and_forward &&
                           source < f_.link_sources() && entry.arrived < entry.length;
        std::uint32_t sinks = entry.adaptive ? 0 : entry.route & ~entry.started;
        if (waits) sinks &= ~f_.link_sinks();
        const bool asks = entry.adaptive && entry.started == 0 && !waits;
        if (sinks == 0 && !asks) return;
        if (busy_[node] == 0 && asking_[node] == 0 && node != running_) active_.push_back(node);
        busy_[node] |= sinks;
        if (asks) asking_[node] |= std::uint64_t{1} << source;
        for (; sinks != 0; sinks &= sinks - 1)
            sink_[sink_index(node, static_cast<std::uint32_t>(std::countr_zero(sinks)))].want |=
                std::uint64_t{1} << source;
    }

    void next_packet(std::uint32_t node, std::uint32_t source) {
        Source& queue = source_[source_index(node, source)];
        const std::uint32_t left = queue.head;
        queue.head = entries_[left].next;
        if (queue.head == none) queue.tail = none;
        entries_.drop(left);
        if (queue.head == none) return;
        offer(node, source);
    }

    QueueClass class_of(std::uint32_t source) const {
        return source < f_.link_sources() ? QueueClass::channel : QueueClass::injection;
    }

    void free(const Freed& freed, RegionOutputs& outputs) {
        const std::size_t index = source_index(freed.node, freed.source);
        source_[index].flits -= freed.amount;
        source_[index].stored -= in_escape(freed.source) ? 1U : freed.amount;
        if (pipelined_)
            freed_in_flight_.push(stages_.credits_out - 1, freed);
        else
            show(freed, outputs);
    }

    /// What has been freed comes to the pins.
    void show(const Freed& freed, RegionOutputs& outputs) {
        const std::size_t index = source_index(freed.node, freed.source);
        source_[index].shown -= freed.amount;
        if (occupancy_) occupancy_->source(class_of(freed.source), index, source_[index].shown, cycle_);
        if (freed.source >= f_.link_sources()) {
            outputs.injection_credits.push_back({global_[freed.node],
                                                 static_cast<std::uint8_t>(freed.source - f_.link_sources()),
                                                 0, freed.amount});
            return;
        }
        const auto port = static_cast<std::uint8_t>(freed.source / f_.vcs);
        const auto vc = static_cast<std::uint8_t>(freed.source % f_.vcs);
        const FarPort far = f_.from(global_[freed.node], port);
        if (!is_outside(far.node))
            credits_in_flight_.push(f_.credit_delay(global_[freed.node], port),
                                    {local_[far.node], far.port, vc, freed.amount});
        else
            outputs.credits.push_back({global_[freed.node], port, vc, freed.amount});
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
        std::uint32_t& credits = credits_[sink_index(node, k) * f_.vcs + vc];
        credits += amount;
        if (credits > depth_behind(k)) fail(node, credit_error);
    }

    /// Lays out what was sent and freed in the last cycle by where it shows, once for all nodes.
    void show_pins() const {
        if (shown_ == cycle_) return;
        shown_ = cycle_;
        link_pins_.assign(sink_.size() / f_.sinks() * f_.ports, nullptr);
        for (const LinkFlit& flit : sent_) link_pins_[std::size_t{flit.node} * f_.ports + flit.port] = &flit;
        freed_pins_.assign(source_.size(), 0);
        for (const Freed& freed : pipelined_ ? freed_in_flight_.due() : freed_)
            freed_pins_[source_index(freed.node, freed.source)] = freed.amount;
    }

    const PortTables* tables_;

    bool chosen_ = false;  // an adaptive packet did in this cycle of the node that is run
    bool supervised_ = false;

    std::uint32_t running_ = none;  // the one of the active nodes whose cycle is being run
    std::vector<std::uint32_t> popped_, ended_;
    std::vector<LinkFlit> sent_;  // in the last cycle
    std::vector<Freed> freed_;    // likewise
    DelayLine<LinkFlit> flits_;   // on the links between nodes of the region
    DelayLine<Credit> credits_in_flight_;
    Stages stages_;  // of pipelined nodes
    // Of the cycle of the node that is run:
    Open open_;  // when it began
    // Sources of which a packet has started, an adaptive one has, a branch has closed.
    std::uint64_t started_ = 0, going_ = 0, closing_ = 0;
    std::array<std::uint64_t, 32> early_{};  // per sink: sources whose packet behind the head packet asks
    std::vector<Payment> payments_;
    mutable std::uint64_t shown_ = UINT64_MAX;  // the cycle of link_pins_ and freed_pins_
    mutable std::vector<const LinkFlit*> link_pins_;
    mutable std::vector<std::uint8_t> freed_pins_;
};

Pins FlitRegion::pins(NodeId node) const {
    const std::uint32_t n = local_[node];
    show_pins();
    Pins pins;
    for (std::uint32_t p = 0; p < f_.ports; ++p) {
        const LinkFlit* link = link_pins_[std::size_t{n} * f_.ports + p];
        put_link(pins, f_.words, link != nullptr ? std::optional(link->flit) : std::nullopt,
                 link != nullptr ? link->vc : 0);
        for (std::uint32_t v = 0; v < f_.vcs; ++v)
            pins.push_back(freed_pins_[source_index(n, p * f_.vcs + v)]);
    }
    for (std::uint32_t i = 0; i < f_.injections; ++i)
        pins.push_back(freed_pins_[source_index(n, f_.link_sources() + i)]);
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
