// Interlace: the independent checker that replays a schedule
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace interlace {
namespace {

constexpr std::uint32_t never = UINT32_MAX;

class Replay {
  public:
    Replay(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
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
        for (std::size_t i = 0; i < schedule_.size(); ++i) check_held(i);
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

    /// A well-formed send uses a link of the network and names a packet of the message.
    bool well_formed(const TimedSend& send) const { return malformed(send).empty(); }

    /// What is not well-formed in a send.
    std::string malformed(const TimedSend& send) const {
        const std::uint32_t nodes = network_.node_count();
        if (send.from >= nodes || send.to >= nodes) return fmt::format("but nodes are 0 to {}", nodes - 1);
        if (send.packet >= packets_) return fmt::format("but packets are 0 to {}", packets_ - 1);
        if (send.step < 1) return "but the first step is 1";
        return network_.link(send.from, send.to) ? "" : "but there is no such link";
    }

    /// The first arrival of each packet at each node. Sound without sorting: a send that was not possible is
    /// found by check_held, because the earliest impossible one rests on possible ones only.
    void find_arrivals() {
        for (std::size_t i = 0; i < schedule_.size(); ++i) {
            const TimedSend& send = schedule_[i];
            if (const std::string what = malformed(send); !what.empty()) {
                problem(i, what);
                continue;
            }
            if (!group_.may_carry(send.from) || !group_.may_carry(send.to))
                problem(i, "which leaves the group's own links");
            std::uint32_t& first = arrival(send.to, send.packet);
            if (first != never) ++report_.redundant_sends;
            first = std::min(first, send.step);
        }
    }

    void check_held(std::size_t i) {
        const TimedSend& send = schedule_[i];
        if (well_formed(send) && arrival(send.from, send.packet) >= send.step)
            problem(i, "which it does not hold");
    }

    void check_links() {
        std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> uses;  // (step, link, send)
        uses.reserve(schedule_.size());
        for (std::uint32_t i = 0; i < schedule_.size(); ++i)
            if (const TimedSend& send = schedule_[i]; well_formed(send))
                uses.emplace_back(send.step, *network_.link(send.from, send.to), i);
        std::sort(uses.begin(), uses.end());
        for (std::size_t i = 1; i < uses.size(); ++i) {
            const auto& [step, link, send] = uses[i];
            const auto& [step_before, link_before, send_before] = uses[i - 1];
            if (step != step_before || link != link_before) continue;
            const std::string other = lines_.empty() ? "" : fmt::format(", as in line {}", line(send_before));
            report_.problems.add(
                fmt::format("step {}: the link from node {} to node {} carries two packets{}", step,
                            +schedule_[send].from, +schedule_[send].to, other),
                line(send));
        }
    }

    void check_complete() {
        for (std::uint32_t v = 0; v < network_.node_count(); ++v) {
            if (!group_.member[v]) continue;
            for (std::uint32_t p = 0; p < packets_; ++p) {
                const std::uint32_t step = arrival(NodeId{v}, PacketId{p});
                if (step == never)
                    report_.problems.add(fmt::format("node {} never gets packet {}", v, p));
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
    std::vector<std::uint32_t> arrival_;  // step after which node v holds packet p, at v * packets + p
    CheckReport report_;
};

}  // namespace

CheckReport check_schedule(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                           const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return Replay(network, group, source, packets, schedule, lines).run();
}

}  // namespace interlace
