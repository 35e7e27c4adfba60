// Interlace: hosts that do at random whatever hosts may do
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/stress.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/value_error.h"
#include "interlace/engine/checking/scoreboard.h"
#include "interlace/engine/fabric/registers.h"
#include "interlace/engine/region/region.h"
#include "interlace/experiment/nodes/device.h"
#include "interlace/experiment/nodes/make_machine.h"
#include "interlace/harness/hosts/random_hosts.h"
#include "interlace/network/specification.h"

namespace interlace {
namespace {

/// A scoreboard looks so often, and names what has been left over for as long.
constexpr std::uint64_t settling = 3 * Scoreboard::patience;

RandomTraffic traffic_of(const StressExperiment& e) {
    return {.seed = e.seed,
            .load = e.load,
            .stall = e.stall,
            .longest = e.nodes.node.packet_flits,
            .replication = e.nodes.node.switching == Switching::wormhole ? 1U : 3U,
            .slots = 0,
            .only_explicit = true};
}

/// What is on its way to hosts: explicit packets go to the reception queue of each next node in their mask.
class Ledger {
  public:
    explicit Ledger(const Fabric& fabric) : f_(fabric) {}
    void sent(const LinkFlit& flit) {
        if (!flit.flit.head()) return;
        for (std::uint32_t ports = flit.flit.packet.slot(); ports != 0; ports &= ports - 1) {
            const auto port = static_cast<std::uint32_t>(__builtin_ctz(ports));
            ++due_[key(f_.to(flit.node, port).node, flit.flit.packet)];
        }
    }
    void taken(const Reception& reception) {
        const auto due = due_.find(key(reception.node, reception.packet));
        if (due == due_.end())
            throw FellShort(
                fmt::format("packet {} of node {} has reached node {}, to which it was not sent, or "
                            "not as often",
                            reception.packet.sequence(), reception.packet.source(), reception.node));
        if (--due->second == 0) due_.erase(due);
    }
    /// Throws FellShort where something has not arrived.
    void close() const {
        if (due_.empty()) return;
        throw FellShort(
            fmt::format("{} packets have not arrived {} cycles after the last was sent; one is for node {}",
                        due_.size(), settling, std::get<0>(due_.begin()->first)));
    }

  private:
    using Key = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;
    static Key key(std::uint32_t node, const Packet& packet) {
        return {node, packet.header, packet.identity};
    }
    const Fabric& f_;
    std::map<Key, std::uint32_t> due_;
};

/// What links showed, as nodes count it (docs/node.md, section 1, `counters`).
class Counters {
  public:
    explicit Counters(const Fabric& fabric)
        : f_(fabric), flits_(std::size_t{fabric.nodes} * fabric.ports), heads_(flits_.size()) {}
    void sent(const LinkFlit& flit) {
        const std::size_t port = std::size_t{flit.node} * f_.ports + flit.port;
        ++flits_[port];
        if (flit.flit.head()) ++heads_[port];
    }
    /// Throws FellShort where a register of a node of `machine`, all of which are at rest, says something
    /// else.
    void compare(Machine& machine) const {
        bool any = false;
        for (std::uint32_t v = 0; v < f_.nodes; ++v) any = compare(machine, NodeId{v}) || any;
        if (!any) throw NotBuiltForIt("none of the nodes has registers that a host can read");
    }

  private:
    /// False: it has none.
    bool compare(Machine& machine, NodeId node) const {
        RegisterAccess* const nodes = machine.registers_of(node);
        if (nodes == nullptr) return false;
        for (const auto& [address, value] : common_registers(f_)) check(*nodes, node, address, value);
        check(*nodes, node, Register::ports, f_.port_mask(node));
        for (std::uint32_t d = 0; d < f_.dimensions; ++d)
            check(*nodes, node, Register::dimension + d,
                  f_.coordinate(node, d) | std::uint32_t{f_.sizes[d]} << 16U);
        check(*nodes, node, Register::status, 0);
        check(*nodes, node, Register::idle, 3);
        for (std::uint32_t p = 0; p < f_.ports; ++p) {
            const std::size_t port = std::size_t{node} * f_.ports + p;
            check(*nodes, node, Register::counters + 4 * p, flits_[port]);
            check(*nodes, node, Register::counters + 4 * p + 1, heads_[port]);
        }
        return true;
    }
    static void check(RegisterAccess& nodes, NodeId node, std::uint32_t address, std::uint32_t expected) {
        const std::uint32_t says = nodes.read_register(node, address);
        if (says != expected)
            throw FellShort(fmt::format("register {:#x} of node {} is {:#x} at the end, expected {:#x}",
                                        address, +node, says, expected));
    }

    const Fabric& f_;
    std::vector<std::uint32_t> flits_, heads_;  // [node * ports + port]
};

}  // namespace

Usage run_stress(const StressExperiment& e) {
    const Network network = make_network(e.network);
    const Fabric fabric =
        about("node", [&] { return Fabric(network, e.nodes.node.without_unicast(), e.nodes.links); });
    const PortTables tables(fabric.nodes);
    Machine machine =
        make_machine(network, fabric, e.engine, e.nodes, kind_bit(PacketKind::explicit_mask), &tables);
    machine.watch({.links = e.registers});
    RandomHosts hosts(fabric, traffic_of(e), tables);
    Ledger ledger(fabric);
    Counters counters(fabric);
    RegionInputs inputs;
    RegionOutputs outputs;
    std::uint64_t end = e.cycles + settling;  // and for as long as packets arrive
    for (std::uint64_t cycle = 0; cycle < end; ++cycle) {
        inputs.clear();
        if (cycle == e.cycles) hosts.wind_down(inputs);
        hosts.drive(cycle, outputs.injection_credits, inputs);
        for (const LinkFlit& flit : inputs.injections) ledger.sent(flit);
        machine.tick(inputs, outputs);
        for (const LinkFlit& flit : outputs.sent) counters.sent(flit);
        for (const Reception& reception : outputs.receptions) ledger.taken(reception);
        if (!outputs.receptions.empty()) end = std::max(end, cycle + settling);
    }
    ledger.close();
    if (e.registers) counters.compare(machine);
    return machine.usage();
}

}  // namespace interlace
