// Interlace: why a broadcast cannot lock up, or how it might
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/network/dependency_graph.h"

namespace interlace {
namespace {

/// Of channels: a link each, and behind them a node's memory each.
using Dependencies = std::set<Dependency>;

class Examination {
  public:
    /// `bounded`: a host may have to wait for memory.
    Examination(const Network& network, const Fabric& fabric, bool bounded, InjectionPlan& plan)
        : n_(network), f_(fabric), bounded_(bounded), plan_(plan), crossings_(network.link_count(), 0) {
        const bool table = plan.forwarding() == Forwarding::table;
        of_slot_.resize(table && !plan.tables().empty() ? plan.tables().front().size() : 1);
        for (const InjectionPlan::SendList& list : plan.lists())
            for (std::size_t i = 0; i < list.packets.size(); ++i) follow(list, plan.fields(list, i));
    }

    DeadlockCheck check() {
        if (plan_.forwarding() == Forwarding::table && injects_in_parts())
            return {
                false,
                fmt::format("injection queues of {} flits hold less than a packet, and one that the source "
                            "sends on several links leaves its queue as a whole",
                            f_.parameters.injection_depth)};
        std::vector<std::uint32_t> cycle;
        DependencyGraph all = graph();
        for (std::size_t slot = 0; slot < of_slot_.size() && cycle.empty(); ++slot)
            cycle = all.add(list(slot));
        if (cycle.empty() && bounded_ && !arrives_in_order())
            return {false, "hosts send in the program's order, and what is next may find their memory full"};
        if (cycle.empty()) return {true, "acyclic channel dependencies"};
        if (plan_.forwarding() == Forwarding::table && assign_channels())
            return {true, "every tree on one channel, acyclic dependencies in each"};
        if (has_room()) return {true, "queues that hold every packet that crosses their link"};
        return {false, describe(cycle)};
    }

  private:
    /// A packet leaves its injection queue on several links, and the queue never holds all of it: its room is
    /// not freed before every branch has moved the tail. (Channels hold whole packets.)
    bool injects_in_parts() const {
        if (f_.parameters.injection_depth >= f_.parameters.packet_flits) return false;
        const std::uint32_t ports = (1U << f_.ports) - 1;
        return std::any_of(plan_.lists().begin(), plan_.lists().end(), [&](const auto& list) {
            for (std::size_t i = 0; i < list.packets.size(); ++i) {
                const std::uint32_t slot = plan_.fields(list, i).slot;
                if (std::popcount(plan_.tables()[list.node][slot] & ports) > 1) return true;
            }
            return false;
        });
    }

    /// What the packet meets from its injection on.
    void follow(const InjectionPlan::SendList& list, const PacketFields& fields) {
        const std::uint32_t link = n_.first_link(NodeId{list.node}) + list.port;
        if (bounded_ && !plan_.is_own(list)) of_slot_.front().emplace(n_.link_count() + list.node, link);
        if (plan_.forwarding() != Forwarding::table) {
            follow_line(link, fields);
            return;
        }
        const std::uint32_t mask = plan_.tables()[list.node][fields.slot];
        for (std::uint32_t port = 0; port < f_.ports; ++port)
            if ((mask >> port & 1U) != 0) follow_tree(n_.first_link(NodeId{list.node}) + port, fields.slot);
    }

    void arrive(std::uint32_t link, Dependencies& dependencies) {
        ++crossings_[link];
        if (bounded_) dependencies.emplace(link, n_.link_count() + n_.target(LinkId{link}));
    }

    void follow_line(std::uint32_t link, const PacketFields& fields) {
        Dependencies& dependencies = of_slot_.front();
        arrive(link, dependencies);
        if (plan_.forwarding() != Forwarding::deposit) return;
        while (f_.destination(n_.target(LinkId{link})) != fields.destination) {
            const std::uint32_t next = plan_.straight_on(LinkId{link});
            dependencies.emplace(link, next);
            link = next;
            arrive(link, dependencies);
        }
    }

    void follow_tree(std::uint32_t root, std::uint32_t slot) {
        std::vector<std::uint32_t> links{root};
        while (!links.empty()) {
            const std::uint32_t link = links.back();
            links.pop_back();
            arrive(link, of_slot_[slot]);
            const NodeId node = n_.target(LinkId{link});
            for (std::uint32_t port = 0; port < n_.degree(node); ++port)
                if ((plan_.tables()[node][slot] >> port & 1U) != 0) {
                    of_slot_[slot].emplace(link, n_.first_link(node) + port);
                    links.push_back(n_.first_link(node) + port);
                }
        }
    }

