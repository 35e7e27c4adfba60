// Interlace: hosts that send unicast packets, at random or as a trace says
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "interlace/checkpoint/checkpoint.h"
#include "interlace/engine/machine/machine.h"
#include "interlace/engine/routing/path_lengths.h"
#include "interlace/harness/hosts/host_parameters.h"
#include "interlace/harness/traffic/traffic_pattern.h"

namespace interlace {

/// Shares, 0 to 1, of the packets: of those that go by dimension order although the node's routing is
/// adaptive (on a torus or mesh), and of those of high priority. Drawn for each packet.
struct PacketMix {
    double deterministic = 0;
    double high_priority = 0;
};

/// A length of packets and its share of them, above 0 to 1.
struct PacketSize {
    std::uint32_t flits;
    double share;
};

struct TrafficOptions {
    double load = 0.1;  ///< offered, flits/node/cycle, above 0 to 1 times the packet's (mean) flits
    std::uint32_t packet_flits = 16;  ///< of every packet; of several lengths the longest
    /// Packets of several lengths, one drawn for each packet: ascending, their shares 1 together. Empty: all
    /// have packet_flits.
    std::vector<PacketSize> sizes = {};
    std::uint64_t warmup =
        2'000;  ///< cycles from when all hosts have begun to the measurement, or detect_warmup
    std::uint64_t cycles = 10'000;  ///< of the measurement
    std::uint64_t seed = 1;
    TrafficPattern pattern = {};
    /// Bursts: each host is on for `burst_cycles` in the mean (geometric), makes `burst_load` flits a cycle
    /// then and nothing in between, and is off as long as the load asks for. 0: Bernoulli, no bursts.
    double burst_cycles = 0;
    double burst_load = 1;
    PacketMix mix = {};
    bool stop_unsettled = false;  ///< end after a warm-up that did not settle, without a measurement

    double mean_flits() const;  ///< a packet
};

/// As TrafficOptions::warmup: until 2 T cycles, T = 500, 1000, ... 32,000, where the mean number of packets
/// in flight in cycles T to 1.5 T differs from that in 1.5 T to 2 T by less than 5% (and what so few packets
/// would differ by alone), and a packet is in flight for at most a tenth of 2 T in the mean (by Little's
/// law). Where packets in flight still grow in number in the measurement (grows() in
/// interlace/measure/trend.h), the measurement begins anew, up to longest_warmup.
inline constexpr std::uint64_t detect_warmup = UINT64_MAX;
inline constexpr std::uint64_t longest_warmup = 64'000;

/// Times in cycles. A packet's latency runs from the cycle in which its host made it, the wait in the host's
/// infinite queue included, to the cycle in which the other host took its tail.
struct TrafficResult {
    std::uint64_t warmup = 0;  ///< cycles before the measurement, start skew included
    /// False: the number of in-flight packets grew during the measurement (grows() of 33 readings at equal
    /// intervals; by chance in 1 measurement of 20 at the critical load, in fewer below it), or it had not
    /// settled after the longest warm-up.
    bool settled = true;
    double generated_load = 0;  ///< in flits/node/cycle, during the measurement
    double accepted_load = 0;   ///< in flits/node/cycle, during the measurement
    /// Links crossed by a measured packet that arrived, by TrafficHostOptions::paths. Without them an
    /// estimate: links crossed during the measurement by any packet, per packet that arrived in it.
    double mean_hops = 0;
    double latency_mean = 0;  ///< of the packets made during the measurement that arrived
    std::uint64_t latency_median = 0, latency_p95 = 0, latency_p99 = 0, latency_max = 0;
    std::uint64_t packets = 0;  ///< made during the measurement
    /// Of these, what had not arrived when four times the warm-up and measurement had passed: beyond
    /// saturation the hosts' queues grow without end, and latencies mean nothing.
    std::uint64_t packets_missing = 0;
    std::uint64_t packets_taken = 0;  ///< during the measurement
    /// Packets in flight at equal intervals of the second half of the measurement. The first half is left
    /// out: what is left of a warm-up shows there.
    std::vector<double> in_flight;
    std::uint64_t cycles = 0;  ///< that ran in all, until the measured packets had arrived or the time was up
    /// [node * injections + queue], from the first node of the rank on, not in a checkpoint: cycles, of all,
    /// in which a packet waited there for room alone.
    std::vector<std::uint64_t> injection_stalls;

