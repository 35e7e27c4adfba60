// Interlace: native nodes packet by packet (docs/node.md, section 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "packet_region.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <utility>

#include "arbitration.h"
#include "interlace/core/error.h"
#include "interlace/engine/region/calendar.h"
#include "packet_region_state.h"
#include "routed.h"

namespace interlace::native {
namespace {

/// Every packet that starts is taken through at once: when a packet has won a sink, under store and forward
/// and cut-through, there is room for all of it, and its flits follow one another as fast as the link takes
/// them and as they come. So all cycles in which they move are known as far as those are known in which they
/// arrive, and with them when they arrive at the next node, when their credits are back, and when the sink is
/// free. What a host, or a neighbour, writes flit by flit is followed from node to node as it is written.
///
/// Of neighbours outside the region, those that exchange packets are told, and tell, whole packets and the
/// room that they leave, as soon as that is known; all others see flits and credits on pins.
class PacketRegion final : public PacketRegionState, public PacketExchange, public RegionCheckpoint {
  public:
    PacketRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables)
        : PacketRegionState(fabric, nodes),
          tables_(tables),
          resting_(asking_.size(), 0),
          asks_at_(asking_.size(), never) {
        for (Calendar* calendar : {&arrivals_, &leaves_, &wakes_, &tails_}) calendar->fetch_ahead(fetches_);
    }

    void supervise(Supervision /*level*/) override { supervised_ = true; }
    bool takes_packets() const override { return true; }
    bool runs_alone() const override { return true; }
    PacketExchange* packet_exchange() override { return this; }
    void exchange_packets() override { exchanges_ = true; }

    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        if (cycle_ >= most_ticks)
            throw InputError("cannot run native nodes for so many cycles", "at most 1.1e12 cycles");
        in_vain_.clear();
        for (const Ready& change : inputs.ready) set_ready(change);
        take_receptions(outputs);
        leaves_.visit(
            cycle_, [&](std::uint32_t source) { leave(source); },
            [&](std::uint32_t source) { fetch(n_.heads[source]); },
            [&](std::uint32_t source) { fetch(n_.head_of(source)); },
            [&](std::uint32_t source) { fetch_leaving(source); });
        offer_rest(cycle_);
        wholes_.visit(cycle_, [&](std::uint32_t source) { offer(source, cycle_); });
        asks_.visit(cycle_, [&](std::uint32_t node) {
            if (rests(node) && asks_at_[node] == cycle_) ask_again(node);
        });
        for (const std::uint32_t node : asking_nodes_) ask(node);
        wakes_.visit(
            cycle_, [&](std::uint32_t sink) { run(SinkId{sink}); },
            [&](std::uint32_t sink) { fetch(n_.sink(SinkId{sink})); },
            [&](std::uint32_t sink) { fetch_sources(SinkId{sink}); },
            [&](std::uint32_t sink) { fetch_heads(SinkId{sink}); },
            [&](std::uint32_t sink) { fetch_upstream(SinkId{sink}); });
        end_asking();
        show_freed(outputs);
        outputs.returns.insert(outputs.returns.end(), ahead_.begin(), ahead_.end());
        ahead_.clear();
        receive();
        for (const std::uint32_t queue : popped_) give_back(queue);
        show_links(outputs);
        take_in(inputs);
        outputs.ahead.append(told_);
        told_.clear();
        ++cycle_;
    }

    void take(const LinkTokens& tokens) override {
        --cycle_;  // as in the last tick
        for (const LinkPacket& packet : tokens.packets) enter(packet);
        offer_rest(cycle_ + 1);
        for (const LinkReturn& freed : tokens.returns) {
            const SinkId sink{local_[freed.node], freed.port};
            credits_.add(n_.channel(sink, freed.vc), freed.what);
            look_again(sink);
        }
        ++cycle_;
    }

    std::uint64_t idle() const override {
        if (!asking_nodes_.empty() || !freeing_.empty() || !told_.empty() || !receiving_.empty() ||
            (receptions_ && !receptions_->empty()) || !moving_.empty())
            return 0;
        std::uint64_t next = never;
        for (const Calendar* calendar : {&wakes_, &arrivals_, &wholes_, &tails_, &asks_})
            if ((next = std::min(next, calendar->next(cycle_))) == cycle_) return 0;
        // Where nothing is behind a packet that leaves, nothing happens.
        next = std::min(next, leaves_.next(cycle_, [&](std::uint32_t source) {
            const Held& held = n_.head_of(source);
            return held.next != none || !held.single();
        }));
        return next == never ? never : next - cycle_;
    }
    void skip(std::uint64_t cycles) override {
        if (cycles != 0) in_vain_.clear();
        const std::uint64_t end = cycle_ + cycles;
        while ((cycle_ = std::min(end, leaves_.next(cycle_))) < end)
            leaves_.visit(cycle_, [&](std::uint32_t source) { leave(source); });
        offer_rest(cycle_);
    }

    RegionCheckpoint* checkpoint() override { return this; }
    void state(RegionState& state) override {
        end_rests();  // which counts
        counted_state(state);
        if (cycle_ >= most_ticks) throw BrokenBytes();
        assert(ahead_.empty());  // packets that hosts hand over start in ticks
        const LinkTokens inside = nodes_state(state);
        if (!state.nodes.loads()) return;
        for (std::uint32_t s = 0; s < n_.heads.size(); ++s) go_on_with_source(s);
        each_sink([&](SinkId id) { go_on_with_sink(id); });
        take(inside);
        each_sink([&](SinkId id) {
            const std::uint32_t onward = n_.sink(id).onward();
            if (onward != none && !is_part_of(n_.packets[onward], n_.sink(id))) throw BrokenBytes();
        });
    }

  private:
    // What is to happen to a node that has been loaded, when all have been.

