// Interlace: packets that flood a set of links, served by the way that they came
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "flood.h"

#include <algorithm>
#include <array>

namespace interlace {
namespace {

constexpr std::array<Way, ways> claiming = {Way::right_torus, Way::left_torus, Way::right_bypass,
                                            Way::left_bypass};
constexpr std::array<Way, ways> serving = {Way::left_bypass, Way::right_bypass, Way::right_torus,
                                           Way::left_torus};

/// A packet that a node has got, and the way that it came. (A group has two nodes or more, and a broadcast at
/// most 2^31 deliveries.)
struct Arrival {
    std::uint32_t packet : 30;
    Way way : 2;
};

/// A node keeps its packets in the order in which it got them; a link is a cursor into that list for each way
/// in which they came.
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
          cursor_(links.link.size(), {0, 0, 0, 0}) {
        for (std::uint32_t p = 0; p < packets; ++p) {
            holds_[std::size_t{source} * packets + p] = 1;
            receive(source, Arrival{p, serving.front()});
        }
    }

    Flood run() {
        Flood result;
        std::vector<std::uint32_t> busy{source_};
        std::vector<std::uint8_t> is_busy(links_.nodes.size(), 0);
        while (!busy.empty()) {
            received_.clear();
            for (const Way way : claiming)
                for (const std::uint32_t node : busy) send_from(node, way, result.sends);
            if (!received_.empty()) ++result.steps;
            for (const auto& [node, arrival] : received_) {
                receive(node, arrival);
                is_busy[node] = 1;
            }
            for (const std::uint32_t node : busy) is_busy[node] = has_work(node);
            for (const auto& [node, arrival] : received_) busy.push_back(node);
            std::erase_if(busy, [&](std::uint32_t node) {
                const bool drop = is_busy[node] == 0;
                is_busy[node] = 0;  // a node listed twice is kept once
                return drop;
            });
        }
        return result;
    }

  private:
    void receive(std::uint32_t node, Arrival arrival) {
        log_[std::size_t{node} * packets_ + count_[node]++] = arrival;
    }

    bool has_work(std::uint32_t node) const {
        for (std::uint32_t e = links_.first[node]; e < links_.first[node + 1]; ++e)
            for (const std::uint32_t cursor : cursor_[e])
                if (cursor < count_[node]) return true;
        return false;
    }

    void send_from(std::uint32_t node, Way way, std::vector<Send>& sends) {
        for (std::uint32_t e = links_.first[node]; e < links_.first[node + 1]; ++e) {
            if (links_.way[e] != way) continue;
            for (const Way came : serving)
                if (send_what_came(node, e, came, sends)) break;
        }
    }

    /// Sends the next packet that came to `node` that way over its link `e`; false when there is none.
    bool send_what_came(std::uint32_t node, std::uint32_t e, Way came, std::vector<Send>& sends) {
        const bool backwards = node == source_ && reversed_[e - links_.first[node]];
        std::uint32_t& cursor = cursor_[e][static_cast<std::size_t>(came)];
        while (cursor < count_[node]) {
            const std::uint32_t position = cursor++;
            const Arrival& next =
                log_[std::size_t{node} * packets_ + (backwards ? packets_ - 1 - position : position)];
            if (next.way != came) continue;
            std::uint8_t& held = holds_[std::size_t{links_.to[e]} * packets_ + next.packet];
            if (held != 0) continue;
            held = 1;
            received_.emplace_back(links_.to[e], Arrival{next.packet, links_.way[e]});
            sends.push_back({links_.link[e], PacketId{next.packet}});
            return true;
        }
        return false;
    }

    const ColourLinks& links_;
    std::uint32_t source_;
    const std::vector<bool>& reversed_;
    std::uint32_t packets_;
    std::vector<std::uint8_t> holds_;   // node v has, or is being sent, packet p: at v * packets + p
    std::vector<Arrival> log_;          // node v's packets in order of arrival
    std::vector<std::uint32_t> count_;  // how many those are
    std::vector<std::array<std::uint32_t, ways>> cursor_;      // by the way in which packets came to the node
    std::vector<std::pair<std::uint32_t, Arrival>> received_;  // in this step
};

}  // namespace

Flood flood(const ColourLinks& links, std::uint32_t source, const std::vector<bool>& reversed,
            std::uint32_t packets) {
    return FloodEngine(links, source, reversed, packets).run();
}

}  // namespace interlace
