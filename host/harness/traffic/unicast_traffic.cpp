// Interlace: unicast traffic of hosts that are divided into shares
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/unicast_traffic.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace interlace {
namespace {

constexpr auto by_cycle = [](const auto& a, const auto& b) {
    return std::pair(a.cycle, a.number) < std::pair(b.cycle, b.number);
};

/// Whether a host has more packets from the beginning than it has queues, so that others could get behind
/// them.
bool fill_queues(const Fabric& fabric, const std::vector<TracePacket>& trace,
                 const TraceDependences& dependences) {
    std::vector<std::uint32_t> own(fabric.nodes, 0);
    for (std::size_t i = 0; i < trace.size(); ++i)
        if (dependences.awaited()[i] == 0 && ++own[trace[i].from] > UnicastPackets::used_queues(fabric))
            return true;
    return false;
}

}  // namespace

void TrafficCounts::add(const TrafficCounts& other) {
    made += other.made;
    taken += other.taken;
    flits_made += other.flits_made;
    flits_taken += other.flits_taken;
    waiting += other.waiting;
}

UnicastTraffic::Share::Share(const Fabric& fabric, NodeRange nodes, const PacketMix& mix, std::uint64_t seed,
                             const MadePacket& made, const Machine& machine, TrafficPackets& packets,
                             Trace& trace)
    : maker_(fabric, nodes, mix, seed), heard_(made), machine_(machine), packets_(packets), trace_(trace) {}

void UnicastTraffic::Share::make(std::uint64_t cycle, SendLists& lists) {
    counts_ = counts(cycle + 1);
    counted_ = cycle + 1;
    for (; next_cycle() == cycle; ++made_) make(drawn_[made_], cycle, lists);
}

void UnicastTraffic::Share::make(const Drawn& drawn, std::uint64_t cycle, SendLists& lists) {
    const bool late = trace_.waited(drawn.number - trace_.first);
    const UnicastPackets::Made made = maker_.make(drawn.from, drawn.to, drawn.flits, drawn.number, late);
    if (heard_) heard_(cycle, NodeId{drawn.from}, drawn.number);
    packets_.make(drawn.number, cycle);
    lists.enqueue_other(made.queue, made.packet);
    ++counts_.made;
    counts_.flits_made += drawn.flits;
}

void UnicastTraffic::Share::go_on_after(const Packet& packet, std::uint64_t from, SendLists& lists) {
    const std::uint32_t place = packet.sequence() - trace_.first;
    if (trace_.awaited.empty() || place >= trace_.packets->size()) return;  // its source says what is wrong
    for (const std::uint32_t next : trace_.dependences->after(place)) {
        if (!trace_.waits(next) || --trace_.awaited[next] > 0) continue;
        --waiting_;
        const TracePacket& late = (*trace_.packets)[next];
        const Drawn drawn{std::max(from, late.cycle), late.from, late.to, late.flits, trace_.first + next};
        if (drawn.cycle == from)
            make(drawn, from, lists);
        else
            drawn_.insert(std::upper_bound(drawn_.begin() + static_cast<std::ptrdiff_t>(made_), drawn_.end(),
                                           drawn, by_cycle),
                          drawn);
    }
}

void UnicastTraffic::Share::take(const Reception& reception, std::uint64_t cycle) {
    const Packet& packet = reception.packet;
    if (machine_.owns(NodeId{packet.source()}))
        packets_.take(packet, reception.node, cycle);
    else
        strangers_.push_back({packet, reception.node, cycle});
    ++counts_.taken;
    counts_.flits_taken += packet.length();
}

/// More of a share's packets may be taken elsewhere, and the other way round: the sum over all is right.
TrafficCounts UnicastTraffic::Share::counts(std::uint64_t cycle) const {
    TrafficCounts counts = counts_;
    counts.waiting += counts.in_flight() * (cycle - counted_);
    return counts;
}

void UnicastTraffic::Share::draw(std::uint64_t from, std::uint64_t until) {
    drawn_.erase(drawn_.begin(), drawn_.begin() + static_cast<std::ptrdiff_t>(made_));
    made_ = 0;
    numbered_ = drawn_.size();
    for (std::uint64_t cycle = from; cycle < until; ++cycle)
        generator_->make(cycle, [&](std::uint32_t node, std::uint32_t to, std::uint32_t flits) {
            drawn_.push_back({cycle, node, to, flits, 0});
        });
}

UnicastTraffic::UnicastTraffic(const Fabric& fabric, Machine& machine, const PacketMix& mix,
                               std::uint64_t seed, const MadePacket& made, std::uint32_t first)
    : machine_(machine),
      made_(made),
      nodes_(machine.shares()),
      endpoints_(fabric.endpoints),
      first_(first),
      packets_(first, machine.ranks().alone()),
      next_number_(first) {
    shares_.reserve(nodes_.size());
    for (const NodeRange& nodes : nodes_)
        shares_.emplace_back(fabric, nodes, mix, seed, made_, machine, packets_, trace_);
}

void UnicastTraffic::generate(const Fabric& fabric, const TrafficOptions& options, std::uint64_t from) {
    drawn_ = from;
    for (std::size_t i = 0; i < shares_.size(); ++i)
        shares_[i].generator_.emplace(fabric.endpoints, nodes_[i], options);
}

void UnicastTraffic::draw(std::uint64_t until) {
    if (until <= drawn_) return;
    machine_.each_share(shares_.size(), [&](std::size_t i) { shares_[i].draw(drawn_, until); });
    number_packets(until);
    drawn_ = until;
    tell_ranks();
}

/// Those that have been drawn for the cycles from drawn_ on.
void UnicastTraffic::number_packets(std::uint64_t until) {
    const std::size_t cycles = until - drawn_;
    std::vector<std::uint32_t> own(cycles, 0);  // [cycle - drawn_]: packets
    for (const Share& share : shares_)
        for (std::size_t i = share.numbered_; i < share.drawn_.size(); ++i)
            ++own[share.drawn_[i].cycle - drawn_];
    const std::vector<std::uint32_t> all = machine_.ranks().gather_values(own);  // [rank * cycles + cycle]
    std::vector<NewPacket> packets;
    for (std::size_t cycle = 0; cycle < cycles; ++cycle)
        for (std::uint32_t rank = 0; rank < machine_.ranks().size(); ++rank) {
            std::uint32_t number = next_number_;
            next_number_ += all[rank * cycles + cycle];
            if (rank != machine_.ranks().rank()) continue;
            for (Share& share : shares_)
                for (; share.numbered_ < share.drawn_.size() &&
                       share.drawn_[share.numbered_].cycle == drawn_ + cycle;
                     ++share.numbered_) {
                    Share::Drawn& drawn = share.drawn_[share.numbered_];
                    drawn.number = number++;
                    packets.push_back({drawn.number, drawn.from, drawn.to});
                }
        }
    packets_.add(packets);
}

void UnicastTraffic::draw(const Fabric& fabric, const std::vector<TracePacket>& trace,
                          const TraceDependences& dependences) {
    trace_ = {&trace, &dependences, next_number_, dependences.awaited()};
    std::vector<NewPacket> packets;
    for (std::size_t place = 0; place < trace.size(); ++place) {
        const TracePacket& packet = trace[place];
        const std::uint32_t number = next_number_++;
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            if (!nodes_[i].contains(packet.from)) continue;
            packets.push_back({number, packet.from, packet.to});
            if (trace_.waits(place))
                ++shares_[i].waiting_;
            else
                shares_[i].drawn_.push_back({packet.cycle, packet.from, packet.to, packet.flits, number});
        }
    }
    packets_.add(packets);
    if (dependences.any() && fill_queues(fabric, trace, dependences))
        for (Share& share : shares_) share.maker_.reserve_queues();
}