    void go_on_with_source(std::uint32_t source) {
        if (n_.heads[source] == none) return;
        const Held& held = n_.head_of(source);
        note_coming(n_.tail_of(source));
        if (held.started != 0 && held.timed == held.route) leaves_.add(cycle_, held.end() + 1, source);
        if (f_.parameters.switching == Switching::store_and_forward && n_.entrances[held.local].link &&
            held.arrived() && held.arrivals.last() >= cycle_ - 1)
            wholes_.add(cycle_, held.arrivals.last() + 1, source);
        const bool freed = held.timed == held.route && held.end() < cycle_;
        if (held.started != 0 && !freed && shows_room(held)) freeing_.push_back(source);
    }
    void go_on_with_sink(SinkId id) {
        PacketSink& sink = n_.sink(id);
        if (sink.want != 0 && sink.ends()) look_at(id, std::max(cycle_, sink.free_from()));
        if (sink.packet() == none) return;
        const bool moves = !sink.ends() || sink.moves.last() >= cycle_;
        if (moves && (watches_links_ || (!exchanges_ && leads_out(id)))) moving_.push_back(id);
        const bool received = id.k() >= f_.ports;
        if (received && slow_[n_.queue_of(id)]) {
            if (sink.free_from() > cycle_) receiving_.push_back(n_.queue_of(id));
        } else if (received && sink.ends() && sink.moves.last() + 1 >= cycle_) {
            tails_.add(cycle_, sink.moves.last() + 1, n_.queue_of(id));
        }
        if (received || leads_out(id) || sink.ends()) return;
        // The packet that comes to the far end is not known as a whole.
        const FarPort far = to(id);
        const auto onward = coming_.find(n_.source_index(local_[far.node], far.port * f_.vcs + sink.vc()));
        if (onward == coming_.end()) throw BrokenBytes();
        sink.hold(sink.packet(), sink.vc(), onward->second);
    }
    /// A packet has come as far as it has moved through the sink behind which it is.
    bool is_part_of(const Held& onward, const PacketSink& sink) const {
        return onward.length == n_.packets[sink.packet()].length &&
               onward.arrivals.count() == sink.moves.count();
    }

    // Hosts and reception queues. A queue whose host has always been ready gives each flit in the cycle after
    // the one in which it came; all others are followed flit by flit.

    Reception reception(std::uint32_t queue, const Packet& packet) const {
        return {global_[queue / f_.receptions], static_cast<std::uint8_t>(queue % f_.receptions), packet};
    }

    void set_ready(const Ready& change) {
        const std::size_t queue = queue_index(NodeId{change.node}, change.queue);
        if (!slow_[queue] && !change.ready) slow_down(static_cast<std::uint32_t>(queue));
        if (receptions_) receptions_->set_ready(queue, change.ready);
    }

    /// From now on the queue is followed flit by flit.
    void slow_down(std::uint32_t queue) {
        if (occupancy_ && cycle_ != 0) counts_->reception(queue, cycle_ - 1, *occupancy_);
        slow_[queue] = true;
        if (!receptions_) receptions_.emplace(slow_.size());
        const SinkId id = n_.sink_of(queue);
        const PacketSink& sink = n_.sink(id);
        credits_.cut(n_.channel(id, 0), cycle_);
        if (sink.packet() == none) return;
        const Packet& packet = n_.packets[sink.packet()].packet;
        const std::uint32_t come = sink.moves.until(cycle_ - 1);
        const std::uint32_t taken = come - (sink.moves.passes(cycle_ - 1) ? 1 : 0);
        if (taken != 0 && taken != packet.length()) receptions_->resume(queue, packet, taken);
        if (come != taken) receptions_->push(queue, {packet, static_cast<std::uint8_t>(taken)});
        if (sink.free_from() > cycle_) receiving_.push_back(queue);
    }

    void take_receptions(RegionOutputs& outputs) {
        popped_.clear();
        tails_.visit(
            cycle_,
            [&](std::uint32_t queue) {
                const std::uint32_t packet = n_.sink(n_.sink_of(queue)).packet();
                if (slow_[queue] || packet == none) return;
                outputs.receptions.push_back(reception(queue, n_.packets[packet].packet));
            },
            [&](std::uint32_t queue) { fetch(n_.sink(n_.sink_of(queue))); },
            [&](std::uint32_t queue) {
                const std::uint32_t packet = n_.sink(n_.sink_of(queue)).packet();
                if (packet != none) fetch(n_.packets[packet]);
            });
        if (!receptions_) return;
        receptions_->take([&](std::uint32_t queue, const Flit& flit) {
            popped_.push_back(queue);
            if (occupancy_) occupancy_->reception(queue, receptions_->flits(queue) - 1, cycle_);
            if (flit.tail()) outputs.receptions.push_back(reception(queue, flit.packet));
        });
    }

    /// Flits that move into queues that are followed.
    void receive() {
        std::size_t kept = 0;
        for (const std::uint32_t queue : receiving_) {
            const PacketSink& sink = n_.sink(n_.sink_of(queue));
            if (const auto flit = n_.flit_at(sink, cycle_)) {
                const std::uint32_t flits = receptions_->push(queue, *flit);
                note(QueueClass::reception, flits);
                if (occupancy_) occupancy_->reception(queue, flits, cycle_);
            }
            if (sink.free_from() > cycle_ + 1) receiving_[kept++] = queue;
        }
        receiving_.resize(kept);
    }

    void give_back(std::uint32_t queue) {
        credits_.give(n_.channel(n_.sink_of(queue), 0), 1);
        look_again(n_.sink_of(queue));
    }

    // Sources.

