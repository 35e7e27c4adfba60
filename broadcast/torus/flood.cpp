// Interlace: packets that flood a set of links, served by direction of arrival
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "flood.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <utility>

namespace interlace {
namespace {

constexpr std::array<Direction, directions> claiming = {Direction::right_torus, Direction::left_torus,
                                                        Direction::right_bypass, Direction::left_bypass};
constexpr std::array<Direction, directions> serving = {Direction::left_bypass, Direction::right_bypass,
                                                       Direction::right_torus, Direction::left_torus};

/// Numbers of items by the group of each: of each group, and behind the last, the first place in them.
std::vector<std::uint32_t> first_places(const std::vector<std::uint32_t>& group, std::size_t groups) {
    std::vector<std::uint32_t> first(groups + 1, 0);
    for (const std::uint32_t g : group) ++first[g + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

}  // namespace

/// A node keeps its packets in the order in which it got them; a link is a cursor into that list for each
/// direction in which they came.
class Flooding::Engine {
  public:
    Engine(const Flooding& flooding, const std::vector<bool>& reversed, std::uint32_t packets,
           std::uint32_t below)
        : g_(flooding),
          links_(flooding.links_),
          reversed_(reversed),
          packets_(packets),
          below_(below),
          log_(links_.nodes.size() * packets),
          count_(links_.nodes.size(), 0),
          awaited_(g_.first_member_.size() - 1, 0),
          last_(awaited_.size(), 0) {}

    std::optional<Flood> run() {
        for (std::uint32_t v = 0; v < links_.nodes.size(); ++v)
            for (std::uint32_t e = links_.first[v]; e < links_.first[v + 1]; ++e)
                if (g_.line_[links_.to[e]] != g_.line_[v]) ++awaited_[g_.line_[links_.to[e]]];
        for (std::uint32_t p = 0; p < packets_; ++p) receive(g_.source_, Arrival{p, serving.front(), 1});
        release(g_.line_[g_.source_]);
        std::size_t lines = 1;
        for (; !ready_.empty(); ++lines) {
            const std::uint32_t line = ready_.top().second;
            ready_.pop();
            if (!flood_line(line)) return std::nullopt;
            release(line);
        }
        if (lines != awaited_.size()) throw std::logic_error("a flood's lines lead in a cycle");
        if (result_.steps >= below_) return std::nullopt;
        return std::move(result_);
    }

  private:
    /// A packet that a node has got, and the direction from which it came. (A group has two nodes or more,
    /// and a broadcast at most 2^31 deliveries.)
    struct Arrival {
        std::uint32_t packet : 30;
        Direction direction : 2;
        std::uint32_t step;  // the first in which it can be sent on
    };
    /// A node that entries of the line in progress come from.
    struct Sender {
        std::uint32_t node, first, last;  // of these, in the line
        std::uint32_t known = 0;          // packets that it can send
        bool busy = false;
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    Arrival* log_of(std::uint32_t node) { return &log_[std::size_t{node} * packets_]; }
    void receive(std::uint32_t node, Arrival arrival) { log_of(node)[count_[node]++] = arrival; }

    /// The line has been flooded: others may be.
    void release(std::uint32_t line) {
        for (std::uint32_t m = g_.first_member_[line]; m < g_.first_member_[line + 1]; ++m) {
            const std::uint32_t node = g_.members_[m];
            const std::uint32_t step = count_[node] == 0 ? 0 : log_of(node)[count_[node] - 1].step;
            for (std::uint32_t e = links_.first[node]; e < links_.first[node + 1]; ++e) {
                const std::uint32_t next = g_.line_[links_.to[e]];
                if (next == line) continue;
                last_[next] = std::max(last_[next], step);
                if (--awaited_[next] == 0) ready_.emplace(last_[next], next);
            }
        }
    }

    /// False where that takes too long.
    bool flood_line(std::uint32_t line) {
        begin(line);
        for (std::uint32_t step = next_from_outside(0); step != none;) {
            wake(step);
            received_.clear();
            for (const Direction direction : claiming)
                for (const std::uint32_t s : busy_) send_from(senders_[s], direction);
            if (!received_.empty() && step >= below_) return false;
            if (!received_.empty()) result_.steps = std::max(result_.steps, step);
            for (auto& [node, arrival] : received_) {
                arrival.step = step + 1;
                receive(node, arrival);
            }
            std::erase_if(busy_,
                          [&](std::uint32_t s) { return !(senders_[s].busy = has_work(senders_[s])); });
            step = busy_.empty() && received_.empty() ? next_from_outside(step) : step + 1;
        }
        return true;
    }

    void begin(std::uint32_t line) {
        const std::uint32_t first = g_.first_entry_[line], last = g_.first_entry_[line + 1];
        const std::uint32_t members = g_.first_member_[line + 1] - g_.first_member_[line];
        entries_ = &g_.entries_[first];
        cursor_.assign(last - first, {0, 0, 0, 0});
        holds_.assign(std::size_t{members} * packets_, 0);
        sender_of_.assign(members, none);
        senders_.clear();
        outside_.clear();
        busy_.clear();
        received_.clear();
        for (std::uint32_t i = 0; i < last - first; ++i) {
            const std::uint32_t node = entries_[i].from;
            if (senders_.empty() || senders_.back().node != node) {
                const auto s = static_cast<std::uint32_t>(senders_.size());
                senders_.push_back({node, i, i});
                if (g_.line_[node] == line)
                    sender_of_[g_.place_[node]] = s;
                else
                    outside_.push_back(s);
            }
            senders_.back().last = i + 1;
        }
    }

    /// The first step after `step` in which a node outside of the line has another packet for it.
    std::uint32_t next_from_outside(std::uint32_t step) {
        std::uint32_t next = none;
        for (const std::uint32_t s : outside_)
            if (const Sender& sender = senders_[s]; sender.known < count_[sender.node])
                next = std::min(next, std::max(step + 1, log_of(sender.node)[sender.known].step));
        return next;
    }

    /// Whoever has got packets that can be sent in this step, and could not in the last one.
    void wake(std::uint32_t step) {
        const auto look = [&](std::uint32_t s) {
            Sender& sender = senders_[s];
            const std::uint32_t before = sender.known;
            const Arrival* log = log_of(sender.node);
            while (sender.known < count_[sender.node] && log[sender.known].step <= step) ++sender.known;
            if (sender.known != before && !std::exchange(sender.busy, true)) busy_.push_back(s);
        };
        for (const std::uint32_t s : outside_) look(s);
        for (const auto& [node, arrival] : received_)
            if (const std::uint32_t s = sender_of_[g_.place_[node]]; s != none) look(s);
    }

    bool has_work(const Sender& sender) const {
        for (std::uint32_t i = sender.first; i < sender.last; ++i)
            for (const std::uint32_t cursor : cursor_[i])
                if (cursor < sender.known) return true;
        return false;
    }

    void send_from(const Sender& sender, Direction direction) {
        for (std::uint32_t i = sender.first; i < sender.last; ++i) {
            if (links_.direction[entries_[i].link] != direction) continue;
            for (const Direction came : serving)
                if (send_what_came(sender, i, came)) break;
        }
    }

    /// Sends the next packet that came from that direction to the node over its entry `i`; false when there
    /// is none.
    bool send_what_came(const Sender& sender, std::uint32_t i, Direction came) {
        const std::uint32_t e = entries_[i].link, to = links_.to[e];
        const bool backwards = sender.node == g_.source_ && reversed_[e - links_.first[sender.node]];
        const Arrival* log = log_of(sender.node);
        std::uint32_t& cursor = cursor_[i][static_cast<std::size_t>(came)];
        while (cursor < sender.known) {
            const std::uint32_t position = cursor++;
            const Arrival& next = log[backwards ? packets_ - 1 - position : position];
            if (next.direction != came) continue;
            std::uint8_t& held = holds_[std::size_t{g_.place_[to]} * packets_ + next.packet];
            if (held != 0) continue;
            held = 1;
            received_.emplace_back(to, Arrival{next.packet, links_.direction[e], 0});
            result_.sends.push_back({links_.link[e], PacketId{next.packet}});
            return true;
        }
        return false;
    }

    const Flooding& g_;
    const ColourLinks& links_;
    const std::vector<bool>& reversed_;
    std::uint32_t packets_, below_;
    std::vector<Arrival> log_;          // node v's packets in order of arrival
    std::vector<std::uint32_t> count_;  // how many those are

    // Lines that may be flooded, that which waits longest for a packet first: most likely it ends last.
    std::vector<std::uint32_t> awaited_;  // [line]: links from lines that have not been flooded
    std::vector<std::uint32_t> last_;     // [line]: the step of the last packet that waits for it, so far
    std::priority_queue<std::pair<std::uint32_t, std::uint32_t>> ready_;  // that, line
    Flood result_;

    // Of the line in progress.
    const Entry* entries_ = nullptr;
    std::vector<std::array<std::uint32_t, directions>> cursor_;  // [entry]: by the direction of arrival
    std::vector<std::uint8_t> holds_;  // its node v has, or is being sent, packet p: at v * packets + p
    std::vector<Sender> senders_;
    std::vector<std::uint32_t> sender_of_;                     // [place]
    std::vector<std::uint32_t> outside_, busy_;                // senders
    std::vector<std::pair<std::uint32_t, Arrival>> received_;  // in this step
};

Flooding::Flooding(const ColourLinks& links, std::uint32_t source) : links_(links), source_(source) {
    number_lines();
    const std::size_t lines = *std::max_element(line_.begin(), line_.end()) + 1;
    first_member_ = first_places(line_, lines);
    std::vector<std::uint32_t> next = first_member_;
    members_.resize(line_.size());
    place_.resize(line_.size());
    for (std::uint32_t v = 0; v < line_.size(); ++v) {
        place_[v] = next[line_[v]] - first_member_[line_[v]];
        members_[next[line_[v]]++] = v;
    }
    std::vector<std::uint32_t> into(links.to.size());
    std::transform(links.to.begin(), links.to.end(), into.begin(), [&](std::uint32_t v) { return line_[v]; });
    first_entry_ = first_places(into, lines);
    next = first_entry_;
    entries_.resize(into.size());
    for (std::uint32_t v = 0; v < line_.size(); ++v)
        for (std::uint32_t e = links.first[v]; e < links.first[v + 1]; ++e)
            entries_[next[into[e]]++] = {e, v};
}

/// Joins the ends of links that lead both ways (union by the least number, with paths that are halved).
void Flooding::number_lines() {
    std::vector<std::uint32_t> parent(links_.nodes.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](std::uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    const auto leads = [&](std::uint32_t from, std::uint32_t to) {
        const auto links = links_.to.begin();
        return std::find(links + links_.first[from], links + links_.first[from + 1], to) !=
               links + links_.first[from + 1];
    };
    for (std::uint32_t v = 0; v < parent.size(); ++v)
        for (std::uint32_t e = links_.first[v]; e < links_.first[v + 1]; ++e) {
            const std::uint32_t to = links_.to[e];
            if (v > to || !leads(to, v)) continue;
            const std::uint32_t here = root(v), there = root(to);
            parent[std::max(here, there)] = std::min(here, there);
        }
    line_.resize(parent.size());
    std::uint32_t lines = 0;
    for (std::uint32_t v = 0; v < parent.size(); ++v)  // a root comes before those below it
        line_[v] = parent[v] == v ? lines++ : line_[root(v)];
}

std::optional<Flood> Flooding::flood(const std::vector<bool>& reversed, std::uint32_t packets,
                                     std::uint32_t below) const {
    return Engine(*this, reversed, packets, below).run();
}

}  // namespace interlace
