// Interlace: which hosts make a unicast packet in which cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/traffic_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interlace/core/error.h"
#include "interlace/core/random.h"

namespace interlace {
namespace {

/// `share` of 2^64.
std::uint64_t threshold(double share) {
    return share >= 1 ? UINT64_MAX : static_cast<std::uint64_t>(std::ldexp(share, 64));
}

// A loop that processors take several steps of at once, where they can.
// Which of the two loops a process uses is found out before sanitizers have started.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define INTERLACE_WIDE [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define INTERLACE_WIDE
#endif

/// The places of streams whose number of `cycle` is below `limit`, in ascending order; how many. They are
/// few, so that most blocks have none. `places` has room for all.
INTERLACE_WIDE std::uint32_t draw(const std::vector<std::uint64_t>& keys, std::uint64_t cycle,
                                  std::uint64_t limit, std::uint32_t* places) {
    constexpr std::uint32_t block = 16;
    const auto count = static_cast<std::uint32_t>(keys.size());
    std::uint32_t drawn = 0;
    for (std::uint32_t first = 0; first < count; first += block) {
        const std::uint32_t end = std::min(first + block, count);
        if (end == first + block) {
            std::uint64_t below = 0;
            for (std::uint32_t i = 0; i < block; ++i)
                below |= std::uint64_t{random_bits(keys[first + i], cycle) < limit};
            if (below == 0) continue;
        }
        for (std::uint32_t i = first; i < end; ++i) {
            places[drawn] = i;
            drawn += random_bits(keys[i], cycle) < limit ? 1 : 0;
        }
    }
    return drawn;
}

}  // namespace

void check_traffic_fabric(const Fabric& fabric, std::uint32_t packet_flits) {
    const NodeParameters& node = fabric.parameters;
    const bool ordered = node.routing == Routing::dimension_order;
    if (ordered && fabric.dimensions == 0)
        throw InputError("cannot run traffic by dimension order",
                         "a torus without a twist, a mesh or an ibt whose coordinates fit a packet's header, "
                         "or the routing table "
                         "on any network");
    if (ordered && fabric.wraps && fabric.vcs < 2)
        throw InputError("cannot use dimension order on rings with 1 virtual channel",
                         "2 or more (vcs), one for each half of a ring");
    if (fabric.endpoints < 2) throw InputError("cannot run traffic among 1 node", "2 or more");
    if ((fabric.adaptive() || node.pipelined()) && packet_flits > node.packet_flits)
        throw InputError(fmt::format("cannot use packets of {} flits {}", packet_flits,
                                     fabric.adaptive() ? "under adaptive_bubble" : "on pipelined nodes"),
                         fmt::format("at most the node's packet_flits, {}", node.packet_flits));
    if (node.switching != Switching::wormhole && std::min(node.vc_depth, node.reception_depth) < packet_flits)
        throw InputError(fmt::format("cannot use packets of {} flits for queues of {} and {}", packet_flits,
                                     node.vc_depth, node.reception_depth),
                         "queues that hold a whole packet, or switching: wormhole");
}

void check_traffic(const Fabric& fabric, const TrafficOptions& options) {
    check_traffic_fabric(fabric, options.packet_flits);
    const double flits = options.mean_flits();
    if (!(options.load > 0 && options.load <= flits))
        throw InputError(fmt::format("cannot use a load of {} flits/node/cycle", options.load),
                         fmt::format("more than 0 and at most {}: one packet per node and cycle", flits));
    if (!(options.burst_cycles == 0 || options.burst_cycles >= 1))
        throw InputError(fmt::format("cannot use bursts of {} cycles", options.burst_cycles),
                         "1 or more, or 0: none");
    if (options.burst_cycles > 0 && !(options.burst_load > options.load && options.burst_load <= flits))
        throw InputError(fmt::format("cannot use a load of {} flits a cycle in bursts", options.burst_load),
                         fmt::format("above the load, {}, to {}", options.load, flits));
    if (options.mix.deterministic > 0 && !fabric.by_coordinates())
        throw InputError("cannot use deterministic packets under " + routing_name(fabric.parameters.routing),
                         "adaptive_bubble on a torus or mesh");
    bool silent = options.pattern.silent;  // said by traffic_pattern(), of all nodes
    if (options.pattern.fixed.size() == fabric.nodes) {
        silent = true;
        for (std::uint32_t v = 0; v < fabric.nodes; ++v) silent = silent && !options.pattern.sends(v);
    }
    if (silent) throw InputError("a pattern in which no node sends", "one to another node");
}

double TrafficOptions::mean_flits() const {
    if (sizes.empty()) return packet_flits;
    double sum = 0;
    for (const PacketSize& size : sizes) sum += size.share * size.flits;
    return sum;
}

TrafficGenerator::TrafficGenerator(std::uint32_t hosts, NodeRange share, const TrafficOptions& options)
    : hosts_(hosts),
      share_(share.below(hosts)),
      o_(options),
      drawn_(share_.count + 1),
      on_(options.burst_cycles > 0 ? share_.count : 0, false) {
    double load = o_.load;
    if (!on_.empty()) {
        // On for a share p = load / burst_load of the time: p / (1 - p) = mean time on / mean time off.
        const double on = o_.load / o_.burst_load;
        off_ = threshold(1 / o_.burst_cycles);
        on_again_ = threshold(on / (1 - on) / o_.burst_cycles);
        load = o_.burst_load;
        for (std::uint32_t i = 0; i < share_.count; ++i)
            on_[i] = random_bits(o_.seed, stream(4, share_.first + i), UINT64_MAX) < threshold(on);
    }
    makes_ = threshold(load / o_.mean_flits());
    for (std::uint32_t i = 0; i < share_.count; ++i) keys_.push_back(stream_key(o_.seed, share_.first + i));
}

void TrafficGenerator::make(std::uint64_t cycle, const MakePacket& make_packet) {
    std::uint32_t drawn = draw(keys_, cycle, makes_, drawn_.data());
    if (!on_.empty()) drawn = keep_those_on(drawn, cycle);
    for (std::uint32_t d = 0; d < drawn; ++d) {
        const std::uint32_t v = share_.first + drawn_[d];
        if (!o_.pattern.sends(v)) continue;
        make_packet(v, o_.pattern.destination(hosts_, v, cycle, o_.seed), flits_of(v, cycle));
    }
}

std::uint32_t TrafficGenerator::flits_of(std::uint32_t node, std::uint64_t cycle) const {
    if (o_.sizes.empty()) return o_.packet_flits;
    double drawn = std::ldexp(static_cast<double>(random_bits(o_.seed, stream(5, node), cycle)), -64);
    for (const PacketSize& size : o_.sizes) {
        if (drawn < size.share) return size.flits;
        drawn -= size.share;
    }
    return o_.sizes.back().flits;
}

/// Of the first `drawn`. Every host goes on and off.
std::uint32_t TrafficGenerator::keep_those_on(std::uint32_t drawn, std::uint64_t cycle) {
    std::uint32_t kept = 0;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < share_.count; ++i) {
        const bool on = is_on(i, cycle);
        if (next == drawn || drawn_[next] != i) continue;
        ++next;
        if (on) drawn_[kept++] = i;
    }
    return kept;
}