    void take_in(const RegionInputs& inputs) {
        arrivals_.visit(
            cycle_, [&](std::uint32_t packet) { arrive(packet); },
            [&](std::uint32_t packet) { fetch(n_.packets[packet]); },
            [&](std::uint32_t packet) { fetch(n_.heads[n_.source_of(n_.packets[packet])]); },
            [&](std::uint32_t packet) { fetch_head(n_.source_of(n_.packets[packet])); });
        for (std::size_t i = 0; i < inputs.packets.size(); ++i) {
            if (fetches_ && i + 8 < inputs.packets.size())
                fetch(n_.heads[source_into(inputs.packets[i + 8])]);
            if (fetches_ && i + 4 < inputs.packets.size()) fetch_head(source_into(inputs.packets[i + 4]));
            const Writing& writing = inputs.packets[i];
            const std::uint32_t source = source_into(writing);
            const std::uint32_t index = make(n_.node_of(source), n_.local_of(source), writing.packet);
            n_.packets[index].handed_over = true;
            n_.packets[index].arrivals.set(cycle_, 1, writing.packet.length());
            arrive(index);
        }
        for (const LinkFlit& flit : inputs.injections)
            enter(n_.source_index(local_[flit.node], f_.link_sources() + flit.port), flit.flit);
        for (const LinkFlit& flit : inputs.flits) enter(channel_into(flit), flit.flit);
        for (const RawLinkFlit& flit : inputs.raw_flits) enter(channel_into(flit), flit.flit);
        for (const Credit& credit : inputs.credits) give(credit);
        offer_rest(cycle_ + 1);
    }

    std::uint32_t source_into(const Writing& writing) const {
        return n_.source_index(local_[writing.node], f_.link_sources() + writing.queue);
    }
    template <class Flit>
    std::uint32_t channel_into(const Flit& flit) const {
        return n_.source_index(local_[flit.node], flit.port * f_.vcs + flit.vc);
    }

    /// A host, or a neighbour, shows a flit.
    void enter(std::uint32_t source, const Flit& flit) {
        const std::uint32_t node = n_.node_of(source);
        if (flit.head()) {
            const std::uint32_t index = make(node, n_.local_of(source), flit.packet);
            n_.packets[index].arrivals.append(cycle_);
            arrive(index);
        } else {
            const std::uint32_t tail = n_.tail_of(source);
            if (tail == none || n_.packets[tail].arrived()) return fail(node, malformed);
            n_.packets[tail].arrivals.append(cycle_);
            extended(tail);
        }
        const std::uint32_t flits = n_.shown(source, cycle_);
        note(n_.class_of(source), flits);
        if (flits > f_.parameters.depth(n_.class_of(source))) fail(node, overflow);
    }

    /// Hardware shows a flit. What belongs to no packet is dropped.
    void enter(std::uint32_t source, const RawFlit& flit) {
        const std::uint32_t tail = n_.tail_of(source);
        if ((flit.ends & 1U) != 0)
            enter(source, Flit{{flit.word[0], flit.word[1]}, 0});
        else if (tail != none && !n_.packets[tail].arrived())
            enter(source, Flit{n_.packets[tail].packet,
                               static_cast<std::uint8_t>(n_.packets[tail].arrivals.count())});
        else
            fail(n_.node_of(source), malformed);
    }

    /// A neighbour shows credits.
    void give(const Credit& credit) {
        const SinkId sink{local_[credit.node], credit.port};
        const std::size_t channel = n_.channel(sink, credit.vc);
        credits_.give(channel, credit.amount);
        if (credits_.at(channel, cycle_) > f_.parameters.vc_depth) fail(local_[credit.node], credit_error);
        look_again(sink);
    }

    /// A neighbour tells of a packet, or more of one that it has told of.
    void enter(const LinkPacket& told) {
        const std::uint32_t source = channel_into(told);
        std::uint32_t index = none;
        if (told.from == 0) {
            index = make(local_[told.node], n_.local_of(source), told.packet);
            n_.packets[index].arrivals.set(told.when.first, told.when.step, told.when.count);
            if (told.when.first <= cycle_)
                arrive(index);
            else
                arrivals_.add(cycle_, told.when.first, index);
        } else {
            const auto coming = coming_.find(source);
            if (coming == coming_.end() || n_.packets[coming->second].arrivals.count() != told.from)
                return fail(local_[told.node], malformed);
            index = coming->second;
            for (std::uint32_t i = 0; i < told.when.count; ++i)
                n_.packets[index].arrivals.append(told.when.first + std::uint64_t{told.when.step} * i);
            extended(index);
        }
        if (!n_.packets[index].arrived())
            coming_[source] = index;
        else if (told.from != 0)
            coming_.erase(source);
    }

    std::uint32_t make(std::uint32_t node, std::uint32_t local, const Packet& packet) {
        const std::uint32_t index = n_.packets.make();
        if (index >= PacketSink::no_packet)
            throw InputError("cannot hold so many packets", "fewer than 2^30 at a time");
        Held& held = n_.packets[index];
        held.packet = packet;
        held.node = node;
        held.local = static_cast<std::uint8_t>(local);
        held.length = static_cast<std::uint8_t>(packet.length());
        return index;
    }

    /// The packet's head is on the pins of its source in this cycle.
    void arrive(std::uint32_t index) {
        Held& held = n_.packets[index];
        const Status status =
            route_packet(held, f_, tables_, global_[held.node], n_.entrances[held.local], held.packet);
        if (status != fine) fail(held.node, status);
        const std::uint32_t here = n_.source_of(held);
        n_.append(here, index);
        if (!n_.entrances[held.local].link)
            note_growth(here);
        else if (n_.in_escape(held))
            note(QueueClass::channel, n_.shown(here, cycle_));
        if (n_.heads[here] == index) offer_soon(here, cycle_ + 1);
    }

    void fail(std::uint32_t node, Status bit) {
        status_[node] |= bit;
        if (supervised_) throw NodeFault(global_[node], cycle_ + 1, status_meaning(bit));
    }

    /// offer(), once the sink has come from memory; all with one `cycle`, until offer_rest().
    void offer_soon(std::uint32_t source, std::uint64_t cycle) {
        if (!fetches_) return offer(source, cycle);
        const Held& held = n_.head_of(source);
        if (held.route != 0) fetch(n_.sink({held.node, n_.first_of(held.route)}));
        const std::uint32_t before = std::exchange(offers_[next_offer_++ % offers_.size()], source);
        if (before != none) offer(before, cycle);
    }
    void offer_rest(std::uint64_t cycle) {
        for (std::uint32_t& source : offers_)
            if (source != none) offer(std::exchange(source, none), cycle);
    }

