// Interlace: random hosts: packets of every kind at any time, and hosts that now and then take nothing
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interlace/core/random.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/machine/machine.h"
#include "interlace/engine/region/tokens.h"

namespace interlace {

struct RandomTraffic {
    std::uint64_t seed = 0;
    double load = 0.3;              ///< chance that an idle injection queue starts a packet in a cycle
    double stall = 0.1;             ///< chance that a host changes its mind about a reception queue
    std::uint32_t longest = 8;      ///< flits
    std::uint32_t replication = 3;  ///< largest number of branches of an explicit packet
    std::uint32_t slots = 0;        ///< of the forwarding table; 0: no table packets
    bool only_explicit = false;     ///< packets of that kind alone
};

/// Forwarding tables without cycles, behind the slots of `routing`: packets go from lower to higher node
/// numbers, and are received wherever they go no further. Some are kept to a few channels.
inline PortTables random_tables(const Fabric& f, const RandomTraffic& t, PortTables routing) {
    routing.resize(f.nodes);
    for (std::uint32_t v = 0; v < f.nodes; ++v)
        for (std::uint32_t slot = 0; slot < t.slots; ++slot) {
            const std::uint64_t random = random_bits(t.seed, 4'000'000 + std::uint64_t{v}, slot);
            std::uint32_t entry = 0;
            for (std::uint32_t p = 0; p < f.ports; ++p) {
                const FarPort far = f.to(v, p);
                const bool up = far.linked() && far.node > v && (random >> p & 1U) != 0;
                if (up && (t.replication > 1 || entry == 0)) entry |= 1U << p;
            }
            if (entry == 0 || (t.replication > 1 && (random >> 20U & 1U) != 0)) entry |= 1U << f.ports;
            const auto dynamic = f.adaptive() ? f.dynamic_channels() : (1U << f.vcs) - 1;
            entry |= entry_of_channels(static_cast<std::uint32_t>(random >> 24U & dynamic));
            routing[v].push_back(entry);
        }
    return routing;
}

/// Hosts that write injection queues within their credits, and nothing that the contract forbids.
class RandomHosts {
  public:
    RandomHosts(const Fabric& fabric, const RandomTraffic& traffic, const PortTables& tables)
        : f_(fabric),
          t_(traffic),
          tables_(tables),
          writer_(std::size_t{fabric.nodes} * fabric.injections),
          ready_(std::size_t{fabric.nodes} * fabric.receptions, true) {
        for (Writer& writer : writer_) writer.credits = fabric.parameters.injection_depth;
    }

    /// The hosts' pins in cycle `cycle`; `credits` came back in the last.
    void drive(std::uint64_t cycle, const std::vector<Credit>& credits, RegionInputs& inputs) {
        for (const Credit& credit : shown_)
            writer_[credit.node * f_.injections + credit.port].credits += credit.amount;
        shown_ = credits;
        for (std::uint32_t w = 0; w < writer_.size(); ++w) write(w, cycle, inputs);
        for (std::uint32_t r = 0; r < ready_.size(); ++r) {
            if (!chance(t_.stall, 2 * std::uint64_t{r} + 1, cycle)) continue;
            ready_[r] = !ready_[r];
            inputs.ready.push_back(
                {r / f_.receptions, static_cast<std::uint8_t>(r % f_.receptions), ready_[r]});
        }
    }

    /// From here on no packet begins, and every host takes what comes.
    void wind_down(RegionInputs& inputs) {
        t_.load = t_.stall = 0;
        for (std::uint32_t r = 0; r < ready_.size(); ++r)
            if (!ready_[r])
                inputs.ready.push_back(
                    {r / f_.receptions, static_cast<std::uint8_t>(r % f_.receptions), true});
        ready_.assign(ready_.size(), true);
    }

  private:
    struct Writer {
        Packet packet;
        std::uint8_t next = 0;
        bool writing = false;
        std::uint32_t credits = 0;
    };

    std::uint64_t bits(std::uint64_t stream, std::uint64_t index) const {
        return random_bits(t_.seed, stream, index);
    }
    bool chance(double probability, std::uint64_t stream, std::uint64_t index) const {
        return static_cast<double>(bits(stream, index) >> 11U) < probability * 9007199254740992.0;
    }

    void write(std::uint32_t w, std::uint64_t cycle, RegionInputs& inputs) {
        Writer& writer = writer_[w];
        const std::uint32_t node = w / f_.injections;
        if (!writer.writing && chance(t_.load, 2 * std::uint64_t{w}, cycle)) start(writer, node, w, cycle);
        // A host may pause in mid-packet.
        if (!writer.writing || writer.credits == 0 || chance(0.05, 1'000'000 + std::uint64_t{w}, cycle))
            return;
        inputs.injections.push_back(
            {node, static_cast<std::uint8_t>(w % f_.injections), 0, {writer.packet, writer.next}});
        --writer.credits;
        writer.writing = ++writer.next < writer.packet.length();
    }