bool TrafficGenerator::is_on(std::uint32_t place, std::uint64_t cycle) {
    if (random_bits(o_.seed, stream(4, share_.first + place), cycle) < (on_[place] ? off_ : on_again_))
        on_[place] = !on_[place];
    return on_[place];
}

bool WarmUp::over(std::uint64_t cycle, std::uint64_t sum, std::uint64_t made, std::uint64_t arrived) {
    if (wanted_ != detect_warmup) return cycle == wanted_;
    marks_.push_back({sum, made, arrived});
    if (cycle != 2 * tried_) return false;
    settled_ = has_settled();
    const bool over = settled_ || tried_ == longest;
    tried_ *= 2;
    return over;
}

bool WarmUp::has_settled() const {
    const std::size_t half = marks_.size() / 4;  // of the time T since which the windows are
    const Mark& a = marks_[2 * half];
    const Mark& b = marks_[3 * half];
    const Mark& c = marks_[4 * half];
    const auto before = static_cast<double>(b.sum - a.sum);
    const auto after = static_cast<double>(c.sum - b.sum);
    const auto packets = static_cast<double>(std::max<std::uint64_t>(c.made - b.made, 1));
    const double noise = 2 * std::sqrt(2 / packets);
    // Little's law: the mean time in flight is the mean number in flight over the rate of arrivals.
    const std::uint64_t cycles = (marks_.size() - 1) * (first / 2);
    const bool turned_over = (c.sum - a.sum) * stays <= cycles * (c.arrived - a.arrived);
    return turned_over && std::abs(after - before) <= (0.05 + noise) * std::max(after, before);
}

}  // namespace interlace