    /// Whether the network carried what it was offered: it settled, and all measured packets arrived.
    bool carried() const { return settled && packets_missing == 0; }
    bool operator==(const TrafficResult&) const = default;
    void write(ByteWriter& bytes) const;
    static TrafficResult read(ByteReader& bytes);
};

/// If set, hears of every packet that a host makes; from several threads where a machine has several shares.
using MadePacket = std::function<void(std::uint64_t cycle, NodeId node, std::uint32_t packet)>;

/// The hosts that send and take packets.
struct TrafficHostOptions {
    HostParameters host = {};
    std::uint64_t seed = 1;  ///< of what is random about them
    MadePacket made = {};
    /// If set, called now and then with the share of a trace's packets that have arrived.
    std::function<void(double)> progress = {};
    const PathLengths* paths = nullptr;  ///< of the machine's routing, where they are known
    Checkpoint* checkpoint = &no_checkpoint();
};

/// From when all hosts have begun, in each cycle every host makes a packet with probability load /
/// packet_flits, for where the pattern says; packets take the injection queues in turn. Throws InputError
/// where the network has no coordinates or rings but one channel and the node's routing needs more, or nobody
/// sends; FellShort when a packet reaches the wrong node or no host writes or takes a flit for 100,000 cycles
/// (and what their work may take).
TrafficResult run_synthetic_traffic(const Fabric& fabric, Machine& machine, const TrafficOptions& options,
                                    const TrafficHostOptions& hosts = {});

/// A packet of a trace.
struct TracePacket {
    std::uint64_t cycle;  ///< in which its host makes it
    std::uint32_t from, to, flits;
    bool combines =
        false;  ///< the host that takes it adds it to what it has (HostParameters::combine_cycles)
};

/// Which packets of a trace wait for others: a host makes them when it has taken all that they wait for, and
/// not before their cycle.
class TraceDependences {
  public:
    /// `before` arrives at the node from which `after` goes; both are places in the trace.
    struct Pair {
        std::uint32_t before, after;
    };
    TraceDependences() = default;
    /// Throws InputError for a packet that waits for one that goes to another node.
    TraceDependences(const std::vector<TracePacket>& trace, std::vector<Pair> pairs);

    bool any() const { return !after_.empty(); }
    /// Those that wait for a packet.
    std::span<const std::uint32_t> after(std::uint32_t packet) const {
        return std::span(after_).subspan(first_[packet], first_[packet + 1] - first_[packet]);
    }
    /// [packet]: how many it waits for; empty: none of all.
    const std::vector<std::uint32_t>& awaited() const { return awaited_; }

  private:
    std::vector<std::uint32_t> first_;    // [packet, and the end]: in after_
    std::vector<std::uint32_t> after_;    // packets
    std::vector<std::uint32_t> awaited_;  // [packet]
};

/// No packet of a trace is made later: the native engine counts to 2^40 - 2^28.
inline constexpr std::uint64_t last_trace_cycle = 1'000'000'000'000;

/// A file with the header cycle,from,to,flits, in any order; sorted by cycle, those of one cycle as in the
/// file. Throws InputError with file and line.
std::vector<TracePacket> read_trace(const std::string& path, std::uint32_t hosts);

/// Runs the packets of a trace to the last one's arrival; all are measured (loads over all cycles). Throws
/// like run_synthetic_traffic, and InputError for packets of several lengths where hosts are not ideal: those
/// wait for whole ones. Packets that wait for others have half of the injection queues, or one, to themselves
/// where there are several and a host has more packets from the beginning than queues: they are not behind
/// all of those. Throws FellShort for packets that wait for one another.
TrafficResult run_trace(const Fabric& fabric, Machine& machine, const std::vector<TracePacket>& trace,
                        const TrafficHostOptions& hosts = {}, const TraceDependences& dependences = {});

}  // namespace interlace
