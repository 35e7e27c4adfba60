// Interlace: what comes to nodes by their links, in the states of those nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "interlace/engine/region/link_lines.h"
#include "interlace/engine/region/node_states.h"

namespace interlace {

/// Flits and credits on their way to some nodes, node by node: so a network that is cut otherwise finds them.
class Coming {
  public:
    /// `nodes`: ascending.
    Coming(const Fabric& fabric, const std::vector<NodeId>& nodes)
        : f_(fabric), nodes_(nodes), items_(nodes.size()) {}

    /// What is on these lines, all of it to nodes that are here.
    void add(const LinkLines& lines) {
        lines.each_coming([this](std::uint32_t delay, const auto& item) {
            const auto place = std::lower_bound(nodes_.begin(), nodes_.end(), item.node);
            items_[static_cast<std::size_t>(place - nodes_.begin())].add(delay, item);
        });
    }
    /// Saves it in the nodes' states, or loads it.
    void state(NodeStates& states) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) items_[i].state(f_, +nodes_[i], states.of(nodes_[i]));
    }
    /// visit(delay, item) for each flit and credit, as it would be pushed now.
    template <class Visit>
    void each(const Visit& visit) const {
        for (const OfNode& items : items_) {
            for (const auto& [delay, flit] : items.flits) visit(delay, flit);
            for (const auto& [delay, flit] : items.raw_flits) visit(delay, flit);
            for (const auto& [delay, credit] : items.credits) visit(delay, credit);
        }
    }

  private:
    template <class Item>
    struct Delayed {
        std::uint32_t delay = 0;
        Item item = {};
    };
    struct OfNode {
        std::vector<Delayed<LinkFlit>> flits;
        std::vector<Delayed<RawLinkFlit>> raw_flits;
        std::vector<Delayed<Credit>> credits;

        void add(std::uint32_t delay, const LinkFlit& flit) { flits.push_back({delay, flit}); }
        void add(std::uint32_t delay, const RawLinkFlit& flit) { raw_flits.push_back({delay, flit}); }
        void add(std::uint32_t delay, const Credit& credit) { credits.push_back({delay, credit}); }

        void state(const Fabric& fabric, std::uint32_t node, Archive archive) {
            const auto pass = [&](Archive& a, auto& coming, const auto& far_end) {
                coming.item.node = node;
                a.below(coming.delay, fabric.longest_delay + 1U);
                a.below(coming.item.port, fabric.ports);
                a.below(coming.item.vc, fabric.vcs);
                a.expect(far_end(coming.item.port).linked());
            };
            const auto from = [&](std::uint32_t port) { return fabric.from(node, port); };
            const auto to = [&](std::uint32_t port) { return fabric.to(node, port); };
            archive.each(flits, [&](Archive& a, auto& coming) {
                pass(a, coming, from);
                a(coming.item.flit.packet, coming.item.flit.index);
                a.expect(coming.item.flit.index < coming.item.flit.packet.length());
            });
            archive.each(raw_flits, [&](Archive& a, auto& coming) {
                pass(a, coming, from);
                a(coming.item.flit);
            });
            archive.each(credits, [&](Archive& a, auto& coming) {
                pass(a, coming, to);
                a(coming.item.amount);
            });
        }
    };

    const Fabric& f_;
    const std::vector<NodeId>& nodes_;
    std::vector<OfNode> items_;  // [place in nodes_]
};

}  // namespace interlace