    /// The head packet of a source asks, from `cycle` on, for the sinks that it may start on.
    void offer(std::uint32_t source, std::uint64_t cycle) {
        const Held& held = n_.head_of(source);
        const std::uint32_t node = held.node, local = held.local;
        const bool waits = f_.parameters.switching == Switching::store_and_forward &&
                           n_.entrances[local].link && (!held.arrived() || held.arrivals.last() >= cycle);
        const bool onward = held.adaptive || (held.route & f_.link_sinks()) != 0;
        if (waits && onward && held.arrived()) wholes_.add(cycle_, held.arrivals.last() + 1, source);
        std::uint32_t sinks = held.adaptive ? 0 : held.route & ~held.started;
        if (waits) sinks &= ~f_.link_sinks();
        if (held.adaptive && held.started == 0 && !waits) {
            ask_from(node, cycle);
            if (asking_[node] == 0) asking_nodes_.push_back(node);
            asking_[node] |= std::uint64_t{1} << local;
        }
        each_bit(sinks, [&](std::uint32_t k) {
            PacketSink& sink = n_.sink({node, k});
            sink.want |= std::uint64_t{1} << local;
            look_at({node, k}, std::max(cycle, sink.free_from()));
        });
    }

    /// The head packet has left in the last cycle.
    void leave(std::uint32_t index) {
        const Held& held = n_.head_of(index);
        if (occupancy_) counts_->source(index, held.end(), *occupancy_);
        if (!held.single()) note(n_.class_of(held), n_.shown(index, held.end() - 1));
        const std::uint32_t left = n_.take_head(index);
        each_bit(held.route, [&](std::uint32_t k) {
            PacketSink& sink = n_.sink({held.node, k});
            if (sink.packet() == left) sink.release();
        });
        n_.packets.drop(left);
        if (n_.heads[index] != none) offer_soon(index, cycle_);
    }

    // Sinks.

    void look_at(SinkId id, std::uint64_t cycle) {
        if (id.k() < f_.ports) ask_from(id.node(), cycle);
        PacketSink& sink = n_.sink(id);
        if (cycle == never || sink.wakes_by(cycle, cycle_)) return;
        sink.wake_at(cycle);
        wakes_.add(cycle_, cycle, id.value);
    }

    void run(SinkId id) {
        PacketSink& sink = n_.sink(id);
        if (!sink.wakes_at(cycle_)) return;
        sink.awake();
        if (sink.want == 0) return;
        if (sink.free_from() > cycle_) {
            look_at(id, sink.free_from());
            return;
        }
        const std::uint32_t node = id.node();
        std::uint64_t fit = 0;
        std::uint32_t vc = none;  // of the last that fits
        each_bit(sink.want, [&](std::uint32_t s) {
            const std::uint32_t free = free_channel(id, n_.head(node, s));
            if (free == none) return;
            fit |= std::uint64_t{1} << s;
            vc = free;
        });
        if (fit == 0) {
            if (!stalls(id)) begin_stall(id);
            look_again(id);
            return;
        }
        end_stall(id, cycle_);
        const std::uint32_t winner = sink.arbiter.choose(
            f_, fit, 0, [&](std::uint32_t s) { return n_.head(node, s).packet.high(); },
            [&](std::uint32_t s) {
                return f_.by_hops() ? n_.head(node, s).packet.hops() : fullness(n_.source_index(node, s));
            });
        sink.arbiter.started(f_);
        if (!is_single(fit)) vc = free_channel(id, n_.head(node, winner));
        start(id, winner, vc);
        if (sink.want != 0) look_at(id, sink.free_from());
    }

    /// When something that waits for room will find it, as far as that is known.
    [[gnu::always_inline]] void look_again(SinkId id) {
        if (rests(id.node()) || stalls(id)) look_for_room(id);
    }
    void look_for_room(SinkId id) {
        const std::uint32_t node = id.node();
        if (rests(node) && id.k() < f_.ports)
            ask_from(node, std::max(first_chance(node, 1U << id.k()), cycle_ + 1));
        if (!stalls(id)) return;
        std::uint64_t first = never;
        each_bit(n_.sink(id).want, [&](std::uint32_t s) {
            const Held& held = n_.head(node, s);
            each_bit(allowed(id, held), [&](std::uint32_t vc) {
                first = std::min(first, credits_.when(n_.channel(id, vc), room_of(held), cycle_));
            });
        });
        if (first != never) look_at(id, std::max(first, cycle_ + 1));
    }

    void begin_stall(SinkId id) {
        n_.sink(id).set_free_from(cycle_);
        stalled_[id.node()] |= 1U << id.k();
    }
    /// Nothing waits for room from `cycle` on.
    void end_stall(SinkId id, std::uint64_t cycle) {
        if (!stalls(id)) return;
        const std::uint64_t cycles = cycle - n_.sink(id).free_from();
        use_.stall_cycles[static_cast<std::size_t>(n_.class_behind(id))] += cycles;
        if (occupancy_) occupancy_->stall(n_.sink_index(id), cycles);
        stalled_[id.node()] &= ~(1U << id.k());
    }

    std::uint32_t allowed(SinkId id, const Held& held) const {
        return id.k() < f_.ports ? held.channels & f_.all_channels() : 1U;
    }

    /// Credits that a packet has to find.
    std::uint32_t room_of(const Held& held) const {
        return !held.escapes ? held.length : (held.enters ? 2 : 1) * f_.parameters.packet_flits;
    }

    /// The lowest channel of the sink that the packet may use and that has room for it; by credits, of those
    /// on the highest level.
    std::uint32_t free_channel(SinkId id, const Held& held) {
        const std::size_t first = n_.channel(id, 0);
        std::uint32_t best = none, highest = 0;
        for (std::uint32_t left = allowed(id, held); left != 0; left &= left - 1) {
            const auto vc = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::uint32_t credits = credits_.at(first + vc, cycle_);
            if (credits < room_of(held)) continue;
            if (!f_.by_credits() || id.k() >= f_.ports) return vc;
            const std::uint32_t full = level(credits, f_.parameters.vc_depth);
            if (best == none || full > highest) best = vc;
            highest = std::max(highest, full);
        }
        return best;
    }