/// Of what has arrived of their packets.
void UnicastTraffic::tell_ranks() {
    Communicator& ranks = machine_.ranks();
    if (ranks.alone()) return;
    std::vector<std::vector<Share::Stranger>> of(ranks.size());
    for (Share& share : shares_) {
        for (const Share::Stranger& stranger : share.strangers_)
            of[machine_.rank_of(NodeId{stranger.packet.source()})].push_back(stranger);
        share.strangers_.clear();
    }
    std::exception_ptr thrown;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        if (rank == ranks.rank()) continue;
        ByteWriter bytes;
        bytes.put(of[rank]);
        ranks.send(rank, bytes.take());
    }
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        if (rank == ranks.rank()) continue;
        std::vector<Share::Stranger> arrived;
        const Bytes bytes = ranks.receive(rank);
        ByteReader(bytes).append_to(arrived);
        try {
            for (const auto& [packet, node, cycle] : arrived) packets_.take(packet, node, cycle);
        } catch (...) {
            thrown = std::current_exception();
        }
    }
    rethrow_first(ranks, 0, thrown);
}

void UnicastTraffic::state(NodeStates& nodes, std::uint64_t cycle, Archive& whole) {
    TrafficCounts sums;
    std::vector<TrafficPackets::Account> accounts;
    if (!nodes.loads()) {
        tell_ranks();
        sums = counts(cycle);
        accounts = machine_.ranks().gather_values(packets_.accounts());
        std::sort(accounts.begin(), accounts.end(),
                  [](const auto& a, const auto& b) { return a.number < b.number; });
    }
    const std::uint64_t never_drawn = drawn_;
    const std::uint32_t of_trace = next_number_;
    whole(drawn_, next_number_, sums.made, sums.taken, sums.flits_made, sums.flits_taken, sums.waiting);
    whole.each(accounts, [](Archive& a, TrafficPackets::Account& account) {
        a(account.number, account.from, account.to, account.made, account.arrived);
    });
    if (shares_.front().generator_)
        whole.expect(drawn_ == never_drawn || (drawn_ >= cycle && drawn_ <= cycle + block));
    else
        whole.expect(drawn_ == never_drawn && next_number_ == of_trace);
    for (std::size_t i = 0; i < shares_.size(); ++i) shares_[i].state(nodes_[i], nodes);
    if (!nodes.loads()) return;
    whole.expect(is_whole(sums.made, cycle, accounts));
    set_counts(sums, cycle, accounts);
}

