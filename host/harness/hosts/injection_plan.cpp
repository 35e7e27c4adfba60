// Interlace: which packets of a program hosts inject, and what routers forward by themselves
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/injection_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/engine/routing/routing_tables.h"

namespace interlace {
namespace {

constexpr std::uint32_t no_link = UINT32_MAX;

/// [node * packets + packet]: the link by which the packet comes. Throws where there are several.
std::vector<std::uint32_t> tree_links(const Network& network, const Program& program,
                                      const std::string& forwarding) {
    const std::size_t k = program.packet_count();
    std::vector<std::uint32_t> entered(network.node_count() * k, no_link);
    for (std::uint32_t list = 0; list < program.list_count(); ++list) {
        const LinkId link = program.link(list);
        const NodeId to = network.target(link);
        for (const PacketId packet : program.sends(list)) {
            std::uint32_t& by = entered[to * k + packet];
            if (by != no_link || to == program.origin(packet))
                throw InputError(fmt::format("packet {} reaches node {} more than once", +packet, +to),
                                 "a program whose packets follow trees, for forwarding by " + forwarding +
                                     "; or forwarding by the host");
            by = link;
        }
    }
    return entered;
}

/// What a part begins with.
struct PartHead {
    std::uint64_t sends;
    NodeRange nodes;
    std::uint32_t packets;
    NodeId source;  ///< of PacketOrigins, as the next two
    std::uint32_t of_each, sums;
    std::uint32_t tables;  ///< of all nodes
    Forwarding forwarding;
};

/// A send list as a part has it, before the packets of all.
struct SendListOfPart {
    std::uint32_t node, port;
    std::uint64_t packets;
};

}  // namespace

Forwarding parse_forwarding(const std::string& text) {
    if (text == "host") return Forwarding::host;
    if (text == "table") return Forwarding::table;
    if (text == "deposit") return Forwarding::deposit;
    throw InputError("cannot use forwarding '" + text + "'", "host, table or deposit");
}

InjectionPlan::InjectionPlan(const Network& network, const Fabric& fabric, const Program& program,
                             Forwarding forwarding)
    : network_(&network),
      program_(&program),
      forwarding_(forwarding),
      packet_count_(program.packet_count()),
      origins_(program.origins()),
      send_count_(program.send_count()) {
    if (forwarding == Forwarding::host)
        plan_host();
    else if (forwarding == Forwarding::table)
        plan_table(fabric);
    else
        plan_deposit(fabric);
    if (forwarding != Forwarding::table) check_masks();
}

void InjectionPlan::check_masks() const {
    for (const SendList& list : lists_)
        if (list.port >= ports_in_header)
            throw InputError(
                fmt::format("cannot use forwarding by {} at node {}, which sends by port {}",
                            forwarding_ == Forwarding::host ? "host" : "deposit", +list.node, list.port),
                fmt::format("ports below {}, which a header can name, or forwarding: table",
                            ports_in_header));
}

bool InjectionPlan::is_own(const SendList& list) const {
    if (origins_.of_each == 0) return NodeId{list.node} == origins_.source;
    return std::all_of(list.packets.begin(), list.packets.end(),
                       [&](PacketId packet) { return origins_(packet) == list.node; });
}

PacketFields InjectionPlan::fields(const SendList& list, std::size_t i) const {
    PacketFields fields;
    fields.slot = 1U << list.port;
    if (forwarding_ == Forwarding::table) {
        fields.kind = PacketKind::table;
        fields.slot = slot_of_packet_[list.packets[i]];
    } else if (forwarding_ == Forwarding::deposit) {
        fields.kind = PacketKind::deposit;
        fields.destination = destination_[list.first + i];
    }
    return fields;
}

std::vector<std::uint8_t> InjectionPlan::arrivals(NodeRange nodes) const {
    if (program_ == nullptr) return arrivals_;
    return interlace::arrivals(*network_, *program_, nodes);
}

Bytes InjectionPlan::part(NodeRange nodes) const {
    std::vector<SendListOfPart> lists;
    std::vector<PacketId> packets;
    std::vector<std::uint32_t> destinations;
    for (const SendList& list : lists_) {
        if (!nodes.contains(list.node)) continue;
        lists.push_back({list.node, list.port, list.packets.size()});
        packets.insert(packets.end(), list.packets.begin(), list.packets.end());
        if (forwarding_ != Forwarding::deposit) continue;
        const auto first = destination_.begin() + static_cast<std::ptrdiff_t>(list.first);
        destinations.insert(destinations.end(), first,
                            first + static_cast<std::ptrdiff_t>(list.packets.size()));
    }
    ByteWriter bytes;
    bytes.put(PartHead{send_count_, nodes, packet_count_, origins_.source, origins_.of_each, origins_.sums,
                       static_cast<std::uint32_t>(tables_.size()), forwarding_});
    bytes.put(origins_.ends);
    bytes.put(lists);
    bytes.put(packets);
    bytes.put(destinations);
    bytes.put(slot_of_packet_);
    bytes.put(arrivals(nodes));
    for (std::uint32_t node = nodes.first; !tables_.empty() && node < nodes.end(); ++node)
        bytes.put(tables_[node]);
    return bytes.take();
}

InjectionPlan::InjectionPlan(const Bytes& part) {
    ByteReader bytes(part);
    PartHead head = {};
    std::vector<SendListOfPart> lists;
    bytes.get(head);
    forwarding_ = head.forwarding;
    packet_count_ = head.packets;
    origins_ = {head.source, head.of_each, head.sums, {}};
    send_count_ = head.sends;
    bytes.append_to(origins_.ends);
    bytes.append_to(lists);
    bytes.append_to(packets_);
    bytes.append_to(destination_);
    bytes.append_to(slot_of_packet_);
    bytes.append_to(arrivals_);
    tables_.resize(head.tables);
    for (std::uint32_t node = head.nodes.first; !tables_.empty() && node < head.nodes.end(); ++node)
        bytes.append_to(tables_[node]);
    std::uint64_t first = 0;
    for (const SendListOfPart& list : lists) {
        lists_.push_back({list.node, list.port, first, {packets_.data() + first, list.packets}});
        first += list.packets;
    }
}

void InjectionPlan::plan_host() {
    std::uint64_t first = 0;
    for (std::uint32_t i = 0; i < program_->list_count(); ++i) {
        const NodeId node = network_->origin(program_->link(i));
        const auto packets = program_->sends(i);
        lists_.push_back({node, program_->link(i) - network_->first_link(node), first, packets});
        first += packets.size();
    }
}

/// Its origin injects every packet once, into the queue of the port whose send list has it earliest.
void InjectionPlan::plan_table(const Fabric& fabric) {
    tree_links(*network_, *program_, "table");
    struct Injection {
        std::size_t place;  // in a send list
        NodeId node;
        std::uint32_t port;
        PacketId packet;
    };
    std::vector<Injection> earliest;  // [packet]
    for (std::uint32_t p = 0; p < program_->packet_count(); ++p)
        earliest.push_back({SIZE_MAX, program_->origin(PacketId{p}), 0, PacketId{p}});
    for (std::uint32_t i = 0; i < program_->list_count(); ++i) {
        const NodeId node = network_->origin(program_->link(i));
        const std::uint32_t port = program_->link(i) - network_->first_link(node);
        const auto packets = program_->sends(i);
        for (std::size_t place = 0; place < packets.size(); ++place) {
            Injection& first = earliest[packets[place]];
            if (first.node == node && place < first.place) first = {place, node, port, packets[place]};
        }
    }
    std::erase_if(earliest, [](const Injection& injection) { return injection.place == SIZE_MAX; });
    const auto key = [](const Injection& i) { return std::tuple(+i.node, i.port, i.place, +i.packet); };
    std::sort(earliest.begin(), earliest.end(),
              [&](const Injection& a, const Injection& b) { return key(a) < key(b); });
    packets_.reserve(earliest.size());
    for (std::size_t first = 0, next = 0; first < earliest.size(); first = next) {
        for (; next < earliest.size() && earliest[next].node == earliest[first].node &&
               earliest[next].port == earliest[first].port;
             ++next)
            packets_.push_back(earliest[next].packet);
        lists_.push_back({earliest[first].node,
                          earliest[first].port,
                          first,
                          {packets_.data() + first, packets_.data() + next}});
    }
    fill_tables(fabric);
}

/// Packets with the same tree share a slot.
void InjectionPlan::fill_tables(const Fabric& fabric) {
    const std::size_t k = program_->packet_count();
    std::vector<std::vector<std::uint32_t>> links(k);  // [packet], ascending
    for (std::uint32_t i = 0; i < program_->list_count(); ++i)
        for (const PacketId packet : program_->sends(i)) links[packet].push_back(program_->link(i));
    std::map<std::vector<std::uint32_t>, std::uint32_t> slots;
    for (const auto& tree : links)
        slot_of_packet_.push_back(
            slots.emplace(tree, static_cast<std::uint32_t>(slots.size())).first->second);
    if (slots.size() > max_slots)
        throw InputError(fmt::format("there are {} different trees", slots.size()),
                         fmt::format("at most {}: the slots that a header can name", max_slots));
    tables_.assign(network_->node_count(), std::vector<std::uint32_t>(slots.size(), 0));
    for (const auto& [tree, slot] : slots)
        for (const std::uint32_t link : tree) {
            const NodeId node = network_->origin(LinkId{link});
            tables_[node][slot] |= 1U << (link - network_->first_link(node));
            tables_[network_->target(LinkId{link})][slot] |= 1U << fabric.ports;
        }
}

/// A send that goes on straight from where its packet came is the router's; every other one begins a line.
void InjectionPlan::plan_deposit(const Fabric& fabric) {
    if (fabric.dimensions == 0)
        throw InputError("cannot use forwarding by deposit on " + network_->name(),
                         "a torus without a twist, a mesh or an ibt whose coordinates fit a packet's header");
    const std::size_t k = program_->packet_count();
    const std::vector<std::uint32_t> entered = tree_links(*network_, *program_, "deposit");
    std::vector<std::uint32_t>& next = straight_on_;
    next.assign(network_->link_count(), no_link);
    std::vector<std::uint32_t> before(network_->link_count(), no_link);
    LatticeHops hops(*network_->lattice());
    for (std::uint32_t v = 0; v < network_->node_count(); ++v)
        for (std::uint32_t p = 0; p < network_->degree(NodeId{v}); ++p) {
            const LinkId link{network_->first_link(NodeId{v}) + p};
            const Hop hop = hops.of(NodeId{v})[p];
            const NodeId far = network_->target(link);
            const std::vector<Hop>& onwards = hops.of(far);
            const auto on = std::find(onwards.begin(), onwards.end(), hop);
            if (on == onwards.end()) continue;
            next[link] = network_->first_link(far) + static_cast<std::uint32_t>(on - onwards.begin());
            before[next[link]] = link;
        }
    const auto carries = [&](std::uint32_t link, PacketId packet) {
        return link != no_link && entered[network_->target(LinkId{link}) * k + packet] == link;
    };
    packets_.reserve(program_->send_count());
    for (std::uint32_t i = 0; i < program_->list_count(); ++i) {
        const LinkId link = program_->link(i);
        const NodeId node = network_->origin(link);
        const std::size_t first = packets_.size();
        for (const PacketId packet : program_->sends(i)) {
            if (carries(before[link], packet)) continue;
            std::uint32_t last = link;
            while (carries(next[last], packet)) last = next[last];
            packets_.push_back(packet);
            destination_.push_back(fabric.destination(network_->target(LinkId{last})));
        }
        if (packets_.size() > first)
            lists_.push_back({node,
                              link - network_->first_link(node),
                              first,
                              {packets_.data() + first, packets_.data() + packets_.size()}});
    }
}

}  // namespace interlace
