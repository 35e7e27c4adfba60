// Interlace: sources, sinks, and which flits move (docs/node.md, sections 4 and 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of docs/node.md and of the field:
//   node                router with its network interface
//   channel of a port   input VC and its flit buffer; at the sender, the VC whose credits it counts
//   injection queue     source queue of the network interface
//   reception queue     ejection queue of the network interface
//   source              input buffer of the router: an input VC or an injection queue
//   sink                output port: allocation state and credit counters of its VCs; or an ejection port
//   head packet         packet at the front of an input buffer
//   route               set of output ports from route computation
//   branch, replication one copy of a multicast packet; asynchronous multicast inside the router
//   choices, escape     candidate output ports of adaptive routing; path on the escape VC
//   turn                rotating priority among the candidates
//   held, busy          output port or VC allocated to a packet; link that still serializes a flit
//   slot                index into the forwarding table; also the unit of bubble flow control, in flits
//   level               buffer occupancy or credits in quarters
//   deposit             multicast along a line, with a copy for each node on it
//   quiesce             drain an output port: start no new packet on it
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "interlace/systemc/routing.h"
#include "interlace/systemc/sink.h"
#include "interlace/systemc/source.h"

namespace interlace::systemc {

/// The sources and sinks of a node. Sources: link channels, then injection queues. Sinks: link ports, then
/// reception queues.
template <std::uint32_t Ports, std::uint32_t Vcs, std::uint32_t Injections, std::uint32_t Receptions>
class Crossbar {
  public:
    static constexpr std::uint32_t link_sources = Ports * Vcs;
    static constexpr std::uint32_t sources = link_sources + Injections;
    static constexpr std::uint32_t sinks = Ports + Receptions;
    using Registers = systemc::Registers<Ports, Vcs>;

    /// Without a packet.
    bool empty() const { return occupied_ == 0; }
    /// Without a flit, too, and no packet has come in part.
    bool idle() const {
        return empty() && std::all_of(source_.begin(), source_.end(), [](const Source& source) {
                   return source.flits.empty() && source.arriving == 0;
               });
    }
    /// Nothing is behind the links.
    bool has_all_credits(std::uint32_t depth) const {
        return std::all_of(sink_.begin(), sink_.begin() + Ports, [depth](const Sink<Vcs>& sink) {
            return std::all_of(sink.credits.begin(), sink.credits.end(),
                               [depth](std::uint32_t credits) { return credits == depth; });
        });
    }
    /// No link is busy with a flit that it has taken.
    bool links_free() const { return busy_ == 0; }
    /// Sinks at which something waited for room alone in the last cycle.
    std::uint32_t stalled() const { return stalled_; }

    void clear() {
        for (Source& source : source_) source.clear();
        sink_ = {};
        occupied_ = moved_ = refused_ = 0;
        held_ = busy_ = stalled_ = turn_ = rests_ = 0;
        gone_ = 0;
        requests_ = {};
    }

    /// Section 5, steps 1 to 3: every sink moves at most one flit. Calls show(sink, channel, flit) for each.
    template <class Show>
    void move_flits(const Registers& registers, const Show& show) {
        chosen_ = false;
        const std::uint32_t busy = busy_;
        if (registers.built.pipelined())
            start_and_request(registers, show);
        else
            grant(registers, show);
        each_bit(busy, [&](std::uint32_t k) {
            if (--sink_[k].busy == 0) busy_ &= ~(1U << k);
        });
        if (chosen_) turn_ = turn_ + 1 == Ports ? 0 : turn_ + 1;
    }

    /// Section 5, step 5. Calls freed(source, flits) for each source that has freed some. Once a cycle.
    template <class Freed>
    void free_flits(const Registers& registers, const Freed& freed) {
        const std::uint64_t any = moved_ | refused_;
        each_bit(moved_, [&](std::uint32_t s) {
            Source& source = source_[s];
            const bool left = source.left();
            const std::uint32_t flits = source.freed();
            source.flits.pop(flits);
            freed_[s] = left && source.one_branch() ? last_credits(registers, s) : flits;
            if (!left) return;
            source.forget();
            if (source.behind.empty()) {
                occupied_ &= ~(std::uint64_t{1} << s);
            } else {
                source.head = source.behind.front();
                source.behind.pop();
            }
        });
        each_bit(refused_, [&](std::uint32_t s) { freed_[s] += std::exchange(source_[s].refused, 0); });
        each_bit(any, [&](std::uint32_t s) {
            if (const std::uint32_t flits = std::exchange(freed_[s], 0) & max_amount; flits != 0)
                freed(s, flits);
        });
        moved_ = refused_ = 0;
    }