    /// The packet at the head of `source` begins to move through the sink, in a channel of it.
    void start(SinkId id, std::uint32_t source, std::uint32_t vc) {
        const std::uint32_t node = id.node(), k = id.k();
        const std::uint32_t packet = n_.heads[n_.source_index(node, source)];
        Held& held = n_.packets[packet];
        const bool injects = !n_.entrances[source].link;
        credits_.pay(n_.channel(id, vc), held.escapes ? f_.parameters.packet_flits : held.length);
        note_growth_before(held);
        held.started |= 1U << k;
        if (occupancy_ && k >= f_.ports && !slow_[n_.queue_of(id)])
            counts_->reception(n_.queue_of(id), cycle_ - 1, *occupancy_);
        if (held.started == 1U << k && shows_room(held)) freeing_.push_back(n_.source_of(held));
        if (watches_links_ || (!exchanges_ && leads_out(id))) moving_.push_back(id);
        PacketSink& sink = n_.sink(id);
        sink.want &= ~(std::uint64_t{1} << source);
        sink.hold(packet, vc, k < f_.ports ? send(id, Packet{held.packet}, vc) : none);
        if (k >= f_.ports && slow_[n_.queue_of(id)])
            receiving_.push_back(n_.queue_of(id));
        else if (k >= f_.ports)
            note(QueueClass::reception, 1);
        follow(id, 0);
        if (injects) note_growth(n_.source_index(node, source));
    }
    /// What the packet is at the far end of the link; `none`: that is outside.
    std::uint32_t send(SinkId id, const Packet& packet, std::uint32_t vc) {
        ++use_.hops;
        const FarPort far = to(id);
        if (is_outside(far.node)) return none;
        const std::uint32_t onward = make(local_[far.node], far.port * f_.vcs + vc, packet);
        arrivals_.add(cycle_, cycle_ + 1 + f_.flit_delay(global_[id.node()], id.k()), onward);
        return onward;
    }

    /// The flits of a packet that moves follow one another as far as their arrivals are known; from the
    /// `from`-th on this is new.
    void follow(SinkId id, std::uint32_t from) {
        PacketSink& sink = n_.sink(id);
        const Held& held = n_.packets[sink.packet()];
        const std::uint32_t known = held.arrivals.count();
        const std::uint32_t step = n_.step_of(id.k());
        const bool in_turn = held.arrivals.even() && (known == 1 || held.arrivals.step() <= step);
        if (from == 0) sink.moves.set(cycle_, step, in_turn ? known : 1);
        for (std::uint32_t i = sink.moves.count(); i < known; ++i)
            sink.moves.append(std::max(sink.moves.last() + step, held.arrivals.at(i) + 1));
        const std::uint32_t onward = sink.onward();
        hand_on(id, from);
        if (known == held.length) finish(id);
        if (from != 0 && onward != none) extended(onward);
    }

    /// What follows of the moves of a packet's flits from the `from`-th on: when they come to the next node,
    /// and when their room is free.
    void hand_on(SinkId id, std::uint32_t from) {
        const PacketSink& sink = n_.sink(id);
        const FlitTimes& moves = sink.moves;
        const std::uint32_t node = id.node(), k = id.k();
        if (sink.onward() != none) {
            FlitTimes& arrivals = n_.packets[sink.onward()].arrivals;
            const std::uint32_t delay = 1 + f_.flit_delay(global_[node], k);
            if (from == 0 && moves.even())
                arrivals.set(moves.at(0) + delay, moves.step(), moves.count());
            else
                for (std::uint32_t i = from; i < moves.count(); ++i) arrivals.append(moves.at(i) + delay);
        } else if (k < f_.ports) {
            if (exchanges_) tell(id, from);
        } else if (!slow_[n_.queue_of(id)]) {
            add_returns(id, 0, moves, from, 2, 0);
        }
        const Held& held = n_.packets[sink.packet()];
        if (!held.single()) return;
        if (held.handed_over) give_host(held, moves);
        if (!n_.entrances[held.local].link) return;
        const bool whole = moves.count() == held.length;
        give_upstream(held, moves, from,
                      whole && n_.in_escape(held) ? f_.parameters.packet_flits - held.length : 0);
    }

    /// Whoever filled the packet's queue sees its room flit by flit.
    bool shows_room(const Held& held) const {
        if (!n_.entrances[held.local].link) return !held.handed_over;
        return !exchanges_ && is_outside(from(held).node);
    }

    /// A neighbour hears of a packet's flits, from the `first`-th on.
    void tell(SinkId id, std::uint32_t first) {
        const PacketSink& sink = n_.sink(id);
        const FarPort far = to(id);
        const std::uint32_t delay = 1 + f_.flit_delay(global_[id.node()], id.k());
        each_return(sink.moves, first, delay, 0, [&](const Return& when) {
            told_.packets.push_back({far.node, far.port, static_cast<std::uint8_t>(sink.vc()),
                                     static_cast<std::uint8_t>(first), n_.packets[sink.packet()].packet,
                                     when});
            first += when.count;
        });
    }

    /// Flits that leave a channel are credits of the node before it.
    void give_upstream(const Held& held, const FlitTimes& moves, std::uint32_t first, std::uint32_t more) {
        const Entrance& entrance = n_.entrances[held.local];
        const FarPort far = from(held);
        const std::uint32_t delay = 2 + f_.credit_delay(global_[held.node], entrance.port);
        const auto vc = static_cast<std::uint8_t>(entrance.vc);
        if (!is_outside(far.node))
            add_returns({local_[far.node], far.port}, vc, moves, first, delay, more);
        else if (exchanges_)
            each_return(moves, first, delay, more, [&](const Return& what) {
                told_.returns.push_back({far.node, far.port, vc, what});
            });
    }

