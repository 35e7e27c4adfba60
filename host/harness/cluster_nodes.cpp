// Interlace: a cluster as nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "host_delay.h"
#include "interlace/core/error.h"
#include "interlace/engine/routing_tables.h"
#include "interlace/harness/message_run.h"

namespace interlace {
namespace {

constexpr std::uint32_t most_flits = 64;

void require(bool holds, const std::string& problem, const std::string& expected) {
    if (!holds) throw InputError(problem + " on a cycle engine", expected);
}

void check_switches(const EventParameters& p) {
    const SwitchParameters& s = p.switches;
    require(p.flow == Flow::credit, "event.flow that is not credit",
            "event.flow: credit, or the engine event");
    require(p.other_switches.empty(), "event.other_switches", "switches that are all alike");
    require(s.buffering == Buffering::input, "event.switch.buffering that is not input",
            "event.switch.buffering: input");
    require(s.arbitration == Arbitration::round_robin, "event.switch.arbitration that is not round_robin",
            "event.switch.arbitration: round_robin");
    require(s.output_room == 0, fmt::format("event.switch.output_room {}", s.output_room), "0");
    require(s.delay_ps == 0, "event.switch.delay_us", "0: a switch's delay is its links' latency");
    require(s.stored_from == StoredFrom::everywhere, "event.switch.stored_from: trunks", "everywhere");
}

/// Of the longest frame. Whole packets of one size go from queue to queue; worms may differ.
std::uint32_t flits_of_frame(const EventParameters& p) {
    const bool wormhole = p.switches.forwarding == FrameSwitching::wormhole;
    const std::uint32_t longest = std::max(p.frame.minimum, p.frame.mtu + p.frame.overhead);
    const std::uint32_t flit = p.switches.header;
    require(wormhole || p.frame.minimum == longest,
            fmt::format("frames of {} to {} bytes", p.frame.minimum, longest),
            fmt::format("frames of one size, event.frame.minimum: {}", longest));
    require(flit > 0 && (wormhole || longest % flit == 0),
            fmt::format("frames of {} bytes (event.frame) in flits of {} bytes (event.switch.header)",
                        longest, flit),
            "a whole number of flits");
    require(p.frame.minimum > (host_delay - 1) * flit && longest <= most_flits * flit,
            fmt::format("frames of {} to {} bytes in flits of {} bytes (event.switch.header)",
                        p.frame.minimum, longest, flit),
            fmt::format("{} to {} flits", host_delay, most_flits));
    return (longest + flit - 1) / flit;
}

/// Of the links, which have one rate.
std::uint64_t cycle_of(const Network& cluster, std::uint32_t flit_bytes) {
    const std::uint64_t rate = cluster.speed(LinkId{0}).bits_per_second;
    for (std::uint32_t e = 0; e < cluster.link_count(); ++e)
        require(cluster.speed(LinkId{e}).bits_per_second == rate, "links of different rates", "one rate");
    const std::uint64_t bits = std::uint64_t{flit_bytes} * 8 * 1'000'000'000'000U;
    require(bits % rate == 0, fmt::format("a flit of {} bytes at {} bit/s", flit_bytes, rate),
            "one that takes whole picoseconds (event.switch.header)");
    return bits / rate;
}

std::uint32_t cycles_of(std::uint64_t ps, std::uint64_t cycle_ps, std::uint32_t least,
                        const std::string& what) {
    require(ps % cycle_ps == 0 && ps / cycle_ps >= least,
            fmt::format("{} of {} us", what, static_cast<double>(ps) / 1e6),
            fmt::format("{} or more whole cycles of {} us", least, static_cast<double>(cycle_ps) / 1e6));
    return static_cast<std::uint32_t>(ps / cycle_ps);
}

void check_workstations(const WorkstationParameters& w, std::uint64_t cycle_ps) {
    for (const std::uint64_t start : w.start) cycles_of(start, cycle_ps, 0, "event.workstation.start_us");
    cycles_of(w.send_overhead, cycle_ps, 0, "event.workstation.send_overhead_us");
    cycles_of(w.gap, cycle_ps, 0, "event.workstation.gap_us");
    cycles_of(w.stall, cycle_ps, 0, "event.workstation.stall_us");
    cycles_of(w.barrier, cycle_ps, 0, "event.workstation.barrier_us");
    cycles_of(w.receive_overhead, cycle_ps, host_delay, "event.workstation.receive_overhead_us");
}

PortTables tables_of(const Network& cluster, const Routes& routes) {
    const std::uint32_t machines = cluster.endpoint_count();
    require(machines <= most_slots, fmt::format("{} machines", machines),
            fmt::format("at most {}, a table entry each", most_slots));
    PortTables tables(cluster.node_count(), std::vector<std::uint32_t>(machines, 1));  // by port 0
    std::uint32_t ports = 1;
    for (std::uint32_t v = machines; v < cluster.node_count(); ++v) {
        ports = std::max(ports, cluster.degree(NodeId{v}));
        for (std::uint32_t to = 0; to < machines; ++to)
            if (routes.reaches(NodeId{v}, NodeId{to}))
                tables[v][to] = 1U << (routes.next(NodeId{v}, NodeId{to}) - cluster.first_link(NodeId{v}));
    }
    const auto* const built = std::lower_bound(std::begin(built_ports), std::end(built_ports), ports);
    if (built != std::end(built_ports))
        for (std::uint32_t m = 0; m < machines; ++m) tables[m][m] = 1U << *built;
    return tables;
}

}  // namespace

ClusterNodes cluster_nodes(const Network& cluster, const Routes& routes, const EventParameters& p) {
    check_switches(p);
    ClusterNodes nodes;
    const std::uint32_t flits = flits_of_frame(p);
    nodes.cycle_ps = cycle_of(cluster, p.switches.header);
    check_workstations(p.workstation, nodes.cycle_ps);
    for (std::uint32_t e = 0; e < cluster.link_count(); ++e)
        nodes.links.latencies.push_back(
            cycles_of(cluster.speed(LinkId{e}).latency_ps, nodes.cycle_ps, 1, "a link's latency_us"));
    const bool wormhole = p.switches.forwarding == FrameSwitching::wormhole;
    nodes.node.switching = wormhole ? Switching::wormhole
                           : p.switches.forwarding == FrameSwitching::cut_through
                               ? Switching::virtual_cut_through
                               : Switching::store_and_forward;
    nodes.node.routing = Routing::table;
    nodes.node.flit_bytes = p.switches.header;
    nodes.node.packet_flits = flits;
    nodes.node.vcs = 1;
    nodes.node.vc_depth = p.switches.capacity == 0 ? endless : p.switches.capacity * (wormhole ? 1 : flits);
    nodes.node.injection_queues = 1;
    nodes.node.reception_queues = 1;
    nodes.node.injection_depth = nodes.node.reception_depth = 2 * flits;
    nodes.tables = tables_of(cluster, routes);
    return nodes;
}

}  // namespace interlace
