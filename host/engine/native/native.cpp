// Interlace: the native node's state and its cycle (docs/node.md, section 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/native.h"

#include <algorithm>
#include <array>
#include <bit>

#include "dimension_order.h"

namespace interlace {
namespace {

constexpr std::uint32_t none = UINT32_MAX;
constexpr std::uint8_t no_winner = 255;

/// Bits of status_o, docs/node.md section 8.
enum Status : std::uint8_t { overflow = 1, misrouted = 4, credit_error = 8 };

/// A packet in a source, or the part of it that has arrived.
struct Entry {
    Packet packet;
    std::uint32_t next = none;                           // behind it in its source
    std::uint32_t route = 0, started = 0, finished = 0;  // masks of sinks
    std::uint8_t length = 0, arrived = 0;
    std::uint8_t channels = 0xff;  // that it may use
};

struct Source {
    std::uint32_t head = none, tail = none;  // entries
    std::uint16_t flits = 0;
};

/// A branch that holds a channel of a sink.
struct Branch {
    std::uint32_t entry = 0;
    std::uint8_t source = 0, sent = 0;
};

struct Sink {
    std::uint64_t want = 0;  // sources whose head packet may start here
    std::uint8_t last_winner = no_winner;
    std::uint8_t held = 0;  // mask of channels
};

/// A packet in a reception queue.
struct Received {
    Packet packet;
    std::uint8_t arrived = 0, taken = 0;
};

struct ReceptionQueue {
    std::vector<Received> packets;  // the oldest is packets[first]
    std::uint32_t first = 0;
    bool ready = true, listed = false;
};

/// What a source freed in this cycle.
struct Freed {
    std::uint32_t node;
    std::uint8_t source, amount;
};

class NativeRegion final : public Region {
  public:
    NativeRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables,
                 bool probed)
        : f_(fabric), tables_(tables), global_(nodes), local_(fabric.nodes, none), probed_(probed) {
        for (std::uint32_t i = 0; i < nodes.size(); ++i) local_[nodes[i]] = i;
        const std::size_t n = nodes.size();
        source_.resize(n * f_.sources());
        sink_.resize(n * f_.sinks());
        branch_.resize(n * f_.sinks() * f_.vcs);
        credits_.resize(branch_.size());
        for (std::size_t s = 0; s < sink_.size(); ++s)
            for (std::uint32_t v = 0; v < f_.vcs; ++v)
                credits_[s * f_.vcs + v] = static_cast<std::uint16_t>(
                    s % f_.sinks() < f_.ports ? f_.parameters.vc_depth : f_.parameters.reception_depth);
        reception_.resize(n * f_.receptions);
        busy_.resize(n, 0);
        status_.resize(n, 0);
        if (probed_) {
            link_pins_.resize(n * f_.ports);
            freed_pins_.resize(n * f_.sources());
        }
    }

    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        for (const Ready& change : inputs.ready) set_ready(change);
        if (probed_) clear_pins();
        moved_.swap(arriving_);
        freed_.swap(returning_);
        moved_.clear();
        freed_.clear();
        take_receptions(outputs);
        run_sinks(outputs);
        // What was on the pins in this cycle counts from the next on.
        for (const LinkFlit& flit : arriving_)
            push(flit.node, std::uint32_t{flit.port} * f_.vcs + flit.vc, flit.port, flit.flit);
        for (const LinkFlit& flit : inputs.flits)
            push(local_[flit.node], std::uint32_t{flit.port} * f_.vcs + flit.vc, flit.port, flit.flit);
        for (const LinkFlit& flit : inputs.injections)
            push(local_[flit.node], f_.ports * f_.vcs + flit.port, none, flit.flit);
        for (const Credit& credit : returning_) give(credit.node, credit.port, credit.vc, credit.amount);
        for (const Credit& credit : inputs.credits)
            give(local_[credit.node], credit.port, credit.vc, credit.amount);
        for (const std::uint32_t queue : popped_)
            give(queue / f_.receptions, f_.ports + queue % f_.receptions, 0, 1);
    }

    Pins pins(NodeId node) const override;