    /// A flit from a pin. Before `free_flits`: the queue must have had room when the cycle began. Returns
    /// errors.
    std::uint32_t arrive(const Registers& registers, std::uint32_t s, const Flit& flit) {
        Source& source = source_[s];
        const bool from_link = s < link_sources;
        const std::uint32_t depth = from_link ? registers.vc_depth : registers.injection_depth;
        const Entrance from{from_link ? s / Vcs : injected, s % Vcs};
        const bool begins = source.begins(flit);
        Flit kept_as = flit;
        if (begins && from_link && registers.by_distance)
            kept_as.word[0] = Header{flit.word[0]}.after_a_link().bits;
        const Header header{kept_as.word[0]};
        Route way;
        std::uint32_t errors = 0;
        if (begins) {
            const bool malformed =
                !header.well_formed() || (header.kind() >= Header::deposit && !registers.coordinates());
            if (!malformed) way = route(registers, from, header, Receptions);
            errors = (malformed ? Status::malformed : 0) | (way.misrouted ? Status::misrouted : 0) |
                     (way.too_long ? Status::too_long : 0);
        }
        bool kept = false;
        errors |= source.take(kept_as, depth, errors != 0, kept);
        if (source.refused != 0) refused_ |= std::uint64_t{1} << s;
        if (begins && kept) enqueue(registers, s, header, way);
        return errors;
    }

    /// Not enabled: credits are their queue's depth.
    void fill_credits(const Registers& registers) {
        for (std::uint32_t k = 0; k < sinks; ++k)
            sink_[k].credits.fill(k < Ports ? registers.vc_depth : registers.reception_depth);
    }

    /// Credits come back to a sink's channel. Returns errors.
    std::uint32_t give_credits(std::uint32_t k, std::uint32_t v, std::uint32_t flits, std::uint32_t depth) {
        std::uint32_t& credits = sink_[k].credits[v];
        credits += flits;
        if (credits <= depth) return 0;
        credits = depth;
        return Status::credit;
    }

    /// As Queue's.
    template <class State>
    void state(State& state) {
        for (Source& source : source_) source.state(state);
        state(sink_, occupied_, moved_, refused_, freed_, held_, busy_, stalled_, requests_, rests_, gone_,
              turn_, chosen_);
    }

  private:
    static constexpr std::uint32_t none = Sink<Vcs>::none;
    static constexpr std::uint32_t max_amount = 127;   // that credit pins can show
    using Waiting = std::array<std::uint64_t, sinks>;  // sources, of each sink
    /// Of a cycle: sources with room, of each sink; sinks that one asked for, whether it had room or not.
    struct Requests {
        Waiting sources{};
        std::uint32_t asked = 0;
        std::uint64_t high = 0;  ///< of the sources those whose packet is
    };
    /// Link sinks that adaptive packets may choose, and the level of their credits.
    struct Open {
        std::uint32_t ports = 0;
        std::array<std::uint32_t, Ports> credits{};
    };

    template <class Show>
    void grant(const Registers& registers, const Show& show) {
        Waiting waiting{};         // sources with a branch that may start
        std::uint32_t wanted = 0;  // sinks that have some
        const Open open = open_ports(registers);
        each_bit(occupied_, [&](std::uint32_t s) {
            // Most likely to move, and far away: in a large network every cycle finds the caches full of
            // other nodes.
            __builtin_prefetch(&source_[s].flits.front());
            const std::uint32_t may_start = startable(registers, s, open) & ~registers.quiesce;
            wanted |= may_start;
            each_bit(may_start, [&](std::uint32_t k) { waiting[k] |= std::uint64_t{1} << s; });
        });
        const bool wormhole = registers.is_wormhole();
        const std::uint64_t high = high_ones();
        const std::uint32_t busy = busy_;
        stalled_ = 0;
        each_bit((wanted | held_) & ~busy, [&](std::uint32_t k) {
            const std::uint32_t v = wormhole ? next_of_flits(registers, k, waiting[k], high)
                                             : next_of_packets(registers, k, waiting[k], high);
            if (v != none)
                move(registers, k, v, show);
            else if (wormhole ? waiting[k] != 0 || holds_a_flit(sink_[k]) : sink_[k].held == 0)
                stalled_ |= 1U << k;
        });
    }

