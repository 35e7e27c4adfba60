// Interlace: the rows of a collective's schedule, as its checkers go through them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/program/check.h"
#include "interlace/program/schedule.h"

namespace interlace {

/// Which packets there are, and who is to have them.
struct CollectiveTask {
    enum class Kind : std::uint8_t {
        allgather,
        alltoall,
        reducescatter,
        allreduce,
        reduce,
        scatter,
        gather,
        barrier
    };
    std::uint32_t nodes, chunks;
    Kind kind;
    std::uint32_t root = 0;  ///< of reduce, scatter and gather

    std::uint64_t pairs() const { return kind == Kind::alltoall ? nodes : 1; }  ///< that an origin is of
    std::uint64_t packets() const {
        return (kind == Kind::reduce || kind == Kind::barrier ? 1 : nodes * pairs()) * chunks;
    }
    std::uint32_t origin(std::uint64_t packet) const {
        return kind == Kind::scatter ? root : static_cast<std::uint32_t>(packet / chunks / pairs());
    }
    /// The one node that is to have the packet; none: all are.
    std::optional<std::uint32_t> only(std::uint64_t packet) const {
        if (kind == Kind::allgather || kind == Kind::allreduce || kind == Kind::barrier) return {};
        if (kind == Kind::reduce || kind == Kind::gather) return root;
        return static_cast<std::uint32_t>(packet / chunks % nodes);
    }
    /// Whether a contribution may be in a sum more than once.
    bool may_repeat() const { return kind == Kind::barrier; }
};

/// The rows of a schedule, gone through packet by packet, so that a replay needs memory for one of them.
class Rows {
  public:
    Rows(const Network& network, const CollectiveTask& task, const std::vector<TimedSend>& schedule,
         const std::vector<std::uint32_t>& lines)
        : network_(network), task_(task), schedule_(schedule), lines_(lines) {
        report.sends = schedule.size();
    }

    const TimedSend& operator[](std::uint32_t i) const { return schedule_[i]; }
    std::uint32_t nodes() const { return network_.node_count(); }
    const CollectiveTask& task() const { return task_; }

    void problem(std::uint32_t i, const std::string& what) {
        const TimedSend& send = schedule_[i];
        report.problems.add(fmt::format("step {}: node {} sends packet {} to node {}, {}", send.step,
                                        +send.from, +send.packet, +send.to, what),
                            line(i));
    }

    /// `has`: bits of the contributions to the packet that a node ends with.
    void check_whole(std::uint32_t node, std::uint32_t packet, std::span<const std::uint64_t> has) {
        for (std::uint32_t u = 0; u < nodes(); ++u)
            if ((has[u / 64] >> u % 64 & 1U) == 0) {
                report.problems.add(fmt::format(
                    "node {} ends without the contribution of node {} to packet {}", node, u, packet));
                return;
            }
    }

    /// Calls follow(packet, rows) for each packet with those that send it, by step; then checks that no link
    /// carries two packets in one.
    template <class Follow>
    CheckReport run(const Follow& follow) {
        const std::vector<std::uint32_t> order = well_formed();
        for (std::size_t packet = 0, next = 0; packet < task_.packets(); ++packet) {
            const std::size_t first = next;
            while (next < order.size() && schedule_[order[next]].packet == packet) ++next;
            follow(static_cast<std::uint32_t>(packet),
                   std::span<const std::uint32_t>(order.data() + first, next - first));
        }
        check_links();
        return std::move(report);
    }

    CheckReport report;

  private:
    std::uint32_t line(std::uint32_t send) const { return lines_.empty() ? 0 : lines_[send]; }

    /// Those that use a link and name a packet, by packet and step.
    std::vector<std::uint32_t> well_formed() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < schedule_.size(); ++i) {
            const TimedSend& send = schedule_[i];
            if (send.from >= nodes() || send.to >= nodes())
                problem(i, fmt::format("but nodes are 0 to {}", nodes() - 1));
            else if (send.packet >= task_.packets())
                problem(i, fmt::format("but packets are 0 to {}", task_.packets() - 1));
            else if (send.step < 1)
                problem(i, "but the first step is 1");
            else if (!network_.link(send.from, send.to))
                problem(i, "but there is no such link");
            else {
                order.push_back(i);
                report.steps = std::max(report.steps, send.step);
            }
        }
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const TimedSend &one = schedule_[a], &other = schedule_[b];
            return std::tuple(one.packet, one.step, a) < std::tuple(other.packet, other.step, b);
        });
        return order;
    }

    void check_links() {
        std::vector<std::uint32_t> order(schedule_.size());
        std::iota(order.begin(), order.end(), 0);
        const auto key = [&](std::uint32_t i) {
            return std::tuple(schedule_[i].step, schedule_[i].from, schedule_[i].to);
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (key(order[i]) != key(order[i - 1])) continue;
            const TimedSend& send = schedule_[order[i]];
            report.problems.add(
                fmt::format("step {}: the link from node {} to node {} carries two packets{}", send.step,
                            +send.from, +send.to,
                            lines_.empty() ? "" : fmt::format(", as in line {}", line(order[i - 1]))),
                line(order[i]));
        }
    }

    const Network& network_;
    const CollectiveTask task_;
    const std::vector<TimedSend>& schedule_;
    const std::vector<std::uint32_t>& lines_;
};

}  // namespace interlace