  private:
    /// Reception queues give their oldest flit to a ready host.
    void take_receptions(RegionOutputs& outputs) {
        popped_.clear();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < receiving_.size(); ++i) {
            const std::uint32_t index = receiving_[i];
            ReceptionQueue& queue = reception_[index];
            if (queue.ready) {
                popped_.push_back(index);
                Received& oldest = queue.packets[queue.first];
                if (++oldest.taken == oldest.packet.length()) {
                    outputs.receptions.push_back({global_[index / f_.receptions],
                                                  static_cast<std::uint8_t>(index % f_.receptions),
                                                  oldest.packet});
                    ++queue.first;
                }
                const bool more = queue.first < queue.packets.size() &&
                                  queue.packets[queue.first].taken < queue.packets[queue.first].arrived;
                queue.listed = more;
                // What was taken makes room when it is most of the vector, so that a queue that never empties
                // stays small.
                if (std::size_t{2} * queue.first >= queue.packets.size()) {
                    queue.packets.erase(queue.packets.begin(), queue.packets.begin() + queue.first);
                    queue.first = 0;
                }
            }
            if (queue.listed) receiving_[kept++] = index;
        }
        receiving_.resize(kept);
    }

    void run_sinks(RegionOutputs& outputs) {
        std::size_t kept = 0;
        const std::size_t count = active_.size();
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t node = active_[i];
            ended_.clear();
            for (std::uint64_t sinks = busy_[node]; sinks != 0; sinks &= sinks - 1) {
                const auto k = static_cast<std::uint32_t>(std::countr_zero(sinks));
                run_sink(node, k, outputs);
                const Sink& sink = sink_[sink_index(node, k)];
                if (sink.want == 0 && sink.held == 0) busy_[node] &= ~(std::uint64_t{1} << k);
            }
            for (const std::uint32_t source : ended_) next_packet(node, source);
            if (busy_[node] != 0) active_[kept++] = node;
        }
        active_.resize(kept);
        for (const Freed& freed : freed_now_) free(freed, outputs);
        freed_now_.clear();
    }

    void run_sink(std::uint32_t node, std::uint32_t k, RegionOutputs& outputs) {
        Sink& sink = sink_[sink_index(node, k)];
        Branch* branches = &branch_[sink_index(node, k) * f_.vcs];
        std::uint16_t* credits = &credits_[sink_index(node, k) * f_.vcs];
        if (f_.parameters.switching != Switching::wormhole) {
            if (sink.held != 0) {
                const auto vc = static_cast<std::uint32_t>(std::countr_zero(sink.held));
                if (entries_[branches[vc].entry].arrived > branches[vc].sent) move(node, k, vc, outputs);
                return;
            }
            const std::uint32_t winner = arbitrate(node, sink, fitting(node, k, credits));
            if (winner != none) start(node, k, winner, entries_[head(node, winner)].length, outputs);
            return;
        }
        std::uint64_t candidates = 0;
        std::array<std::uint8_t, 64> channel;
        for (std::uint32_t held = sink.held; held != 0; held &= held - 1) {
            const auto vc = static_cast<std::uint32_t>(std::countr_zero(held));
            const Branch& branch = branches[vc];
            if (credits[vc] == 0 || entries_[branch.entry].arrived <= branch.sent) continue;
            candidates |= std::uint64_t{1} << branch.source;
            channel[branch.source] = static_cast<std::uint8_t>(vc);
        }
        const std::uint64_t own = candidates;
        candidates |= fitting(node, k, credits);
        const std::uint32_t winner = arbitrate(node, sink, candidates);
        if (winner == none) return;
        if ((own >> winner & 1U) == 0) {
            start(node, k, winner, 1, outputs);
        } else {
            --credits[channel[winner]];
            move(node, k, channel[winner], outputs);
        }
    }

    /// The sources that want sink k and whose packet has room in one of its channels.
    std::uint64_t fitting(std::uint32_t node, std::uint32_t k, const std::uint16_t* credits) const {
        const Sink& sink = sink_[sink_index(node, k)];
        std::uint64_t fit = 0;
        for (std::uint64_t want = sink.want; want != 0; want &= want - 1) {
            const auto source = static_cast<std::uint32_t>(std::countr_zero(want));
            const Entry& entry = entries_[head(node, source)];
            const bool wormhole = f_.parameters.switching == Switching::wormhole;
            if (lowest_channel(sink, k, credits, wormhole ? 1 : entry.length, entry.channels) != none)
                fit |= std::uint64_t{1} << source;
        }
        return fit;
    }

    /// The lowest free channel of `allowed` with `need` credits.
    std::uint32_t lowest_channel(const Sink& sink, std::uint32_t k, const std::uint16_t* credits,
                                 std::uint32_t need, std::uint32_t allowed) const {
        const std::uint32_t channels = k < f_.ports ? f_.vcs : 1;
        if (k >= f_.ports) allowed = 1;
        for (std::uint32_t vc = 0; vc < channels; ++vc)
            if ((allowed >> vc & 1U) != 0 && (sink.held >> vc & 1U) == 0 && credits[vc] >= need) return vc;
        return none;
    }

    std::uint32_t arbitrate(std::uint32_t node, Sink& sink, std::uint64_t candidates) const {
        if (candidates == 0) return none;
        std::uint64_t high = 0;
        for (std::uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
            const auto source = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (entries_[head(node, source)].packet.high()) high |= std::uint64_t{1} << source;
        }
        if (high != 0) candidates = high;
        if (sink.last_winner < 63) {
            const std::uint64_t above = candidates & ~((std::uint64_t{2} << sink.last_winner) - 1);
            if (above != 0) candidates = above;
        }
        sink.last_winner = static_cast<std::uint8_t>(std::countr_zero(candidates));
        return sink.last_winner;
    }

    void start(std::uint32_t node, std::uint32_t k, std::uint32_t source, std::uint32_t need,
               RegionOutputs& outputs) {
        const std::size_t index = sink_index(node, k);
        Sink& sink = sink_[index];
        const std::uint32_t vc =
            lowest_channel(sink, k, &credits_[index * f_.vcs], need, entries_[head(node, source)].channels);
        credits_[index * f_.vcs + vc] -= static_cast<std::uint16_t>(need);
        const std::uint32_t entry = head(node, source);
        entries_[entry].started |= 1U << k;
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
        if (k < f_.ports) {
            send(node, k, vc, flit, outputs);
        } else {
            receive(node, k - f_.ports, flit);
        }
        const bool single = (entry.route & (entry.route - 1)) == 0;
        if (single) freed_now_.push_back({node, branch.source, 1});
        if (!flit.tail()) return;
        sink_[index].held &= static_cast<std::uint8_t>(~(1U << vc));
        entry.finished |= 1U << k;
        if (entry.finished != entry.route) return;
        if (!single) freed_now_.push_back({node, branch.source, entry.length});
        ended_.push_back(branch.source);
    }

    void send(std::uint32_t node, std::uint32_t port, std::uint32_t vc, const Flit& flit,
              RegionOutputs& outputs) {
        const FarPort far = f_.to[std::size_t{global_[node]} * f_.ports + port];
        const auto channel = static_cast<std::uint8_t>(vc);
        if (probed_) link_pins_[std::size_t{node} * f_.ports + port] = {node, 1, channel, flit};
        if (local_[far.node] != none)
            moved_.push_back({local_[far.node], far.port, channel, flit});
        else
            outputs.flits.push_back({global_[node], static_cast<std::uint8_t>(port), channel, flit});
    }

    void receive(std::uint32_t node, std::uint32_t r, const Flit& flit) {
        const std::uint32_t index = node * f_.receptions + r;
        ReceptionQueue& queue = reception_[index];
        if (flit.head()) queue.packets.push_back({flit.packet, 0, 0});
        ++queue.packets.back().arrived;
        if (!queue.listed) receiving_.push_back(index);
        queue.listed = true;
    }

    /// A flit enters a source. `port` is the link port it came by, `none` for an injection queue.
    void push(std::uint32_t node, std::uint32_t source, std::uint32_t port, const Flit& flit) {
        Source& queue = source_[source_index(node, source)];
        if (queue.flits++ >= (port == none ? f_.parameters.injection_depth : f_.parameters.vc_depth))
            status_[node] |= overflow;
        if (flit.head()) {
            const std::uint32_t entry = new_entry();
            entries_[entry].packet = flit.packet;
            entries_[entry].length = static_cast<std::uint8_t>(flit.packet.length());
            entries_[entry].route = route(node, port, flit.packet, entries_[entry].channels);
            if (queue.head == none)
                queue.head = entry;
            else
                entries_[queue.tail].next = entry;
            queue.tail = entry;
        }
        Entry& entry = entries_[queue.tail];
        ++entry.arrived;
        if (queue.tail == queue.head && (flit.head() || flit.tail())) offer(node, source);
    }

    std::uint32_t route(std::uint32_t node, std::uint32_t port, const Packet& packet,
                        std::uint8_t& channels) {
        std::uint32_t links = 0;
        bool local = port != none;
        const std::uint32_t link_mask = (1U << f_.ports) - 1;
        if (packet.kind() == PacketKind::table) {
            const std::uint32_t entry = tables_ == nullptr ? 0 : (*tables_)[global_[node]][packet.slot()];
            links = entry & link_mask;
            local = local && (entry >> f_.ports & 1U) != 0;
        } else if (packet.kind() == PacketKind::unicast) {
            const NextHop next = dimension_order(f_, global_[node], packet.destination());
            links = next.port_mask;
            channels = next.channels;
            local = local && links == 0;
        } else if (port == none) {
            links = packet.slot();
        }
        if ((links & ~f_.port_mask(global_[node])) != 0 || (links == 0 && !local)) status_[node] |= misrouted;
        links &= f_.port_mask(global_[node]);
        return links | (local ? 1U << (f_.ports + f_.reception_queue(port, packet)) : 0);
    }

    /// The head packet of a source asks for the sinks that it may start on.
    void offer(std::uint32_t node, std::uint32_t source) {
        const Entry& entry = entries_[head(node, source)];
        const bool waits = f_.parameters.switching == Switching::store_and_forward &&
                           source < f_.ports * f_.vcs && entry.arrived < entry.length;
        std::uint32_t sinks = entry.route & ~entry.started;
        if (waits) sinks &= ~((1U << f_.ports) - 1);
        if (sinks == 0) return;
        if (busy_[node] == 0) active_.push_back(node);
        busy_[node] |= sinks;
        for (; sinks != 0; sinks &= sinks - 1)
            sink_[sink_index(node, static_cast<std::uint32_t>(std::countr_zero(sinks)))].want |=
                std::uint64_t{1} << source;
    }

    void next_packet(std::uint32_t node, std::uint32_t source) {
        Source& queue = source_[source_index(node, source)];
        const std::uint32_t left = queue.head;
        queue.head = entries_[left].next;
        if (queue.head == none) queue.tail = none;
        spare_.push_back(left);
        if (queue.head == none) return;
        // The node is being run: it must not be listed twice.
        const bool listed = busy_[node] != 0;
        if (!listed) busy_[node] = std::uint64_t{1} << 63U;
        offer(node, source);
        busy_[node] &= ~(std::uint64_t{1} << 63U);
    }

    void free(const Freed& freed, RegionOutputs& outputs) {
        source_[source_index(freed.node, freed.source)].flits -= freed.amount;
        if (probed_) freed_pins_[source_index(freed.node, freed.source)] = freed.amount;
        if (freed.source >= f_.ports * f_.vcs) {
            outputs.injection_credits.push_back({global_[freed.node],
                                                 static_cast<std::uint8_t>(freed.source - f_.ports * f_.vcs),
                                                 0, freed.amount});
            return;
        }
        const auto port = static_cast<std::uint8_t>(freed.source / f_.vcs);
        const auto vc = static_cast<std::uint8_t>(freed.source % f_.vcs);
        const FarPort far = f_.from[std::size_t{global_[freed.node]} * f_.ports + port];
        if (local_[far.node] != none)
            freed_.push_back({local_[far.node], far.port, vc, freed.amount});
        else
            outputs.credits.push_back({global_[freed.node], port, vc, freed.amount});
    }

    void give(std::uint32_t node, std::uint32_t k, std::uint32_t vc, std::uint32_t amount) {
        std::uint16_t& credits = credits_[sink_index(node, k) * f_.vcs + vc];
        credits = static_cast<std::uint16_t>(credits + amount);
        if (credits > (k < f_.ports ? f_.parameters.vc_depth : f_.parameters.reception_depth))
            status_[node] |= credit_error;
    }

    void set_ready(const Ready& change) {
        reception_[local_[change.node] * f_.receptions + change.queue].ready = change.ready;
    }

    std::uint32_t head(std::uint32_t node, std::uint32_t source) const {
        return source_[source_index(node, source)].head;
    }

    std::size_t sink_index(std::uint32_t node, std::uint32_t k) const {
        return std::size_t{node} * f_.sinks() + k;
    }
    std::size_t source_index(std::uint32_t node, std::uint32_t source) const {
        return std::size_t{node} * f_.sources() + source;
    }

    std::uint32_t new_entry() {
        if (spare_.empty()) {
            entries_.emplace_back();
            return static_cast<std::uint32_t>(entries_.size() - 1);
        }
        const std::uint32_t entry = spare_.back();
        spare_.pop_back();
        entries_[entry] = {};
        return entry;
    }

    void clear_pins() {
        std::fill(link_pins_.begin(), link_pins_.end(), LinkFlit{});
        std::fill(freed_pins_.begin(), freed_pins_.end(), std::uint8_t{0});
    }

    const Fabric& f_;
    const PortTables* tables_;
    std::vector<NodeId> global_;
    std::vector<std::uint32_t> local_;  // per node of the fabric

    // Per node and source, sink, channel of a sink, reception queue.
    std::vector<Source> source_;
    std::vector<Sink> sink_;
    std::vector<Branch> branch_;
    std::vector<std::uint16_t> credits_;
    std::vector<ReceptionQueue> reception_;
    std::vector<std::uint64_t> busy_;  // per node: sinks that are wanted or held
    std::vector<std::uint8_t> status_;

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> spare_;
    std::vector<std::uint32_t> active_;     // nodes with busy sinks
    std::vector<std::uint32_t> receiving_;  // reception queues with flits
    std::vector<std::uint32_t> popped_, ended_;
    std::vector<Freed> freed_now_;
    std::vector<LinkFlit> moved_, arriving_;  // on the pins in the next cycle, and in this
    std::vector<Credit> freed_, returning_;

    bool probed_;
    std::vector<LinkFlit> link_pins_;  // `port` 1: valid
    std::vector<std::uint8_t> freed_pins_;
};

