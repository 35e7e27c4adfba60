// Interlace: the independent checker of collectives, row by row
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check_collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "rows.h"

namespace interlace {
namespace {

constexpr std::uint32_t not_yet = UINT32_MAX;

/// Packets that are passed on.
CheckReport replay_sends(Rows rows) {
    std::vector<std::uint32_t> arrival(rows.nodes(), not_yet);
    const auto check_node = [&](std::uint32_t v, std::uint32_t packet) {
        if (arrival[v] == not_yet)
            rows.report.problems.add(fmt::format("node {} never receives packet {}", v, packet));
    };
    return rows.run([&](std::uint32_t packet, std::span<const std::uint32_t> sends) {
        arrival[rows.task().origin(packet)] = 0;
        for (const std::uint32_t i : sends) {
            const TimedSend& send = rows[i];
            if (arrival[send.from] >= send.step) rows.problem(i, "which it does not hold");
            if (arrival[send.to] != not_yet) ++rows.report.redundant_sends;
            arrival[send.to] = std::min(arrival[send.to], send.step);
        }
        if (const auto only = rows.task().only(packet)) {
            check_node(*only, packet);
        } else {
            for (std::uint32_t v = 0; v < arrival.size(); ++v) check_node(v, packet);
        }
        arrival[rows.task().origin(packet)] = not_yet;
        for (const std::uint32_t i : sends) arrival[rows[i].to] = not_yet;
    });
}

/// Sums of a packet: of each node the contributions that are in what it has.
class Sums {
  public:
    Sums(Rows& rows, const std::vector<bool>& reduces)
        : rows_(rows),
          reduces_(reduces),
          words_((rows.nodes() + 63) / 64),
          comes_(rows.nodes(), Comes::nothing) {}

    void follow(std::uint32_t packet, std::span<const std::uint32_t> sends) {
        if (is_tree(packet, sends)) return;
        has_.assign(rows_.nodes() * words_, 0);
        for (std::uint32_t v = 0; v < rows_.nodes(); ++v) of(v)[v / 64] = std::uint64_t{1} << v % 64;
        for (std::size_t first = 0, next = 0; first < sends.size(); first = next) {
            while (next < sends.size() && rows_[sends[next]].step == rows_[sends[first]].step) ++next;
            take_step(sends.subspan(first, next - first));
        }
        for (std::uint32_t v = 0; v < rows_.nodes(); ++v)
            if (rows_.task().only(packet).value_or(v) == v) rows_.check_whole(v, packet, of(v));
    }

  private:
    /// Where one node is to have the sum, and every other sends once, a part, after all that comes to it,
    /// each contribution goes one way there. It takes no bits for all pairs of nodes.
    bool is_tree(std::uint32_t packet, std::span<const std::uint32_t> sends) {
        const auto root = rows_.task().only(packet);
        if (!root || sends.size() + 1 != rows_.nodes()) return false;
        std::vector<std::uint32_t> sent(rows_.nodes(), not_yet), last(rows_.nodes(), 0);
        for (const std::uint32_t i : sends) {
            const TimedSend& send = rows_[i];
            if (!reduces_[i] || send.from == *root || sent[send.from] != not_yet) return false;
            sent[send.from] = send.step;
            last[send.to] = std::max(last[send.to], send.step);
        }
        for (std::uint32_t v = 0; v < rows_.nodes(); ++v)
            if (v != *root && sent[v] <= last[v]) return false;
        return true;
    }

    std::span<std::uint64_t> of(std::uint32_t node) { return {has_.data() + node * words_, words_}; }

    /// What is sent is what the nodes had before.
    void take_step(std::span<const std::uint32_t> sends) {
        std::vector<std::uint64_t> sent;
        for (const std::uint32_t i : sends) {
            const auto from = of(rows_[i].from);
            sent.insert(sent.end(), from.begin(), from.end());
        }
        for (std::size_t k = 0; k < sends.size(); ++k) {
            const std::uint32_t i = sends[k];
            Comes& comes = comes_[rows_[i].to];
            if (comes == Comes::a_value || (comes == Comes::parts && !reduces_[i]))
                rows_.problem(i, "which replaces or adds to what comes in the same step");
            comes = reduces_[i] && comes != Comes::a_value ? Comes::parts : Comes::a_value;
            receive(i, {sent.data() + k * words_, words_});
        }
        for (const std::uint32_t i : sends) comes_[rows_[i].to] = Comes::nothing;
    }

