// Interlace: hosts that send unicast packets at random
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "waits.h"

namespace interlace {
namespace {

constexpr std::uint64_t watchdog = 100'000;
/// A measurement that has not drained after this many times its own length is of a network beyond saturation.
constexpr std::uint64_t drain = 4;

/// An injection queue as its host sees it.
struct Writer {
    std::deque<Packet> packets;  // made and not yet written
    std::uint32_t credits = 0;
    std::uint8_t next_flit = 0;
    bool listed = false;
};

class UniformHosts {
  public:
    UniformHosts(const Fabric& fabric, const RoutingTables& tables, const TrafficOptions& options)
        : f_(fabric),
          tables_(tables),
          options_(options),
          threshold_(threshold(options)),
          writers_(std::size_t{fabric.nodes} * fabric.injections),
          turn_(fabric.nodes, 0) {
        for (Writer& writer : writers_) writer.credits = fabric.parameters.injection_depth;
    }

    void drive(std::uint64_t cycle, RegionInputs& inputs) {
        for (std::uint32_t v = 0; v < f_.nodes; ++v)
            if (random_bits(options_.seed, v, cycle) < threshold_) make(v, cycle);
        std::size_t kept = 0;
        for (const std::uint32_t w : active_) {
            Writer& writer = writers_[w];
            if (writer.credits > 0) write(writer, w, inputs);
            writer.listed = !writer.packets.empty();
            if (writer.listed) active_[kept++] = w;
        }
        active_.resize(kept);
    }

    void receive(const RegionOutputs& outputs, std::uint64_t cycle) {
        for (const Reception& reception : outputs.receptions) {
            if (to_[reception.packet.sequence()] != reception.node)
                throw FellShort(fmt::format("a packet from node {} reached node {}, which it was not for",
                                            reception.packet.source(), reception.node));
            arrived_[reception.packet.sequence()] = cycle;
            ++arrivals_;
        }
        // Tokens say what pins show in the next cycle; a host acts on them in the cycle after that.
        for (const Credit& credit : shown_)
            writers_[credit.node * f_.injections + credit.port].credits += credit.amount;
        shown_ = outputs.injection_credits;
    }

    std::uint64_t made() const { return made_.size(); }
    std::uint64_t arrivals() const { return arrivals_; }

    /// Of packets made from `first` on, before `last`: how many have not arrived.
    std::uint64_t missing(std::uint64_t first, std::uint64_t last) const {
        return static_cast<std::uint64_t>(std::count(arrived_.begin() + static_cast<std::ptrdiff_t>(first),
                                                     arrived_.begin() + static_cast<std::ptrdiff_t>(last),
                                                     UINT64_MAX));
    }
    /// Of those that have, in ascending order.
    std::vector<std::uint64_t> latencies(std::uint64_t first, std::uint64_t last) const {
        std::vector<std::uint64_t> latencies;
        for (std::uint64_t i = first; i < last; ++i)
            if (arrived_[i] != UINT64_MAX) latencies.push_back(arrived_[i] - made_[i]);
        std::sort(latencies.begin(), latencies.end());
        return latencies;
    }

  private:
    static std::uint64_t threshold(const TrafficOptions& options) {
        const double probability = options.load / options.packet_flits;
        return probability >= 1 ? UINT64_MAX : static_cast<std::uint64_t>(std::ldexp(probability, 64));
    }

    void make(std::uint32_t node, std::uint64_t cycle) {
        const auto other = static_cast<std::uint32_t>(
            random_bits(options_.seed, std::uint64_t{f_.nodes} + node, cycle) % (f_.nodes - 1));
        const std::uint32_t w = node * f_.injections + turn_[node];
        turn_[node] = static_cast<std::uint8_t>((turn_[node] + 1U) % std::min(f_.injections, f_.ports));
        writers_[w].packets.push_back(packet(node, other < node ? other : other + 1));
        made_.push_back(cycle);
        arrived_.push_back(UINT64_MAX);
        if (!writers_[w].listed) active_.push_back(w);
        writers_[w].listed = true;
    }

    Packet packet(std::uint32_t from, std::uint32_t to) {
        PacketFields fields;
        fields.length = options_.packet_flits;
        fields.source = from;
        fields.sequence = static_cast<std::uint32_t>(to_.size());
        to_.push_back(to);
        const Routing routing = f_.parameters.routing;
        fields.kind = routing == Routing::table ? PacketKind::table : PacketKind::unicast;
        if (routing != Routing::dimension_order) fields.slot = tables_.slot(f_.nodes, from, to);
        if (routing != Routing::table) fields.destination = f_.destination(NodeId{to});
        return make_packet(fields);
    }