/// All packets have their account, and those that are drawn and not made are the rest of them. All ranks ask,
/// whatever one of them has seen.
bool UnicastTraffic::is_whole(std::uint64_t made, std::uint64_t cycle,
                              const std::vector<TrafficPackets::Account>& accounts) const {
    bool whole = next_number_ == first_ + accounts.size();
    for (std::size_t i = 0; i < accounts.size(); ++i) {
        const auto& [number, from, to, made_in, arrived] = accounts[i];
        const bool has_arrived = arrived != UINT64_MAX;
        whole = whole && number == first_ + i && from < endpoints_ && to < endpoints_ &&
                (!has_arrived || (arrived < cycle && made_in <= arrived));
    }
    for (const TrafficPackets::Account& known : packets_.accounts()) {  // of a trace
        const std::size_t i = known.number - first_;
        whole = whole && i < accounts.size() && accounts[i].from == known.from && accounts[i].to == known.to;
    }
    std::uint64_t to_make = 0;
    for (const Share& share : shares_) {
        to_make += share.drawn_.size() + share.waiting_;
        whole = whole && share.is_whole(cycle, first_, accounts);
    }
    return made + machine_.ranks().reduced(to_make, Reduction::sum) == accounts.size() && whole;
}

bool UnicastTraffic::Share::is_whole(std::uint64_t cycle, std::uint32_t first,
                                     const std::vector<TrafficPackets::Account>& accounts) const {
    std::uint64_t before = cycle;
    return std::all_of(drawn_.begin(), drawn_.end(), [&](const Drawn& drawn) {
        const std::size_t i = drawn.number - first;
        return drawn.cycle >= std::exchange(before, drawn.cycle) && i < accounts.size() &&
               accounts[i].from == drawn.from && accounts[i].to == drawn.to &&
               accounts[i].arrived == UINT64_MAX && drawn.flits >= 1 && drawn.flits <= 64;
    });
}

/// Each share has taken what arrived at its nodes; of the rest the sums count.
void UnicastTraffic::set_counts(const TrafficCounts& sums, std::uint64_t cycle,
                                std::vector<TrafficPackets::Account> accounts) {
    const bool first = machine_.ranks().rank() == 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        TrafficCounts& counts = shares_[i].counts_;
        counts = first && i == 0 ? sums : TrafficCounts{};
        counts.taken = static_cast<std::uint64_t>(
            std::count_if(accounts.begin(), accounts.end(), [&](const auto& account) {
                return account.arrived != UINT64_MAX && nodes_[i].contains(account.to);
            }));
        shares_[i].counted_ = cycle;
    }
    accounts.erase(std::remove_if(accounts.begin(), accounts.end(),
                                  [&](const auto& account) { return !machine_.owns(NodeId{account.from}); }),
                   accounts.end());
    packets_.set(accounts);
}