    /// Section 14: sinks start what was requested two cycles ago, and sources request what they ask for now.
    template <class Show>
    void start_and_request(const Registers& registers, const Show& show) {
        const Open open = open_ports(registers);
        const Requests due = std::exchange(requests_[1], requests_[0]);
        requests_[0] = {};
        const std::uint32_t held = held_;
        const std::uint32_t rests = std::exchange(rests_, 0);
        const std::uint64_t gone = std::exchange(gone_, 0);
        std::uint64_t started = 0;  // sources
        stalled_ = 0;
        each_bit((held | (due.asked & ~rests)) & ~busy_, [&](std::uint32_t k) {
            const bool free = (held >> k & 1U) == 0;
            const std::uint32_t v =
                free ? nominee(registers, k, due.sources[k], due.high, gone) : next_of_holder(k);
            if (v != none && free) {
                rests_ |= 1U << k;
                started |= std::uint64_t{1} << sink_[k].branch[v].source;
            }
            if (v != none)
                move(registers, k, v, show);
            else if (free)
                stalled_ |= 1U << k;
        });
        each_bit(occupied_, [&](std::uint32_t s) { request(registers, open, s, (started >> s & 1U) != 0); });
        each_bit(rests_, [&](std::uint32_t k) { sink_[k].credits[sink_[k].paying] -= sink_[k].owed; });
    }

    /// Of those that requested sink k two cycles ago, none of which has started on it, one starts: its
    /// channel; or none. `gone`: adaptive packets that have started elsewhere in the last cycle.
    std::uint32_t nominee(const Registers& registers, std::uint32_t k, std::uint64_t asking,
                          std::uint64_t high, std::uint64_t gone) {
        if (asking == 0) return none;
        Sink<Vcs>& sink = sink_[k];
        if ((asking & high) != 0) asking &= high;
        const bool by_level = registers.serves_by_level() && !is_round_robins_turn(registers, sink);
        if (by_level) asking = highest(registers, asking);
        std::uint32_t& favoured = by_level ? sink.favoured_by_level : sink.favoured;
        const std::uint32_t s = Sink<Vcs>::first_from(favoured, asking);
        Packet& packet = source_[s].head;
        if ((gone >> s & 1U) != 0) return none;
        if (packet.adaptive) take(registers, packet, source_[s].choices[2]);
        if (free_channel(registers, k, packet, packet.room) == none) return none;
        favoured = s + 1;
        if (packet.adaptive) gone_ |= std::uint64_t{1} << s;
        return start(registers, k, s, packet.room, packet.cost);
    }

    /// By what was so when the cycle began, but for branches that have started. `started`: one of the head
    /// packet's did.
    void request(const Registers& registers, const Open& open, std::uint32_t s, bool started) {
        Source& source = source_[s];
        const bool from_link = s < link_sources;
        const bool stores = from_link && registers.switching == Registers::store_and_forward;
        std::uint32_t level = level_of(registers, s, source.head);
        if (!started && source.closes()) {
            if (!source.behind.empty() && !source.behind.front().adaptive) {
                const Packet& packet = source.behind.front();
                level = level_of(registers, s, packet);
                ask(registers, s, packet, stores ? packet.sinks & ~ones_below(Ports) : packet.sinks);
            }
        } else if (!source.head.adaptive || source.granted != 0) {
            ask(registers, s, source.head, startable(registers, s, open));
        } else {
            const bool may_start = !stores || source.complete();
            if (source.choices[0].sinks != 0) {
                take(registers, source.head, source.choices[0]);
                ask(registers, s, source.head, source.head.sinks);
            }
            source.choices = {may_start ? choose(source.head, open) : Choice{}, source.choices[0],
                              source.choices[1]};
        }
        source.levels = {level, source.levels[0]};
    }