    void receive(std::uint32_t i, std::span<const std::uint64_t> comes) {
        const auto has = of(rows_[i].to);
        bool twice = false;
        for (std::size_t w = 0; w < words_; ++w) {
            twice = twice || (has[w] & comes[w]) != 0;
            has[w] = reduces_[i] ? has[w] | comes[w] : comes[w];
        }
        if (twice && reduces_[i] && !rows_.task().may_repeat())
            rows_.problem(i, "which has a contribution that is there already");
    }

    Rows& rows_;
    const std::vector<bool>& reduces_;
    std::size_t words_;
    enum class Comes : std::uint8_t { nothing, parts, a_value };
    std::vector<std::uint64_t> has_;  // [node][contribution]: bits
    std::vector<Comes> comes_;        // [node]: in the step
};

CheckReport replay_sums(const Network& network, const CollectiveTask& task,
                        const std::vector<TimedSend>& sends, const std::vector<bool>& reduces,
                        const std::vector<std::uint32_t>& lines) {
    Rows rows(network, task, sends, lines);
    Sums sums(rows, reduces);
    return rows.run([&](std::uint32_t packet, std::span<const std::uint32_t> of_packet) {
        sums.follow(packet, of_packet);
    });
}

CheckReport replay_rows(const Network& network, const CollectiveTask& task,
                        const std::vector<ReducingSend>& schedule, const std::vector<std::uint32_t>& lines) {
    std::vector<TimedSend> sends;
    std::vector<bool> reduces;
    for (const ReducingSend& row : schedule) {
        sends.push_back(row.send);
        reduces.push_back(row.reduces);
    }
    return replay_sums(network, task, sends, reduces, lines);
}

}  // namespace

CheckReport check_allgather(const Network& network, std::uint32_t chunks,
                            const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_sends(
        {network, {network.node_count(), chunks, CollectiveTask::Kind::allgather}, schedule, lines});
}

CheckReport check_alltoall(const Network& network, std::uint32_t chunks,
                           const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_sends(
        {network, {network.node_count(), chunks, CollectiveTask::Kind::alltoall}, schedule, lines});
}

CheckReport check_scatter(const Network& network, NodeId root, std::uint32_t chunks,
                          const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_sends(
        {network, {network.node_count(), chunks, CollectiveTask::Kind::scatter, root}, schedule, lines});
}

CheckReport check_gather(const Network& network, NodeId root, std::uint32_t chunks,
                         const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_sends(
        {network, {network.node_count(), chunks, CollectiveTask::Kind::gather, root}, schedule, lines});
}

CheckReport check_barrier(const Network& network, const std::vector<TimedSend>& schedule,
                          const std::vector<std::uint32_t>& lines) {
    return replay_sums(network, {network.node_count(), 1, CollectiveTask::Kind::barrier}, schedule,
                       std::vector<bool>(schedule.size(), true), lines);
}

CheckReport check_reduce(const Network& network, NodeId root, std::uint32_t chunks,
                         const std::vector<ReducingSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_rows(network, {network.node_count(), chunks, CollectiveTask::Kind::reduce, root}, schedule,
                       lines);
}

CheckReport check_reduction(const Network& network, std::uint32_t chunks, bool to_all,
                            const std::vector<ReducingSend>& schedule,
                            const std::vector<std::uint32_t>& lines) {
    const CollectiveTask::Kind kind =
        to_all ? CollectiveTask::Kind::allreduce : CollectiveTask::Kind::reducescatter;
    return replay_rows(network, {network.node_count(), chunks, kind}, schedule, lines);
}

}  // namespace interlace
