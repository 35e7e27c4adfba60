// Interlace: packets that flood a set of links, first come first served
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "flood.h"

#include <algorithm>

namespace interlace {
namespace {

/// A node keeps its packets in the order in which it got them; a link is a cursor into that list.
class FloodEngine {
  public:
    FloodEngine(const ColourLinks& links, std::uint32_t source, const std::vector<bool>& reversed,
                std::uint32_t packets)
        : links_(links),
          source_(source),
          reversed_(reversed),
          packets_(packets),
          holds_(links.nodes.size() * packets, 0),
          log_(links.nodes.size() * packets),
          count_(links.nodes.size(), 0),
          cursor_(links.link.size(), 0) {
        for (std::uint32_t p = 0; p < packets; ++p) {
            holds_[std::size_t{source} * packets + p] = 1;
            receive(source, p);
        }
    }

    Flood run() {
        Flood result;
        std::vector<std::uint32_t> busy{source_};
        std::vector<std::uint8_t> is_busy(links_.nodes.size(), 0);
        while (!busy.empty()) {
            received_.clear();
            for (const std::uint32_t node : busy) send_from(node, result.sends);
            if (!received_.empty()) ++result.steps;
            for (const auto& [node, packet] : received_) {
                receive(node, packet);
                is_busy[node] = 1;
            }
            for (const std::uint32_t node : busy) is_busy[node] = has_work(node);
            for (const auto& [node, packet] : received_) busy.push_back(node);
            std::erase_if(busy, [&](std::uint32_t node) {
                const bool drop = is_busy[node] == 0;
                is_busy[node] = 0;  // a node listed twice is kept once
                return drop;
            });
            std::sort(busy.begin(), busy.end());
        }
        return result;
    }

  private:
    void receive(std::uint32_t node, std::uint32_t packet) {
        log_[std::size_t{node} * packets_ + count_[node]++] = packet;
    }

    bool has_work(std::uint32_t node) const {
        for (std::uint32_t e = links_.first[node]; e < links_.first[node + 1]; ++e)
            if (cursor_[e] < count_[node]) return true;
        return false;
    }

    void send_from(std::uint32_t node, std::vector<Send>& sends) {
        for (std::uint32_t e = links_.first[node]; e < links_.first[node + 1]; ++e) {
            const std::uint32_t to = links_.to[e];
            const bool backwards = node == source_ && reversed_[e - links_.first[node]];
            while (cursor_[e] < count_[node]) {
                const std::uint32_t position = cursor_[e]++;
                const std::uint32_t packet =
                    log_[std::size_t{node} * packets_ + (backwards ? packets_ - 1 - position : position)];
                std::uint8_t& held = holds_[std::size_t{to} * packets_ + packet];
                if (held != 0) continue;
                held = 1;
                received_.emplace_back(to, packet);
                sends.push_back({links_.link[e], PacketId{packet}});
                break;
            }
        }
    }

    const ColourLinks& links_;
    std::uint32_t source_;
    const std::vector<bool>& reversed_;
    std::uint32_t packets_;
    std::vector<std::uint8_t> holds_;   // node v has, or is being sent, packet p: at v * packets + p
    std::vector<std::uint32_t> log_;    // node v's packets in order of arrival
    std::vector<std::uint32_t> count_;  // how many those are
    std::vector<std::uint32_t> cursor_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> received_;  // in this step
};

}  // namespace

Flood flood(const ColourLinks& links, std::uint32_t source, const std::vector<bool>& reversed,
            std::uint32_t packets) {
    return FloodEngine(links, source, reversed, packets).run();
}

}  // namespace interlace
