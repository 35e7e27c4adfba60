// Interlace: whether what hosts take from hardware is what came to it, from their pins alone
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/checking/packet_check.h"

#include <fmt/format.h>

#include "interlace/engine/region/node_fault.h"

namespace interlace {

PacketCheck::PacketCheck(const Fabric& fabric, const std::vector<NodeId>& nodes)
    : f_(fabric),
      nodes_(nodes),
      leaving_(nodes.size() * fabric.link_sources()),
      coming_(nodes.size() * fabric.receptions) {}

void PacketCheck::enters(std::uint32_t n, const RawFlit& flit) {
    if ((flit.ends & 1U) == 0) return;
    const Packet packet = f_.come({flit.word[0], flit.word[1]}, true);
    ++there_[{n, packet.header, packet.identity}];
}

void PacketCheck::leaves(std::uint32_t n, std::uint32_t port, std::uint32_t vc, const RawFlit& flit,
                         std::uint64_t cycle) {
    if (vc < f_.vcs)
        follow(n, leaving_[(std::size_t{n} * f_.ports + port) * f_.vcs + vc], flit,
               fmt::format("link_flit_o[{}], channel {},", port, vc), cycle);
}

void PacketCheck::taken(std::uint32_t n, std::uint32_t queue, const RawFlit& flit, std::uint64_t cycle) {
    Coming& coming = coming_[std::size_t{n} * f_.receptions + queue];
    const std::string pin = fmt::format("rx_flit_o[{}]", queue);
    if (!follow(n, coming, flit, pin, cycle)) return;
    const auto came = there_.find({n, coming.packet.header, coming.packet.identity});
    if (came == there_.end())
        throw NodeFault(
            nodes_[n], cycle,
            fmt::format("{} shows packet {} of node {}, which did not come to the node, or not as often", pin,
                        coming.packet.sequence(), coming.packet.source()));
    if (--came->second == 0) there_.erase(came);
}

void PacketCheck::state(std::uint32_t n, Archive& archive) {
    const auto pass = [&](std::vector<Coming>& of, std::size_t a_node) {
        for (std::size_t i = n * a_node; i < (n + 1) * a_node; ++i)
            archive(of[i].packet, of[i].next, of[i].runs);
    };
    pass(leaving_, std::size_t{f_.ports} * f_.vcs);
    pass(coming_, f_.receptions);
    std::vector<There> there;
    for (auto it = there_.lower_bound({n, 0, 0}); it != there_.end() && std::get<0>(it->first) == n; ++it)
        there.push_back({std::get<1>(it->first), std::get<2>(it->first), it->second});
    archive.each(there, [](Archive& a, There& of) { a(of.header, of.identity, of.times); });
    for (const There& of : there) there_[{n, of.header, of.identity}] = of.times;
}

bool PacketCheck::follow(std::uint32_t n, Coming& coming, const RawFlit& flit, const std::string& pin,
                         std::uint64_t cycle) {
    const auto fault = [&](const std::string& what) {
        throw NodeFault(nodes_[n], cycle, pin + " shows " + what);
    };
    const bool head = (flit.ends & 1U) != 0;
    if (head == coming.runs)
        fault(head ? "a head in the middle of a packet" : "no head where a packet begins");
    if (head) coming = {{flit.word[0], flit.word[1]}, 0, true};
    const Packet& packet = coming.packet;
    const auto name = [&] { return fmt::format("packet {} of node {}", packet.sequence(), packet.source()); };
    const RawFlit right = raw({packet, coming.next});
    if (flit.word[0] != right.word[0] || flit.word[1] != right.word[1])
        fault(fmt::format("flit {} of {} as {:#x}, {:#x}, which is {:#x}, {:#x}", coming.next, name(),
                          flit.word[0], flit.word[1], right.word[0], right.word[1]));
    if (flit.ends != right.ends)
        fault(fmt::format("flit {} of {} of {} with other marks of head and tail", coming.next,
                          packet.length(), name()));
    coming.runs = ++coming.next < packet.length();
    return !coming.runs;
}

}  // namespace interlace