    void ask(const Registers& registers, std::uint32_t s, const Packet& packet, std::uint32_t asked) {
        asked &= ~registers.quiesce;
        requests_[0].asked |= asked;
        if (packet.high) requests_[0].high |= std::uint64_t{1} << s;
        each_bit(asked, [&](std::uint32_t k) {
            const std::uint32_t allowed = k < Ports ? registers.vcs & packet.channels : 1;
            if (sink_[k].has_room(allowed, packet.room)) requests_[0].sources[k] |= std::uint64_t{1} << s;
        });
    }

    std::uint64_t high_ones() const {
        std::uint64_t high = 0;
        each_bit(occupied_, [&](std::uint32_t s) { high |= std::uint64_t{source_[s].head.high} << s; });
        return high;
    }

    /// Credits that go back with the tail of a head packet of one branch: in an escape channel it counts for
    /// a slot.
    std::uint32_t last_credits(const Registers& registers, std::uint32_t s) const {
        const Entrance from{s < link_sources ? s / Vcs : injected, s % Vcs};
        return from.in_escape(registers) ? registers.slot - source_[s].head.length + 1 : 1;
    }

    /// A packet's head goes behind the other packets of its source.
    void enqueue(const Registers& registers, std::uint32_t s, Header header, const Route& way) {
        Source& source = source_[s];
        const std::uint32_t length = header.length();
        const Packet packet{.sinks = way.sinks,
                            .channels = way.channels,
                            .length = length,
                            .room = registers.built.pipelined() ? registers.slot : length,
                            .cost = length,
                            .hops = header.hops(),
                            .high = header.high(),
                            .adaptive = way.adaptive,
                            .enters = way.enters,
                            .choices = way.choices,
                            .escape = way.escape};
        if ((occupied_ >> s & 1U) != 0)
            source.behind.push(packet);
        else
            source.head = packet;
        occupied_ |= std::uint64_t{1} << s;
    }

    /// The sinks for which a source's head packet has a branch that may start.
    std::uint32_t startable(const Registers& registers, std::uint32_t s, const Open& open) {
        Source& source = source_[s];
        if (source.head.adaptive && source.granted == 0)
            take(registers, source.head, choose(source.head, open));
        const std::uint32_t waiting = source.head.sinks & ~source.granted;
        const bool whole = s < link_sources && registers.switching == Registers::store_and_forward;
        return whole && !source.complete() ? waiting & ~ones_below(Ports) : waiting;
    }

    /// An adaptive head packet takes one sink in each cycle (section 5, step 1).
    Choice choose(const Packet& packet, const Open& open) const {
        std::uint32_t most = 0;  // credits of the port it takes, as a level
        Choice choice{packet.escape, false};
        for (std::uint32_t i = 0; i < Ports; ++i) {
            const std::uint32_t port = (turn_ + i) % Ports;
            if ((packet.choices & open.ports & 1U << port) == 0) continue;
            if (choice.chosen && open.credits[port] <= most) continue;
            most = open.credits[port];
            choice = {1U << port, true};
        }
        return choice;
    }

    void take(const Registers& registers, Packet& packet, const Choice& choice) const {
        packet.sinks = choice.sinks;
        packet.chosen = choice.chosen;
        packet.channels = choice.chosen ? registers.dynamic_channels : registers.escape_of(packet.high);
        packet.cost = choice.chosen ? packet.length : registers.slot;
        packet.room = !choice.chosen                ? (packet.enters ? 2 * registers.slot : registers.slot)
                      : registers.built.pipelined() ? registers.slot
                                                    : packet.length;
    }

    Open open_ports(const Registers& registers) const {
        Open open;
        if (!registers.adaptive()) return open;
        for (std::uint32_t port = 0; port < Ports; ++port) {
            if (!has_slot(registers, port)) continue;
            open.ports |= 1U << port;
            if (registers.chooses_by_credits()) open.credits[port] = most_credits(registers, port);
        }
        return open;
    }

    /// A link sink that is free and has room for a packet of any size in a dynamic channel.
    bool has_slot(const Registers& registers, std::uint32_t port) const {
        const Sink<Vcs>& sink = sink_[port];
        return (registers.quiesce >> port & 1U) == 0 && sink.held == 0 && sink.busy == 0 &&
               sink.free_channel(registers.vcs & registers.dynamic_channels, registers.slot) != none;
    }

