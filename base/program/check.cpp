// Interlace: the independent checker that replays a schedule
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace interlace {
namespace {

constexpr std::uint32_t never = UINT32_MAX;
constexpr std::uint32_t none = UINT32_MAX;

class ScheduleReplay {
  public:
    ScheduleReplay(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                   const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines)
        : network_(network),
          group_(group),
          source_(source),
          packets_(packets),
          schedule_(schedule),
          lines_(lines),
          arrival_(std::size_t{network.node_count()} * packets, never) {
        for (std::uint32_t p = 0; p < packets; ++p) arrival(source, PacketId{p}) = 0;
    }

    CheckReport run() {
        report_.sends = schedule_.size();
        find_arrivals();
        for (std::uint32_t i = 0; i < schedule_.size(); ++i) check_held(i);
        check_links();
        check_complete();
        return report_;
    }

  private:
    std::uint32_t& arrival(NodeId node, PacketId packet) {
        return arrival_[std::size_t{node} * packets_ + packet];
    }

    std::uint32_t line(std::size_t send) const { return lines_.empty() ? 0 : lines_[send]; }

    /// Of the `i`-th send.
    void problem(std::size_t i, const std::string& what) {
        const TimedSend& send = schedule_[i];
        report_.problems.add(fmt::format("step {}: node {} sends packet {} to node {}, {}", send.step,
                                         +send.from, +send.packet, +send.to, what),
                             line(i));
    }

    /// A send that is well-formed uses a link of the network, this one, and names a packet of the message.
    bool well_formed(std::size_t i) const { return link_[i] != none; }

    /// What is not well-formed in a send.
    std::string malformed(const TimedSend& send, std::optional<LinkId>& link) const {
        const std::uint32_t nodes = network_.node_count();
        if (send.from >= nodes || send.to >= nodes) return fmt::format("but nodes are 0 to {}", nodes - 1);
        if (send.packet >= packets_) return fmt::format("but packets are 0 to {}", packets_ - 1);
        if (send.step < 1) return "but the first step is 1";
        link = network_.link(send.from, send.to);
        if (!link) return "but there is no such link";
        return {};
    }

    /// The first arrival of each packet at each node. Sound without sorting: a send that was not possible is
    /// found by check_held, because the earliest impossible one rests on possible ones only.
    void find_arrivals() {
        link_.assign(schedule_.size(), none);
        for (std::size_t i = 0; i < schedule_.size(); ++i) {
            const TimedSend& send = schedule_[i];
            std::optional<LinkId> link;
            if (const std::string what = malformed(send, link); !what.empty()) {
                problem(i, what);
                continue;
            }
            link_[i] = *link;
            if (!group_.may_carry(send.from) || !group_.may_carry(send.to))
                problem(i, "which leaves the group's own links");
            std::uint32_t& first = arrival(send.to, send.packet);
            if (first != never) ++report_.redundant_sends;
            first = std::min(first, send.step);
        }
    }

    void check_held(std::size_t i) {
        const TimedSend& send = schedule_[i];
        if (well_formed(i) && arrival(send.from, send.packet) >= send.step)
            problem(i, "which it does not hold");
    }

    /// No link carries two packets in a step.
    void check_links() {
        std::vector<std::uint32_t> first(network_.link_count() + std::size_t{1}, 0);  // [link]: of `sends`
        for (const std::uint32_t link : link_)
            if (link != none) ++first[link + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<std::uint32_t> sends(first.back()), next = first;
        for (std::uint32_t i = 0; i < schedule_.size(); ++i)
            if (well_formed(i)) sends[next[link_[i]]++] = i;
        const auto step_of = [&](std::uint32_t send) { return schedule_[send].step; };
        std::vector<Twice> found;
        for (std::uint32_t link = 0; link < network_.link_count(); ++link) {
            const auto begin = sends.begin() + first[link], end = sends.begin() + first[link + 1];
            std::sort(begin, end, [&](std::uint32_t a, std::uint32_t b) {
                return std::pair(step_of(a), a) < std::pair(step_of(b), b);
            });
            for (auto send = begin; send != end && std::next(send) != end; ++send)
                if (step_of(*send) == step_of(*std::next(send)))
                    found.push_back({step_of(*send), link, *std::next(send), *send});
        }
        std::sort(found.begin(), found.end());
        for (const Twice& one : found) report(one);
    }
    /// A send over a link that carries another one in the same step.
    struct Twice {
        std::uint32_t step, link, send, other;
        auto operator<=>(const Twice&) const = default;  // NOLINT(modernize-use-nullptr): of clang-tidy 14
    };
    void report(const Twice& one) {
        const std::string other = lines_.empty() ? "" : fmt::format(", as in line {}", line(one.other));
        report_.problems.add(fmt::format("step {}: the link from node {} to node {} carries two packets{}",
                                         one.step, +schedule_[one.send].from, +schedule_[one.send].to, other),
                             line(one.send));
    }

    void check_complete() {
        for (std::uint32_t v = 0; v < network_.node_count(); ++v) {
            if (!group_.member[v]) continue;
            for (std::uint32_t p = 0; p < packets_; ++p) {
                const std::uint32_t step = arrival(NodeId{v}, PacketId{p});
                if (step == never)
                    report_.problems.add(fmt::format("node {} never receives packet {}", v, p));
                else
                    report_.steps = std::max(report_.steps, step);
            }
        }
    }

    const Network& network_;
    const Group& group_;
    NodeId source_;
    std::uint32_t packets_;
    const std::vector<TimedSend>& schedule_;
    const std::vector<std::uint32_t>& lines_;
    std::vector<std::uint32_t> link_;     // [send]; `none`: it is not well-formed
    std::vector<std::uint32_t> arrival_;  // step after which node v holds packet p, at v * packets + p
    CheckReport report_;
};

}  // namespace

CheckReport check_schedule(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                           const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return ScheduleReplay(network, group, source, packets, schedule, lines).run();
}

}  // namespace interlace