    /// What is free in an injection queue, and when, the host of a packet that it handed over learns at once.
    void give_host(const Held& held, const FlitTimes& moves) {
        const auto queue = static_cast<std::uint8_t>(held.local - f_.link_sources());
        each_return(moves, 0, 2, 0, [&](const Return& what) {
            ahead_.push_back({global_[held.node], queue, what});
        });
    }

    /// Credits of a channel of a sink.
    void add_returns(SinkId id, std::uint32_t vc, const FlitTimes& moves, std::uint32_t from,
                     std::uint32_t delay, std::uint32_t more) {
        const std::size_t channel = n_.channel(id, vc);
        each_return(moves, from, delay, more, [&](const Return& what) { credits_.add(channel, what); });
        look_again(id);
    }

    /// The room of flits that have moved, from the `from`-th on, counts `delay` cycles later.
    template <class Visit>
    static void each_return(const FlitTimes& moves, std::uint32_t from, std::uint32_t delay,
                            std::uint32_t more, const Visit& visit) {
        const auto last = static_cast<std::uint16_t>(more);
        const std::uint32_t count = moves.count();
        if (moves.even()) {
            visit(
                Return{moves.at(from) + delay, moves.step(), static_cast<std::uint16_t>(count - from), last});
            return;
        }
        for (std::uint32_t i = from; i < count; ++i)
            visit(Return{moves.at(i) + delay, 1, 1, i + 1 == count ? last : std::uint16_t{0}});
    }

    /// All cycles in which the packet's flits move are known.
    void finish(SinkId id) {
        PacketSink& sink = n_.sink(id);
        const std::uint32_t k = id.k();
        Held& held = n_.packets[sink.packet()];
        const std::uint64_t last = sink.moves.last(), free_from = last + n_.step_of(k);
        sink.set_free_from(free_from);
        if (k < f_.ports) ask_from(id.node(), free_from);
        if (sink.want != 0) look_at(id, free_from);
        if (k >= f_.ports && !slow_[n_.queue_of(id)]) tails_.add(cycle_, last + 1, n_.queue_of(id));
        held.timed |= 1U << k;
        held.stays = std::max(held.stays, static_cast<std::uint32_t>(last - held.arrivals.at(0)));
        if (held.timed != held.route) return;
        leaves_.add(cycle_, held.end() + 1, n_.source_of(held));
        if (held.single()) return;
        FlitTimes all;
        all.set(held.end(), 0, held.length);
        if (held.handed_over) give_host(held, all);
        if (n_.entrances[held.local].link) give_upstream(held, all, 0, 0);
    }

    /// More of a packet's arrivals are known.
    void extended(std::uint32_t packet) {
        const std::uint32_t node = n_.packets[packet].node;
        each_bit(n_.packets[packet].started & ~n_.packets[packet].timed, [&](std::uint32_t k) {
            follow({node, k}, n_.sink({node, k}).moves.count());
        });
        const Held& held = n_.packets[packet];
        if (f_.parameters.switching == Switching::store_and_forward && held.arrived() &&
            n_.entrances[held.local].link && n_.heads[n_.source_of(held)] == packet)
            wholes_.add(cycle_, held.arrivals.last() + 1, n_.source_of(held));
    }

    /// Room that packets leave in this cycle, for those who see it flit by flit.
    void show_freed(RegionOutputs& outputs) {
        std::size_t kept = 0;
        for (const std::uint32_t source : freeing_) {
            const Held& held = n_.head_of(source);
            const Entrance& entrance = n_.entrances[held.local];
            const auto amount = static_cast<std::uint8_t>(n_.freed(source, cycle_));
            const std::uint32_t node = global_[held.node];
            if (amount != 0 && entrance.link)
                outputs.credits.push_back({node, static_cast<std::uint8_t>(entrance.port),
                                           static_cast<std::uint8_t>(entrance.vc), amount});
            else if (amount != 0)
                outputs.injection_credits.push_back(
                    {node, static_cast<std::uint8_t>(held.local - f_.link_sources()), 0, amount});
            if (held.timed != held.route || held.end() > cycle_) freeing_[kept++] = source;
        }
        freeing_.resize(kept);
    }

    // Adaptive packets ask anew in every cycle. Where all of a node's have asked for their escapes in vain,
    // they would in every cycle ask for the same, until a sink is free or has more room: so the node rests,
    // and what it has asked for stalls.

    template <class Visit>
    void each_asking(std::uint32_t node, const Visit& visit) {
        each_bit(asking_[node],
                 [&](std::uint32_t s) { visit(static_cast<std::uint32_t>(n_.source_index(node, s))); });
    }

    /// Of some output ports of a node those that are free and have room for a packet of any size in a dynamic
    /// channel, as masks, by the level of the one that has most; all on one level where credits do not count.
    using Openings = std::array<std::uint32_t, level(1, 1) + 1>;
    Openings openings(std::uint32_t node, std::uint32_t ports) {
        Openings open = {};
        each_bit(ports, [&](std::uint32_t port) {
            if (n_.sink({node, port}).free_from() > cycle_) return;
            std::uint32_t most = 0;
            each_bit(f_.dynamic_channels(), [&](std::uint32_t vc) {
                most = std::max(most, credits_.at(n_.channel(node, port, vc), cycle_));
            });
            if (most < f_.parameters.packet_flits) return;
            open[f_.by_credits() ? level(most, f_.parameters.vc_depth) : 0] |= 1U << port;
        });
        return open;
    }

    void ask(std::uint32_t node) {
        std::uint32_t choices = 0;
        each_asking(node, [&](std::uint32_t source) { choices |= n_.head_of(source).choices; });
        const Openings open = openings(node, choices);
        each_asking(node, [&](std::uint32_t source) {
            Held& held = n_.head_of(source);
            const std::uint32_t chosen = choice(held, open);
            const bool escapes = chosen == none;
            held.channels = escapes ? held.escape_channels : static_cast<std::uint8_t>(f_.dynamic_channels());
            held.escapes = escapes;
            const std::uint32_t k = escapes ? held.escape : chosen;
            held.route = 1U << k;
            PacketSink& sink = n_.sink({node, k});
            sink.want |= std::uint64_t{1} << held.local;
            if (sink.free_from() <= cycle_) look_at({node, k}, cycle_);
        });
    }