    /// Of a link, that such packets use.
    std::uint32_t channels() const {
        return f_.vcs - (f_.adaptive() ? 1 : 0) - (f_.priority_channel() != 0 ? 1 : 0);
    }
    DependencyGraph graph() const { return DependencyGraph(n_.link_count() + n_.node_count()); }
    std::vector<Dependency> list(std::size_t slot) const {
        return {of_slot_[slot].begin(), of_slot_[slot].end()};
    }

    /// Each tree to the lowest channel whose dependencies stay acyclic with it.
    bool assign_channels() {
        std::vector<DependencyGraph> in(channels(), graph());
        std::vector<std::size_t> channel(of_slot_.size(), 0);
        for (std::size_t slot = 0; slot < of_slot_.size(); ++slot) {
            while (channel[slot] < in.size() && !in[channel[slot]].add(list(slot)).empty()) ++channel[slot];
            if (channel[slot] == in.size()) return false;
        }
        for (auto& table : plan_.tables())
            for (std::size_t slot = 0; slot < table.size(); ++slot)
                if (table[slot] != 0) table[slot] |= entry_of_channels(1U << channel[slot]);
        return true;
    }

    /// Packets come to each host in the order in which it sends them: by one link, on one channel, and in its
    /// send list's order.
    bool arrives_in_order() const {
        if (f_.vcs > 1 || plan_.forwarding() != Forwarding::host) return false;
        std::vector<const InjectionPlan::SendList*> into(f_.nodes, nullptr);
        for (const InjectionPlan::SendList& list : plan_.lists()) {
            const NodeId to = n_.target(LinkId{n_.first_link(NodeId{list.node}) + list.port});
            if (into[to] != nullptr) return false;
            into[to] = &list;
        }
        return std::all_of(plan_.lists().begin(), plan_.lists().end(),
                           [&](const InjectionPlan::SendList& list) {
                               if (plan_.is_own(list)) return true;
                               const auto& coming = into[list.node]->packets;
                               auto next = coming.begin();
                               for (const PacketId packet : list.packets) {
                                   next = std::find(next, coming.end(), packet);
                                   if (next == coming.end()) return false;
                               }
                               return true;
                           });
    }

    bool has_room() const {
        const std::uint32_t held =
            channels() * (f_.parameters.vc_depth / std::max(f_.parameters.packet_flits, 1U));
        return !bounded_ && *std::max_element(crossings_.begin(), crossings_.end()) <= held;
    }

    std::string describe(const std::vector<std::uint32_t>& cycle) const {
        constexpr std::size_t most = 8;
        std::string text = fmt::format("{} channels may wait in a cycle:", cycle.size());
        for (std::size_t i = 0; i < std::min(cycle.size(), most); ++i) {
            const std::uint32_t channel = cycle[i];
            if (channel >= n_.link_count())
                text += fmt::format(" memory of {},", channel - n_.link_count());
            else
                text += fmt::format(" {}->{},", +n_.origin(LinkId{channel}), +n_.target(LinkId{channel}));
        }
        text.pop_back();
        return cycle.size() > most ? text + ", ..." : text;
    }

    const Network& n_;
    const Fabric& f_;
    bool bounded_;
    InjectionPlan& plan_;
    std::vector<Dependencies> of_slot_;     // one for all, but for tables
    std::vector<std::uint64_t> crossings_;  // [link]: packets
};

/// A host that sends on may receive more packets than it has memory for.
bool may_fill(const Network& network, std::uint32_t memory, const InjectionPlan& plan) {
    if (memory == 0) return false;
    std::vector<std::uint64_t> received(network.node_count(), plan.packet_count());
    if (plan.forwarding() == Forwarding::host) {  // packets may come to a node more than once
        std::fill(received.begin(), received.end(), 0);
        for (const InjectionPlan::SendList& list : plan.lists())
            received[network.target(LinkId{network.first_link(NodeId{list.node}) + list.port})] +=
                list.packets.size();
    }
    return std::any_of(plan.lists().begin(), plan.lists().end(), [&](const InjectionPlan::SendList& list) {
        return !plan.is_own(list) && received[list.node] > memory;
    });
}

}  // namespace

DeadlockCheck secure(const Network& network, const Fabric& fabric, const HostParameters& host,
                     InjectionPlan& plan) {
    const bool bounded = may_fill(network, host.memory_packets, plan);
    if (plan.forwarding() != Forwarding::host && fabric.parameters.switching == Switching::wormhole)
        throw InputError("forwarding by the router under wormhole switching, which cannot replicate",
                         "store_and_forward or virtual_cut_through, or forwarding by the host");
    if (plan.forwarding() == Forwarding::host && !bounded)
        return {true, "every packet leaves the network at the next node"};
    return Examination(network, fabric, bounded, plan).check();
}

}  // namespace interlace