    void write(Writer& writer, std::uint32_t w, RegionInputs& inputs) {
        inputs.injections.push_back({w / f_.injections,
                                     static_cast<std::uint8_t>(w % f_.injections),
                                     0,
                                     {writer.packets.front(), writer.next_flit}});
        --writer.credits;
        if (++writer.next_flit < options_.packet_flits) return;
        writer.next_flit = 0;
        writer.packets.pop_front();
    }

    const Fabric& f_;
    const RoutingTables& tables_;
    TrafficOptions options_;
    std::uint64_t threshold_;
    std::vector<Writer> writers_;                // [node * injections + queue]
    std::vector<std::uint8_t> turn_;             // [node]: the next packet's queue
    std::vector<std::uint32_t> to_;              // [sequence]
    std::vector<std::uint32_t> active_;          // writers with packets
    std::vector<std::uint64_t> made_, arrived_;  // [sequence]: cycle
    std::vector<Credit> shown_;                  // on the pins in this cycle
    std::uint64_t arrivals_ = 0;
};

void check(const Fabric& fabric, const TrafficOptions& options) {
    const NodeParameters& node = fabric.parameters;
    const bool ordered = node.routing == Routing::dimension_order;
    if (ordered && fabric.dimensions == 0)
        throw InputError("traffic by dimension order",
                         "a torus, mesh or ibt whose coordinates fit a packet's header, or routing: table");
    if (ordered && fabric.wraps && fabric.vcs < 2)
        throw InputError("dimension order on rings with 1 virtual channel",
                         "2 or more (vcs), one for each side of the wrap");
    if (fabric.nodes < 2) throw InputError("traffic among 1 node", "2 or more");
    if (!(options.load > 0 && options.load <= options.packet_flits))
        throw InputError(fmt::format("load {}", options.load), "flits a node and cycle, above 0");
    if (fabric.adaptive() && options.packet_flits > node.packet_flits)
        throw InputError(fmt::format("packets of {} flits under adaptive_bubble", options.packet_flits),
                         fmt::format("at most the node's packet_flits, {}", node.packet_flits));
    if (node.switching != Switching::wormhole &&
        std::min(node.vc_depth, node.reception_depth) < options.packet_flits)
        throw InputError(fmt::format("packets of {} flits for queues of {} and {}", options.packet_flits,
                                     node.vc_depth, node.reception_depth),
                         "queues that hold a whole packet, or switching: wormhole");
}

}  // namespace

TrafficResult run_uniform_traffic(const Fabric& fabric, Machine& machine, const RoutingTables& tables,
                                  const TrafficOptions& options) {
    check(fabric, options);
    UniformHosts hosts(fabric, tables, options);
    RegionInputs inputs;
    RegionOutputs outputs;
    TrafficResult result;
    const std::uint64_t end = options.warmup + options.cycles;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t before = 0;
    std::uint64_t hops = 0;
    std::uint64_t quiet = 0;
    std::uint64_t cycle = 0;
    for (;; ++cycle) {
        if (cycle == options.warmup) {
            first = hosts.made();
            before = hosts.arrivals();
            hops = machine.usage().hops;
        }
        if (cycle == end) {
            last = hosts.made();
            result.accepted_load = static_cast<double>((hosts.arrivals() - before) * options.packet_flits) /
                                   (static_cast<double>(options.cycles) * fabric.nodes);
            if (hosts.arrivals() > before)
                result.mean_hops = static_cast<double>(machine.usage().hops - hops) /
                                   static_cast<double>(hosts.arrivals() - before);
        }
        // Load goes on while the measured packets drain.
        if (cycle >= end && (cycle - end) % 64 == 0 &&
            (hosts.missing(first, last) == 0 || cycle >= drain * end))
            break;
        inputs.injections.clear();
        hosts.drive(cycle, inputs);
        machine.tick(inputs, outputs);
        hosts.receive(outputs, cycle);
        quiet = outputs.receptions.empty() ? quiet + 1 : 0;
        if (quiet > watchdog && hosts.made() > hosts.arrivals())
            throw FellShort(fmt::format("no packet has arrived for {} cycles; {} of {} are on their way{}",
                                        quiet, hosts.made() - hosts.arrivals(), hosts.made(),
                                        who_waits(fabric, machine)));
    }
    const std::vector<std::uint64_t> latencies = hosts.latencies(first, last);
    result.packets = last - first;
    result.packets_missing = hosts.missing(first, last);
    result.cycles = cycle;
    if (latencies.empty()) return result;
    double sum = 0;
    for (const std::uint64_t latency : latencies) sum += static_cast<double>(latency);
    result.latency_mean = sum / static_cast<double>(latencies.size());
    result.latency_p99 = latencies[(latencies.size() * 99 + 99) / 100 - 1];
    result.latency_max = latencies.back();
    return result;
}

}  // namespace interlace