Pins NativeRegion::pins(NodeId node) const {
    const std::uint32_t n = local_[node];
    Pins pins;
    const auto flit = [&](bool valid, const Flit& shown) {
        pins.push_back(valid ? (shown.tail() ? 2U : 0U) | (shown.head() ? 1U : 0U) : 0U);
        for (std::uint32_t w = 0; w < f_.words; ++w)
            pins.push_back(valid ? shown.packet.word(shown.index * f_.words + w) : 0);
    };
    for (std::uint32_t p = 0; p < f_.ports; ++p) {
        const LinkFlit& link = link_pins_[std::size_t{n} * f_.ports + p];
        pins.push_back(link.port);
        pins.push_back(link.vc);
        flit(link.port != 0, link.flit);
        for (std::uint32_t v = 0; v < f_.vcs; ++v)
            pins.push_back(freed_pins_[source_index(n, p * f_.vcs + v)]);
    }
    for (std::uint32_t i = 0; i < f_.injections; ++i)
        pins.push_back(freed_pins_[source_index(n, f_.ports * f_.vcs + i)]);
    for (std::uint32_t r = 0; r < f_.receptions; ++r) {
        const ReceptionQueue& queue = reception_[std::size_t{n} * f_.receptions + r];
        pins.push_back(queue.listed ? 1 : 0);
        flit(queue.listed, queue.listed
                               ? Flit{queue.packets[queue.first].packet, queue.packets[queue.first].taken}
                               : Flit{});
    }
    pins.push_back(status_[n]);
    return pins;
}

}  // namespace

std::unique_ptr<Region> native_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables, bool probed) {
    return std::make_unique<NativeRegion>(fabric, nodes, tables, probed);
}

}  // namespace interlace