    /// The first of a packet's choices, from the node's turn on, of those on the highest level. `none`: it
    /// has to escape.
    std::uint32_t choice(const Held& held, const Openings& open) const {
        for (auto ports = open.rbegin(); ports != open.rend(); ++ports) {
            const std::uint32_t here = *ports & held.choices,
                                on = here >> turn_[held.node] << turn_[held.node];
            if (here != 0) return n_.first_of(on != 0 ? on : here);
        }
        return none;
    }

    /// What has started asks for nothing more, and all others for nothing in particular.
    void end_asking() {
        std::size_t kept = 0;
        for (const std::uint32_t node : asking_nodes_) {
            if (rest(node)) continue;
            bool chose = false;
            each_asking(node, [&](std::uint32_t source) {
                const Held& held = n_.head_of(source);
                const SinkId id{node, n_.first_of(held.route)};
                n_.sink(id).want &= ~(std::uint64_t{1} << held.local);
                if (n_.sink(id).want == 0 && stalls(id)) {
                    end_stall(id, cycle_ + 1);
                    in_vain_.push_back(id);
                }
                if (held.started == 0) return;
                asking_[node] &= ~(std::uint64_t{1} << held.local);
                chose = chose || held.channels != held.escape_channels;
            });
            if (chose) turn_[node] = static_cast<std::uint8_t>((turn_[node] + 1U) % f_.ports);
            if (asking_[node] != 0) asking_nodes_[kept++] = node;
        }
        asking_nodes_.resize(kept);
    }

    bool rests(std::uint32_t node) const { return !resting_.empty() && resting_[node] != 0; }

    bool rest(std::uint32_t node) {
        std::uint32_t sinks = 0;  // that its packets may start on
        bool in_vain = true;
        each_asking(node, [&](std::uint32_t source) {
            const Held& held = n_.head_of(source);
            in_vain = in_vain && held.escapes && held.started == 0;
            sinks |= held.choices | 1U << held.escape;
        });
        if (!in_vain) return false;
        resting_[node] = asking_[node];
        const std::uint64_t next = first_chance(node, sinks);
        if (next <= cycle_ + 1) {
            resting_[node] = 0;
            return false;
        }
        each_resting(node, [&](SinkId id, std::uint64_t bit) {
            if (!stalls(id)) n_.sink(id).want &= ~bit;
        });
        asks_at_[node] = never;
        if (next != never) ask_from(node, next);
        return true;
    }

    /// visit(the sink that it has asked for, its source as a mask) for each packet of a node that rests.
    template <class Visit>
    void each_resting(std::uint32_t node, const Visit& visit) {
        each_bit(resting_[node], [&](std::uint32_t s) {
            visit(SinkId{node, n_.first_of(n_.head(node, s).route)}, std::uint64_t{1} << s);
        });
    }

    /// For adaptive packets of a node that rests, the first cycle in which one of `sinks` is free and has
    /// room, as far as that is known; the next one where one was taken in this cycle.
    std::uint64_t first_chance(std::uint32_t node, std::uint32_t sinks) {
        std::uint64_t first = never;
        std::uint32_t free = 0;
        each_bit(sinks, [&](std::uint32_t k) {
            const PacketSink& sink = n_.sink({node, k});
            if (sink.free_from() <= cycle_)
                free |= 1U << k;
            else if (sink.moves.at(0) == cycle_)
                first = cycle_ + 1;
            else
                first = std::min(first, sink.free_from());
        });
        const auto room = [&](std::uint32_t k, std::uint32_t channels, std::uint32_t flits) {
            if ((free >> k & 1U) == 0) return;
            each_bit(channels, [&](std::uint32_t vc) {
                first = std::min(first, credits_.when(n_.channel(node, k, vc), flits, cycle_));
            });
        };
        std::uint32_t choices = 0;
        each_bit(resting_[node], [&](std::uint32_t s) {
            const Held& held = n_.head(node, s);
            choices |= held.choices;
            room(held.escape, held.escape_channels, room_of(held));
        });
        each_bit(choices,
                 [&](std::uint32_t k) { room(k, f_.dynamic_channels(), f_.parameters.packet_flits); });
        return first;
    }

    /// A node that rests asks in `cycle`, if not before.
    void ask_from(std::uint32_t node, std::uint64_t cycle) {
        if (!rests(node) || cycle >= asks_at_[node]) return;
        if (cycle <= cycle_) {
            ask_again(node);
            return;
        }
        asks_at_[node] = cycle;
        asks_.add(cycle_, cycle, node);
    }

    /// From this cycle on. What stalled for its packets alone did so until the last one.
    void ask_again(std::uint32_t node) {
        each_resting(node, [&](SinkId id, std::uint64_t bit) {
            n_.sink(id).want &= ~bit;
            if (n_.sink(id).want == 0) end_stall(id, cycle_);
        });
        resting_[node] = 0;
        asking_nodes_.push_back(node);
    }

    /// All ask in every cycle, as they have done so far.
    void end_rests() {
        for (std::uint32_t node = 0; node < resting_.size(); ++node) {
            if (!rests(node)) continue;
            const std::uint32_t stalled_before = stalled_[node];
            ask_again(node);
            each_bit(stalled_before & ~stalled_[node],
                     [&](std::uint32_t k) { in_vain_.emplace_back(node, k); });
        }
    }

    // How full queues are.

    /// The level of a queue as this cycle begins.
    std::uint32_t fullness(std::size_t index) const {
        const auto source = static_cast<std::uint32_t>(index);
        std::uint32_t flits = 0;
        for (std::uint32_t i = n_.heads[source]; i != none; i = n_.packets[i].next)
            flits += n_.packets[i].arrivals.until(cycle_ - 1);
        return level(flits - n_.gone(source, cycle_ - 1, false), f_.parameters.depth(n_.class_of(source)));
    }