    void start(Writer& writer, std::uint32_t node, std::uint32_t w, std::uint64_t cycle) {
        const std::uint64_t random = bits(2'000'000 + std::uint64_t{w}, cycle);
        PacketFields fields;
        fields.length = 1 + static_cast<std::uint32_t>(random % t_.longest);
        fields.high = (random >> 8U) % 8 == 0;
        fields.group = random >> 12U & 1U;
        fields.source = node;
        fields.sequence = static_cast<std::uint32_t>(cycle * f_.injections + w % f_.injections);
        const std::uint64_t more = bits(3'000'000 + std::uint64_t{w}, cycle);
        const std::uint64_t kind = (random >> 16U) % 4;
        if (f_.dimensions > 0 && kind < 2 && !t_.only_explicit) {
            const auto to = static_cast<std::uint32_t>((random >> 32U) % f_.nodes);
            if (to == node) return;
            fields.kind = PacketKind::unicast;
            fields.destination = f_.destination(NodeId{to});
            fields.slot =
                f_.adaptive() && !f_.by_coordinates() ? to : static_cast<std::uint32_t>(more) & 0xfffU;
        } else if (t_.slots > 0 && kind < 3 && !t_.only_explicit) {
            fields.kind = PacketKind::table;
            const auto behind = static_cast<std::uint32_t>(tables_[node].size()) - t_.slots;
            fields.slot = behind + (random >> 20U) % t_.slots;
            if ((tables_[node][fields.slot] & ((1U << f_.ports) - 1)) == 0) return;
        } else if (f_.dimensions > 0 && t_.replication > 1 && (random >> 40U) % 2 == 0 && !t_.only_explicit) {
            fields.kind = PacketKind::deposit;
            fields.slot = f_.port_mask(NodeId{node}) & 1U << (more >> 8U) % f_.ports;
            if (fields.slot == 0) return;
            fields.destination = straight(node, fields.slot, 1 + (random >> 44U) % 4);
        } else {
            fields.slot = mask(f_.port_mask(NodeId{node}), more);
        }
        if (fields.kind == PacketKind::explicit_mask && fields.slot == 0) return;
        // A packet on several links stays until all have it.
        const std::uint32_t links = fields.kind == PacketKind::explicit_mask ? fields.slot
                                    : fields.kind == PacketKind::table
                                        ? tables_[node][fields.slot] & ((1U << f_.ports) - 1)
                                        : 0;
        if ((links & (links - 1)) != 0 && fields.length > f_.parameters.injection_depth) return;
        writer.packet = make_packet(fields);
        writer.next = 0;
        writer.writing = true;
    }

    /// Where `hops` hops on from `port` (a mask) lead, or as many as there are.
    std::uint32_t straight(std::uint32_t node, std::uint32_t port, std::uint64_t hops) const {
        auto p = static_cast<std::uint32_t>(__builtin_ctz(port));
        const PortHop way = f_.hop(NodeId{node}, p);
        for (; hops > 0; --hops) {
            node = f_.to(node, p).node;
            for (p = 0; p < f_.ports; ++p) {
                const bool linked = f_.to(node, p).linked();
                if (linked && f_.hop(NodeId{node}, p) == way) break;
            }
            if (p == f_.ports) break;
        }
        return f_.destination(NodeId{node});
    }

    std::uint32_t mask(std::uint32_t ports, std::uint64_t random) const {
        std::uint32_t mask = 0;
        for (std::uint32_t i = 0; i < 1 + random % t_.replication; ++i)
            mask |= 1U << (random >> (8 + 4 * i)) % f_.ports;
        return mask & ports;
    }

    const Fabric& f_;
    RandomTraffic t_;
    const PortTables& tables_;
    std::vector<Writer> writer_;
    std::vector<bool> ready_;
    std::vector<Credit> shown_;  // on the pins in the last cycle
};

/// Packets that arrive in `cycles` cycles.
inline std::uint64_t run_hosts(Machine& machine, RandomHosts& hosts, std::uint64_t cycles) {
    RegionInputs inputs;
    RegionOutputs outputs;
    std::uint64_t packets = 0;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        inputs.clear();
        hosts.drive(cycle, outputs.injection_credits, inputs);
        machine.tick(inputs, outputs);
        packets += outputs.receptions.size();
    }
    return packets;
}

}  // namespace interlace
