// Interlace: a cluster as nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "host_delay.h"
#include "interlace/core/error.h"
#include "interlace/engine/routing/routing_tables.h"
#include "interlace/harness/messages/message_run.h"

namespace interlace {
namespace {

constexpr std::uint32_t max_flits = 64;

/// What nodes cannot represent, all of it, to be told in one line.
class Refusals {
  public:
    void unless(bool holds, const std::string& problem, const std::string& expected) {
        if (holds) return;
        add(problems_, problem);
        add(expected_, expected);
    }
    /// Throws InputError if there is any.
    void tell(const Network& cluster) const {
        if (!problems_.empty())
            throw InputError("cannot use " + problems_ + " on a cycle engine", expected_).at(cluster.name());
    }

  private:
    static void add(std::string& list, const std::string& item) { list += (list.empty() ? "" : "; ") + item; }
    std::string problems_, expected_;
};

void check_switches(const EventParameters& p, Refusals& refusals) {
    const SwitchParameters& s = p.switches;
    refusals.unless(p.flow == Flow::credit, "event.flow that is not credit", "event.flow: credit");
    refusals.unless(p.reliability.window != Window::reno, "event.reliability.window: reno",
                    "event.reliability.window: go_back_n");
    refusals.unless(p.other_switches.empty(), "event.other_switches", "switches that are all alike");
    refusals.unless(s.buffering == Buffering::input, "event.switch.buffering that is not input",
                    "event.switch.buffering: input");
    refusals.unless(s.arbitration == Arbitration::round_robin,
                    "event.switch.arbitration that is not round_robin",
                    "event.switch.arbitration: round_robin");
    refusals.unless(s.output_room == 0, fmt::format("event.switch.output_room {}", s.output_room),
                    "event.switch.output_room: 0");
    refusals.unless(s.delay_ps == 0, "event.switch.delay_us",
                    "event.switch.delay_us: 0 (a switch's delay is its links' latency)");
    refusals.unless(s.stored_from == StoredFrom::everywhere, "event.switch.stored_from: trunks",
                    "event.switch.stored_from: everywhere");
}

std::uint32_t longest_frame(const EventParameters& p) {
    return std::max(p.frame.minimum, p.frame.mtu + p.frame.overhead);
}

/// Whole packets of one size go from queue to queue; worms may differ.
void check_frames(const EventParameters& p, Refusals& refusals) {
    const bool wormhole = p.switches.forwarding == FrameSwitching::wormhole;
    const std::uint32_t longest = longest_frame(p);
    const std::uint32_t flit = p.switches.header;
    refusals.unless(wormhole || p.frame.minimum == longest,
                    fmt::format("frames of {} to {} bytes", p.frame.minimum, longest),
                    fmt::format("frames of one size, event.frame.minimum: {}", longest));
    refusals.unless(flit > 0 && (wormhole || longest % flit == 0),
                    fmt::format("frames of {} bytes (event.frame) in flits of {} bytes (event.switch.header)",
                                longest, flit),
                    "a whole number of flits");
    refusals.unless(p.frame.minimum > (host_delay - 1) * flit && longest <= max_flits * flit,
                    fmt::format("frames of {} to {} bytes in flits of {} bytes (event.switch.header)",
                                p.frame.minimum, longest, flit),
                    fmt::format("{} to {} flits", host_delay, max_flits));
}

/// As in n0-s2.
std::string name_of_link(const Network& cluster, LinkId link) {
    const std::uint32_t machines = cluster.endpoint_count();
    const auto name = [&](std::uint32_t v) {
        return v < machines ? fmt::format("n{}", v) : fmt::format("s{}", v - machines);
    };
    return name(cluster.origin(link)) + "-" + name(cluster.target(link));
}

/// Of the links, which have one rate.
std::uint64_t cycle_of(const Network& cluster, std::uint32_t flit_bytes, Refusals& refusals) {
    const std::uint64_t rate = cluster.speed(LinkId{0}).bits_per_second;
    for (std::uint32_t e = 1; e < cluster.link_count(); ++e) {
        const std::uint64_t other = cluster.speed(LinkId{e}).bits_per_second;
        if (other == rate) continue;
        refusals.unless(
            false,
            fmt::format("links of different rates ({} has {} bit/s, {} has {})",
                        name_of_link(cluster, LinkId{0}), rate, name_of_link(cluster, LinkId{e}), other),
            "one rate");
        break;
    }
    const std::uint64_t bits = std::uint64_t{flit_bytes} * 8 * 1'000'000'000'000U;
    refusals.unless(bits % rate == 0, fmt::format("a flit of {} bytes at {} bit/s", flit_bytes, rate),
                    "one that takes whole picoseconds (event.switch.header)");
    return bits / rate;
}

std::uint32_t cycles_of(std::uint64_t ps, std::uint64_t cycle_ps, std::uint32_t least,
                        const std::string& what, Refusals& refusals) {
    refusals.unless(
        ps % cycle_ps == 0 && ps / cycle_ps >= least,
        fmt::format("{} of {} us", what, static_cast<double>(ps) / 1e6),
        fmt::format("{} or more whole cycles of {} us", least, static_cast<double>(cycle_ps) / 1e6));
    return static_cast<std::uint32_t>(ps / cycle_ps);
}

void check_workstations(const WorkstationParameters& w, std::uint64_t cycle_ps, Refusals& refusals) {
    const auto whole = [&](std::uint64_t ps, const std::string& key, std::uint32_t least = 0) {
        cycles_of(ps, cycle_ps, least, "event.workstation." + key, refusals);
    };
    refusals.unless(w.start_skew == 0 && w.jitter == 0,
                    "event.workstation.start_skew_us or jitter_us, which are not whole cycles",
                    "start_skew_us: 0, jitter_us: 0, or the engine event");
    for (const std::uint64_t start : w.start) whole(start, "start_us");
    whole(w.send_overhead, "send_overhead_us");
    whole(w.gap, "gap_us");
    whole(w.stall, "stall_us");
    whole(w.barrier, "barrier_us");
    whole(w.receive_overhead, "receive_overhead_us", host_delay);
}

/// Latencies in cycles, one a link; the refusal is told once for all links alike.
std::vector<std::uint32_t> latencies_of(const Network& cluster, std::uint64_t cycle_ps, Refusals& refusals) {
    std::vector<std::uint32_t> latencies;
    std::set<std::uint64_t> refused;
    for (std::uint32_t e = 0; e < cluster.link_count(); ++e) {
        const std::uint64_t ps = cluster.speed(LinkId{e}).latency_ps;
        const bool whole = ps % cycle_ps == 0 && ps >= cycle_ps;
        if (whole || refused.insert(ps).second)
            latencies.push_back(cycles_of(ps, cycle_ps, 1, "a link's latency_us", refusals));
    }
    return latencies;
}

PortTables tables_of(const Network& cluster, const Routes& routes) {
    const std::uint32_t machines = cluster.endpoint_count();
    PortTables tables(cluster.node_count(), std::vector<std::uint32_t>(machines, 1));  // by port 0
    const std::uint32_t ports = cluster.max_degree();
    for (std::uint32_t v = machines; v < cluster.node_count(); ++v) {
        for (std::uint32_t to = 0; to < machines; ++to)
            if (routes.reaches(NodeId{v}, NodeId{to}))
                tables[v][to] = 1U << (routes.next(NodeId{v}, NodeId{to}) - cluster.first_link(NodeId{v}));
    }
    if (ports <= most_ports)  // or else the fabric refuses it
        for (std::uint32_t m = 0; m < machines; ++m) tables[m][m] = 1U << ports_for(ports);
    return tables;
}

}  // namespace

ClusterNodes cluster_nodes(const Network& cluster, const Routes& routes, const EventParameters& p) {
    Refusals refusals;
    check_switches(p, refusals);
    check_frames(p, refusals);
    const std::uint32_t machines = cluster.endpoint_count();
    refusals.unless(machines <= max_slots, fmt::format("{} machines", machines),
                    fmt::format("at most {}, a table entry each", max_slots));
    ClusterNodes nodes;
    nodes.cycle_ps = cycle_of(cluster, p.switches.header, refusals);
    refusals.tell(cluster);  // what follows counts in cycles
    check_workstations(p.workstation, nodes.cycle_ps, refusals);
    nodes.links.latencies = latencies_of(cluster, nodes.cycle_ps, refusals);
    refusals.tell(cluster);
    const std::uint32_t flits = (longest_frame(p) + p.switches.header - 1) / p.switches.header;
    const bool wormhole = p.switches.forwarding == FrameSwitching::wormhole;
    nodes.node.switching = wormhole ? Switching::wormhole
                           : p.switches.forwarding == FrameSwitching::cut_through
                               ? Switching::virtual_cut_through
                               : Switching::store_and_forward;
    nodes.node.routing = Routing::table;
    nodes.node.flit_bytes = p.switches.header;
    nodes.node.packet_flits = flits;
    nodes.node.vcs = 1;
    nodes.node.vc_depth =
        p.switches.capacity == 0 ? infinite_depth : p.switches.capacity * (wormhole ? 1 : flits);
    nodes.node.injection_queues = 1;
    nodes.node.reception_queues = 1;
    nodes.node.injection_depth = nodes.node.reception_depth = 2 * flits;
    nodes.tables = tables_of(cluster, routes);
    return nodes;
}

}  // namespace interlace