    /// A queue is fullest before a packet starts to leave ...
    void note_growth_before(const Held& held) {
        const std::uint32_t source = n_.source_of(held);
        if (n_.flits_of(source) <= most(n_.class_of(held)) || n_.in_escape(held)) return;
        note(n_.class_of(held), n_.shown(source, cycle_ - 1));
    }
    /// ... and, where a host writes one faster than another leaves, when that is written, or the other has
    /// left.
    void note_growth(std::uint32_t source) {
        if (n_.flits_of(source) <= most(QueueClass::injection)) return;
        const Held& leaving = n_.head_of(source);
        if (leaving.started == 0 || leaving.timed != leaving.route || !leaving.single()) return;
        const std::uint64_t written = n_.packets[n_.tail_of(source)].arrivals.last();
        note(QueueClass::injection, n_.shown(source, std::min(written, leaving.end())));
    }

    /// Flits on links that somebody sees, in their cycle.
    void show_links(RegionOutputs& outputs) {
        std::size_t kept = 0;
        for (const SinkId id : moving_) {
            const PacketSink& sink = n_.sink(id);
            if (const auto flit = n_.flit_at(sink, cycle_); flit && id.k() < f_.ports) {
                const LinkFlit shown{global_[id.node()], static_cast<std::uint8_t>(id.k()),
                                     static_cast<std::uint8_t>(sink.vc()), *flit};
                if (watches_links_) outputs.sent.push_back(shown);
                if (!exchanges_ && leads_out(id)) outputs.flits.push_back(shown);
            }
            if (!sink.ends() || sink.moves.last() > cycle_) moving_[kept++] = id;
        }
        moving_.resize(kept);
    }

    // What will be needed soon comes from memory meanwhile. GCC takes functions that do nothing but ask for
    // memory for such as have no effect, and leaves their calls out unless they are inlined.

    template <class Item>
    [[gnu::always_inline]] static void fetch(const Item& item) {
        __builtin_prefetch(&item, 1);
    }
    std::uint32_t first_wanting(SinkId id) const {
        return n_.source_index(id.node(), static_cast<std::uint32_t>(std::countr_zero(n_.sink(id).want)));
    }
    [[gnu::always_inline]] void fetch_sources(SinkId id) const {
        if (n_.sink(id).want == 0) return;
        const auto source = static_cast<std::uint32_t>(std::countr_zero(n_.sink(id).want));
        fetch(n_.heads[n_.source_index(id.node(), source)]);
        credits_.fetch(n_.channel(id, 0));
        if (const Entrance& entrance = n_.entrances[source]; entrance.link)
            fetch(f_.from(global_[id.node()], entrance.port));
        if (id.k() < f_.ports)
            fetch(f_.to(global_[id.node()], id.k()));
        else if (occupancy_)
            counts_->fetch_reception(n_.queue_of(id), *occupancy_);
    }
    [[gnu::always_inline]] void fetch_heads(SinkId id) const {
        if (n_.sink(id).want == 0) return;
        fetch(n_.head_of(first_wanting(id)));
        credits_.fetch_returns(n_.channel(id, 0));
    }
    /// Where the first packet that wants the sink has come from, whose credits it will give.
    [[gnu::always_inline]] void fetch_upstream(SinkId id) const {
        if (n_.sink(id).want == 0) return;
        const auto source = static_cast<std::uint32_t>(std::countr_zero(n_.sink(id).want));
        const Entrance& entrance = n_.entrances[source];
        if (!entrance.link) return;
        const FarPort far = f_.from(global_[id.node()], entrance.port);
        if (!is_outside(far.node)) credits_.fetch(n_.channel(local_[far.node], far.port, entrance.vc));
    }
    [[gnu::always_inline]] void fetch_head(std::uint32_t source) const {
        if (n_.heads[source] != none) fetch(n_.head_of(source));
    }
    [[gnu::always_inline]] void fetch_leaving(std::uint32_t source) const {
        const Held& held = n_.head_of(source);
        fetch(n_.sink({held.node, PacketNodes::first_of(held.route)}));
        if (held.next != none) fetch(n_.packets[held.next]);
        if (!occupancy_) return;
        counts_->fetch(source, *occupancy_);
    }

    const PortTables* tables_;
    const bool fetches_ = n_.count > 1024;  // nodes of some 500 bytes, which a core's own cache has not
    bool supervised_ = false;
    std::vector<std::uint64_t> resting_;  // [node]: of asking_ the sources whose packets rest
    std::vector<std::uint64_t> asks_at_;  // [node]: when it asks again

    std::array<std::uint32_t, 8> offers_ = {none, none, none, none, none, none, none, none};  // sources
    std::uint32_t next_offer_ = 0;

    Calendar leaves_;  // sources whose head packet has left
    Calendar wholes_;  // sources whose head packet has come as a whole, where that is stored and forwarded
    Calendar wakes_;   // sinks
    Calendar asks_;    // nodes that rest
    Calendar tails_;   // reception queues whose host takes a tail
    std::vector<std::uint32_t> freeing_;    // sources whose head packet leaves and shows its room by flits
    std::vector<std::uint32_t> receiving_;  // of slow_: flits move there
    std::vector<std::uint32_t> popped_;     // of slow_: one was taken in this cycle
    std::vector<HostReturn> ahead_;         // for hosts that handed over theirs
    std::vector<SinkId> moving_;            // sinks that packets move through, where somebody watches
};

}  // namespace

std::unique_ptr<Region> packet_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables) {
    static_assert(most_ticks + 2 * std::uint64_t{longest_link} < most_cycles);
    if (fabric.longest_delay > longest_link)
        throw InputError(fmt::format("cannot use links of {} cycles", fabric.longest_delay),
                         fmt::format("at most {}", longest_link));
    return std::make_unique<PacketRegion>(fabric, nodes, tables);
}

bool packets_are_enough(const Fabric& fabric) {
    return fabric.parameters.switching != Switching::wormhole && !fabric.parameters.pipelined() &&
           !fabric.links.has_layer();
}

}  // namespace interlace::native