    /// The level of the dynamic channel with the most credits.
    std::uint32_t most_credits(const Registers& registers, std::uint32_t port) const {
        std::uint32_t most = 0;
        each_bit(registers.vcs & registers.dynamic_channels, [&](std::uint32_t v) {
            most = std::max(most, level(sink_[port].credits[v], registers.vc_depth));
        });
        return most;
    }

    void keep_busy(std::uint32_t k, std::uint32_t cycles_per_flit) {
        if (cycles_per_flit < 2) return;
        sink_[k].busy = cycles_per_flit - 1;
        busy_ |= 1U << k;
    }

    bool holds_a_flit(const Sink<Vcs>& sink) const {
        bool any = false;
        each_bit(sink.held, [&](std::uint32_t v) { any = any || has_next(sink.branch[v]); });
        return any;
    }

    /// A reception sink has one channel, whatever is allowed.
    std::uint32_t free_channel(const Registers& registers, std::uint32_t k, const Packet& packet,
                               std::uint32_t flits) const {
        if (k >= Ports) return sink_[k].free_channel(1, flits);
        const std::uint32_t allowed = registers.vcs & packet.channels;
        return registers.chooses_by_credits() ? sink_[k].freest_channel(allowed, flits, registers.vc_depth)
                                              : sink_[k].free_channel(allowed, flits);
    }

    /// Section 5, step 3. `running`: of worms, sources of branches that have started.
    std::uint32_t arbitrate(const Registers& registers, std::uint32_t k, std::uint64_t candidates,
                            std::uint64_t high, std::uint64_t running = 0) {
        Sink<Vcs>& sink = sink_[k];
        if (!registers.serves_by_level()) return sink.arbitrate(candidates, high);
        if ((candidates & high) != 0) candidates &= high;
        if (is_round_robins_turn(registers, sink) && (candidates & ~running) != 0)
            return sink.arbitrate(candidates & ~running, high);
        return sink.arbitrate_by_level(highest(registers, candidates));
    }

    /// The next packet that starts is chosen by round robin, although others are by level.
    static bool is_round_robins_turn(const Registers& registers, const Sink<Vcs>& sink) {
        return sink.winners + 1 == registers.round_robin_every;
    }

    /// Of sources those of the highest level.
    std::uint64_t highest(const Registers& registers, std::uint64_t candidates) const {
        std::uint64_t found = 0;
        std::uint32_t best = 0;
        each_bit(candidates, [&](std::uint32_t s) {
            const std::uint32_t own =
                registers.built.pipelined() ? source_[s].levels[1] : level_of(registers, s, source_[s].head);
            if (own > best) found = 0;
            best = std::max(best, own);
            if (own == best) found |= std::uint64_t{1} << s;
        });
        return found;
    }

    /// Of a packet that asks, or of its queue.
    std::uint32_t level_of(const Registers& registers, std::uint32_t s, const Packet& packet) const {
        if (registers.by_distance) return packet.hops;
        return level(source_[s].flits.size(),
                     s < link_sources ? registers.vc_depth : registers.injection_depth);
    }

    bool has_next(const typename Sink<Vcs>::Branch& branch) const {
        return branch.next != source_[branch.source].flits.end();
    }

    /// The channel of the branch that holds a sink, if it has a flit to move, or none.
    std::uint32_t next_of_holder(std::uint32_t k) const {
        const auto v = static_cast<std::uint32_t>(__builtin_ctz(sink_[k].held));
        return has_next(sink_[k].branch[v]) ? v : none;
    }

    /// Store and forward, virtual cut-through: the channel whose flit a sink moves, or none.
    std::uint32_t next_of_packets(const Registers& registers, std::uint32_t k, std::uint64_t waiting,
                                  std::uint64_t high) {
        Sink<Vcs>& sink = sink_[k];
        if (sink.held != 0) return next_of_holder(k);
        std::uint64_t candidates = 0;
        each_bit(waiting, [&](std::uint32_t s) {
            const Packet& packet = source_[s].head;
            if (free_channel(registers, k, packet, packet.room) != none) candidates |= std::uint64_t{1} << s;
        });
        if (candidates == 0) return none;
        const std::uint32_t s = arbitrate(registers, k, candidates, high);
        return start(registers, k, s, source_[s].head.room, source_[s].head.cost);
    }

