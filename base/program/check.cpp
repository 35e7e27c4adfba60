// Interlace: the independent checker that replays a schedule
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlace {
namespace {

constexpr std::uint32_t never = UINT32_MAX;

class Replay {
  public:
    Replay(const Network& network, const Group& group, NodeId source, std::uint32_t packets)
        : network_(network),
          group_(group),
          source_(source),
          packets_(packets),
          arrival_(std::size_t{network.node_count()} * packets, never) {
        for (std::uint32_t p = 0; p < packets; ++p) arrival(source, PacketId{p}) = 0;
    }

    CheckReport run(const std::vector<TimedSend>& schedule) {
        report_.sends = schedule.size();
        find_arrivals(schedule);
        for (const TimedSend& send : schedule) check_held(send);
        check_links(schedule);
        check_complete();
        return report_;
    }

  private:
    std::uint32_t& arrival(NodeId node, PacketId packet) {
        return arrival_[std::size_t{node} * packets_ + packet];
    }

    void problem(const std::string& what) {
        if (report_.problem_count++ == 0) report_.problem = what;
    }

    static std::string describe(const TimedSend& send) {
        return fmt::format("step {}: node {} sends packet {} to node {}", send.step, +send.from, +send.packet,
                           +send.to);
    }

    /// A well-formed send uses a link of the network and names a packet of the message.
    bool well_formed(const TimedSend& send) const {
        return send.from < network_.node_count() && send.to < network_.node_count() &&
               send.packet < packets_ && send.step >= 1 && network_.link(send.from, send.to).has_value();
    }

    /// The first arrival of each packet at each node. Sound without sorting: a send that was not possible is
    /// found by check_held, because the earliest impossible one rests on possible ones only.
    void find_arrivals(const std::vector<TimedSend>& schedule) {
        for (const TimedSend& send : schedule) {
            if (!well_formed(send)) {
                problem(describe(send) + ", but there is no such link, step or packet");
                continue;
            }
            if (!group_.may_carry(send.from) || !group_.may_carry(send.to))
                problem(describe(send) + ", which leaves the group's own links");
            std::uint32_t& first = arrival(send.to, send.packet);
            if (first != never) ++report_.redundant_sends;
            first = std::min(first, send.step);
        }
    }

    void check_held(const TimedSend& send) {
        if (well_formed(send) && arrival(send.from, send.packet) >= send.step)
            problem(describe(send) + ", which it does not hold");
    }

    void check_links(const std::vector<TimedSend>& schedule) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;  // (step, link)
        uses.reserve(schedule.size());
        for (const TimedSend& send : schedule)
            if (well_formed(send)) uses.emplace_back(send.step, *network_.link(send.from, send.to));
        std::sort(uses.begin(), uses.end());
        for (std::size_t i = 1; i < uses.size(); ++i)
            if (uses[i] == uses[i - 1])
                problem(fmt::format("step {}: the link from node {} to node {} carries two packets",
                                    uses[i].first, +network_.origin(LinkId{uses[i].second}),
                                    +network_.target(LinkId{uses[i].second})));
    }

    void check_complete() {
        for (std::uint32_t v = 0; v < network_.node_count(); ++v) {
            if (!group_.member[v]) continue;
            for (std::uint32_t p = 0; p < packets_; ++p) {
                const std::uint32_t step = arrival(NodeId{v}, PacketId{p});
                if (step == never)
                    problem(fmt::format("node {} never gets packet {}", v, p));
                else
                    report_.steps = std::max(report_.steps, step);
            }
        }
    }

    const Network& network_;
    const Group& group_;
    NodeId source_;
    std::uint32_t packets_;
    std::vector<std::uint32_t> arrival_;  // step after which node v holds packet p, at v * packets + p
    CheckReport report_;
};

}  // namespace

CheckReport check_schedule(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                           const std::vector<TimedSend>& schedule) {
    return Replay(network, group, source, packets).run(schedule);
}

}  // namespace interlace
