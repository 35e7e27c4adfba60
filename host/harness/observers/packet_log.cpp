// Interlace: where every packet of a run was, and when
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/observers/packet_log.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>
#include <set>

namespace interlace {
namespace {

constexpr const char* event_names[] = {"birth", "injection", "hop", "arrival"};

}  // namespace

PacketLog::PacketLog(const Fabric& fabric)
    : f_(fabric), in_flight_(std::size_t{fabric.nodes} * fabric.sources()) {}

void PacketLog::born(std::uint64_t cycle, NodeId node, std::uint32_t packet) {
    events_.push_back({cycle, cycle, packet, node, Kind::birth, 0, 0});
}

void PacketLog::observe(std::uint64_t cycle, const RegionInputs& inputs, const RegionOutputs& outputs) {
    for (const LinkFlit& flit : inputs.injections)
        pass(Kind::injection, cycle, flit, f_.link_sources() + flit.port);
    for (const Reception& r : outputs.receptions)
        events_.push_back({cycle, cycle, r.packet.sequence(), r.node, Kind::arrival, r.queue, 0});
    // What came of a cycle is on the links in the next.
    for (const LinkFlit& flit : outputs.sent)
        pass(Kind::hop, cycle + 1, flit, std::size_t{flit.port} * f_.vcs + flit.vc);
}

void PacketLog::pass(Kind kind, std::uint64_t cycle, const LinkFlit& flit, std::size_t place) {
    std::size_t& event = in_flight_[std::size_t{flit.node} * f_.sources() + place];
    if (flit.flit.head()) {
        event = events_.size();
        events_.push_back({cycle, cycle, flit.flit.packet.sequence(), flit.node, kind, flit.port, flit.vc});
    }
    if (event < events_.size()) events_[event].until = cycle;
}

void PacketLog::state(Archive& archive) {
    archive.each(events_, [](Archive& a, Event& e) {
        a(e.cycle, e.until, e.packet, e.node);
        a.below(e.kind, std::size(event_names));
        a(e.port, e.channel);
    });
    const std::size_t places = in_flight_.size();
    archive(in_flight_);
    archive.expect(in_flight_.size() == places);
    for (const std::size_t event : in_flight_) archive.expect(event < events_.size() || event == 0);
}

void PacketLog::write_csv(std::ostream& out) const {
    out << "packet,event,cycle,until,node,port,channel\n";
    for (const Event& e : events_)
        fmt::print(out, "{},{},{},{},{},{},{}\n", e.packet, event_names[static_cast<std::size_t>(e.kind)],
                   e.cycle, e.until, e.node, e.port, e.channel);
}

/// The host; then injection queues, channels of links, reception queues.
std::uint32_t PacketLog::list(const Event& e) const {
    switch (e.kind) {
        case Kind::birth:
            return 0;
        case Kind::injection:
            return 1U + e.port;
        case Kind::hop:
            return 1 + f_.injections + e.port * f_.vcs + e.channel;
        default:
            return 1 + f_.sources() + e.port;
    }
}

std::string PacketLog::list_name(std::uint32_t list) const {
    if (list == 0) return "host";
    if (--list < f_.injections) return fmt::format("injection {}", list);
    list -= f_.injections;
    if (list < f_.link_sources()) return fmt::format("link {} channel {}", list / f_.vcs, list % f_.vcs);
    return fmt::format("reception {}", list - f_.link_sources());
}

void PacketLog::write_trace(std::ostream& out) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> lists;
    out << R"({"displayTimeUnit":"ms","traceEvents":[)";
    for (const Event& e : events_) {
        lists.emplace(e.node, list(e));
        const bool instant = e.kind == Kind::birth || e.kind == Kind::arrival;
        fmt::print(out,
                   R"({{"name":"packet {}","cat":"{}","pid":{},"tid":{},"ts":{},{}}},)"
                   "\n",
                   e.packet, event_names[static_cast<std::size_t>(e.kind)], e.node, list(e), e.cycle,
                   instant ? std::string(R"("ph":"i","s":"t")")
                           : fmt::format(R"("ph":"X","dur":{})", e.until - e.cycle + 1));
    }
    std::uint32_t node = UINT32_MAX;
    for (const auto& [of, number] : lists) {
        if (of != node)
            fmt::print(out,
                       R"({{"name":"process_name","ph":"M","pid":{},"args":{{"name":"node {}"}}}},)"
                       "\n",
                       of, of);
        node = of;
        fmt::print(out,
                   R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{}"}}}},)"
                   "\n",
                   of, number, list_name(number));
    }
    out << R"({"name":"trace","ph":"M","args":{"name":"interlace"}}]})" << '\n';
}

}  // namespace interlace