void UnicastTraffic::Share::state(NodeRange range, NodeStates& nodes) {
    std::vector<std::vector<Drawn>> to_make(range.count);
    for (std::size_t i = made_; !nodes.loads() && i < drawn_.size(); ++i)
        to_make[drawn_[i].from - range.first].push_back(drawn_[i]);
    if (nodes.loads()) drawn_.clear();
    waiting_state(range, nodes);
    for (std::uint32_t n = 0; n < range.count; ++n) {
        Archive archive = nodes.of(NodeId{range.first + n});
        maker_.state(range.first + n, archive);
        if (generator_) generator_->state(n, archive);
        archive.each(to_make[n], [&](Archive& a, Drawn& drawn) {
            drawn.from = range.first + n;
            a(drawn.cycle, drawn.to, drawn.flits, drawn.number);
            a.expect(!a.loads() || generator_ || is_of_trace(drawn));
        });
        if (archive.loads()) drawn_.insert(drawn_.end(), to_make[n].begin(), to_make[n].end());
    }
    if (!nodes.loads()) return;
    std::sort(drawn_.begin(), drawn_.end(), by_cycle);
    made_ = 0;
    numbered_ = drawn_.size();
}

bool UnicastTraffic::Share::is_of_trace(const Drawn& drawn) const {
    const std::size_t place = drawn.number - trace_.first;
    if (place >= trace_.packets->size() || trace_.waits(place)) return false;
    const TracePacket& packet = (*trace_.packets)[place];
    return packet.from == drawn.from && packet.to == drawn.to && packet.flits == drawn.flits &&
           (drawn.cycle == packet.cycle || (drawn.cycle > packet.cycle && trace_.waited(place)));
}

/// How many others the packets of these nodes still wait for.
void UnicastTraffic::Share::waiting_state(NodeRange range, NodeStates& nodes) {
    if (trace_.awaited.empty()) return;
    struct Waiting {
        std::uint32_t packet, awaited;
    };
    std::vector<std::vector<Waiting>> waiting(range.count);  // [node - first]
    for (std::uint32_t p = 0; p < trace_.awaited.size(); ++p)
        if (const std::uint32_t from = (*trace_.packets)[p].from; range.contains(from)) {
            if (!nodes.loads() && trace_.waits(p))
                waiting[from - range.first].push_back({p, trace_.awaited[p]});
            if (nodes.loads()) trace_.awaited[p] = 0;
        }
    waiting_ = 0;
    for (std::uint32_t n = 0; n < range.count; ++n) {
        Archive archive = nodes.of(NodeId{range.first + n});
        archive.each(waiting[n], [&](Archive& a, Waiting& one) {
            a.below(one.packet, trace_.awaited.size());
            a(one.awaited);
            a.expect((*trace_.packets)[one.packet].from == range.first + n);
            a.expect(one.awaited > 0 && one.awaited <= trace_.dependences->awaited()[one.packet]);
            a.expect(!a.loads() || trace_.awaited[one.packet] == 0);
            trace_.awaited[one.packet] = one.awaited;
            ++waiting_;
        });
    }
}

std::uint64_t UnicastTraffic::waiting() const {
    std::uint64_t waiting = 0;
    for (const Share& share : shares_) waiting += share.waiting_;
    return machine_.ranks().reduced(waiting, Reduction::sum);
}

TrafficCounts UnicastTraffic::counts(std::uint64_t cycle) const {
    TrafficCounts all;
    for (const Share& share : shares_) all.add(share.counts(cycle));
    std::array<std::uint64_t, 5> sums = {all.made, all.taken, all.flits_made, all.flits_taken, all.waiting};
    machine_.ranks().reduce(sums, Reduction::sum);
    return {sums[0], sums[1], sums[2], sums[3], sums[4]};
}

std::uint64_t UnicastTraffic::next_cycle() const {
    std::uint64_t next = UINT64_MAX;
    for (const Share& share : shares_) next = std::min(next, share.next_cycle());
    return machine_.ranks().reduced(next, Reduction::least);
}

std::uint64_t UnicastTraffic::missing(std::uint64_t first, std::uint64_t last) {
    tell_ranks();
    return machine_.ranks().reduced(packets_.missing(first, last), Reduction::sum);
}

SortedValues UnicastTraffic::latencies(std::uint64_t first, std::uint64_t last) {
    tell_ranks();
    return {packets_.latencies(first, last), machine_.ranks()};
}

double UnicastTraffic::mean_links(std::uint64_t first, std::uint64_t last, const PathLengths& paths) {
    tell_ranks();
    const TrafficPackets::Crossed own = packets_.crossed(first, last, paths);
    std::array<std::uint64_t, 2> sums = {own.packets, own.links};
    machine_.ranks().reduce(sums, Reduction::sum);
    return sums[0] == 0 ? 0 : static_cast<double>(sums[1]) / static_cast<double>(sums[0]);
}

SortedValues UnicastTraffic::latencies_of_arrivals(std::uint64_t from, std::uint64_t to) {
    tell_ranks();
    return {packets_.latencies_of_arrivals(from, to), machine_.ranks()};
}

}  // namespace interlace