    /// Wormhole: the same, flit by flit.
    std::uint32_t next_of_flits(const Registers& registers, std::uint32_t k, std::uint64_t waiting,
                                std::uint64_t high) {
        Sink<Vcs>& sink = sink_[k];
        std::uint64_t running = 0;
        each_bit(sink.held, [&](std::uint32_t v) {
            if (sink.credits[v] > 0 && has_next(sink.branch[v]))
                running |= std::uint64_t{1} << sink.branch[v].source;
        });
        std::uint64_t candidates = running;
        each_bit(waiting, [&](std::uint32_t s) {
            if (free_channel(registers, k, source_[s].head, 1) != none) candidates |= std::uint64_t{1} << s;
        });
        if (candidates == 0) return none;
        const std::uint32_t s = arbitrate(registers, k, candidates, high, running);
        if ((running >> s & 1U) == 0) return start(registers, k, s, 1, 1);
        std::uint32_t v = 0;
        while ((sink.held >> v & 1U) == 0 || sink.branch[v].source != s) ++v;
        --sink.credits[v];
        return v;
    }

    /// A branch takes a sink's free channel with `room` and pays `cost`.
    std::uint32_t start(const Registers& registers, std::uint32_t k, std::uint32_t s, std::uint32_t room,
                        std::uint32_t cost) {
        Sink<Vcs>& sink = sink_[k];
        Source& source = source_[s];
        const Packet& packet = source.head;
        const std::uint32_t v = free_channel(registers, k, packet, room);
        if (registers.built.pipelined()) {
            sink.paying = v;
            sink.owed = cost;
        } else {
            sink.credits[v] -= cost;
        }
        if (registers.serves_by_level())
            sink.winners = sink.winners + 1 >= registers.round_robin_every ? 0 : sink.winners + 1;
        if (packet.adaptive && packet.chosen) chosen_ = true;
        sink.held |= 1U << v;
        sink.branch[v] = {s, source.flits.begin(), packet.length};
        held_ |= 1U << k;
        source.granted |= 1U << k;
        return v;
    }

    template <class Show>
    void move(const Registers& registers, std::uint32_t k, std::uint32_t v, const Show& show) {
        if (k < Ports) keep_busy(k, registers.cycles_per_flit);
        Sink<Vcs>& sink = sink_[k];
        auto& branch = sink.branch[v];
        Source& source = source_[branch.source];
        const bool first = branch.left == source.head.length;
        const std::uint32_t ends = (first ? 1U : 0U) | (branch.left == 1 ? 2U : 0U);
        const Flit& flit = source.flits.at(branch.next++);
        show(k, v, Flit{{flit.word[0], flit.word[1]}, static_cast<std::uint8_t>(ends)});
        moved_ |= std::uint64_t{1} << branch.source;
        if (--branch.left > 0) {
            const bool at_once = k >= Ports || registers.cycles_per_flit <= 1;
            if (branch.left == 1 && !first && at_once && has_next(branch)) source.closing |= 1U << k;
            return;
        }
        source.finished |= 1U << k;
        sink.held &= ~(1U << v);
        if (sink.held == 0) held_ &= ~(1U << k);
    }

    std::array<Source, sources> source_;
    std::array<Sink<Vcs>, sinks> sink_;
    std::uint64_t occupied_ = 0;                  ///< sources that have a packet
    std::uint64_t moved_ = 0;                     ///< sources that have moved a flit in this cycle
    std::uint64_t refused_ = 0;                   ///< sources that have refused one
    std::array<std::uint32_t, sources> freed_{};  ///< 0 between cycles
    std::uint32_t held_ = 0;                      ///< sinks with a channel that is held
    std::uint32_t busy_ = 0;                      ///< link sinks that are busy
    std::uint32_t stalled_ = 0;
    // Pipelined: the requests of the last cycle, and of the one before; in the last cycle, sinks where a
    // packet started, and sources of which an adaptive one did.
    std::array<Requests, 2> requests_{};
    std::uint32_t rests_ = 0;
    std::uint64_t gone_ = 0;
    std::uint32_t turn_ = 0;  ///< the port from which adaptive packets choose
    bool chosen_ = false;     ///< one of them did in this cycle
};

}  // namespace interlace::systemc
