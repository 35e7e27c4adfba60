// Interlace: the independent checker of reductions whose messages go over several links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

#include "interlace/program/check_collective.h"
#include "rows.h"

namespace interlace {
namespace {

/// Contributions to one packet, and since when a node has them.
class Contributions {
  public:
    Contributions(Rows& rows, const std::vector<MessageSend>& schedule)
        : rows_(rows), schedule_(schedule), words_((rows.nodes() + 63) / 64) {}

    void follow(std::uint32_t packet, std::span<const std::uint32_t> sends) {
        has_.assign(rows_.nodes() * words_, 0);
        since_.assign(rows_.nodes(), 0);
        replaced_.assign(rows_.nodes(), 0);
        for (std::uint32_t v = 0; v < rows_.nodes(); ++v) of(v)[v / 64] = std::uint64_t{1} << v % 64;
        std::vector<std::uint32_t> order(sends.begin(), sends.end());
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
        check_round_of_messages(order);
        for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
            while (next < order.size() && row(order[next]).round == row(order[first]).round) ++next;
            take_round(std::span<const std::uint32_t>(order).subspan(first, next - first));
        }
        for (std::uint32_t v = 0; v < rows_.nodes(); ++v)
            if (rows_.task().only(packet).value_or(v) == v) rows_.check_whole(v, packet, of(v));
    }

  private:
    /// The first and the last row of a message.
    struct Path {
        std::uint32_t first, last;
    };

    const MessageSend& row(std::uint32_t i) const { return schedule_[i]; }
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> key(std::uint32_t i) const {
        return {row(i).round, row(i).message, row(i).send.step};
    }
    std::span<std::uint64_t> of(std::uint32_t node) { return {has_.data() + node * words_, words_}; }

    /// A message is of one round.
    void check_round_of_messages(const std::vector<std::uint32_t>& order) {
        std::map<std::uint32_t, std::uint32_t> round_of;
        for (const std::uint32_t i : order)
            if (round_of.emplace(row(i).message, row(i).round).first->second != row(i).round)
                rows_.problem(i, fmt::format("in round {}, but message {} is of round {}", row(i).round,
                                             row(i).message, round_of[row(i).message]));
    }

    /// A value replaces all that came before it, so its place among what comes must be certain: nothing else
    /// comes in its round, nothing of rounds before comes after it, and nothing of rounds after before it.
    void check_arrivals(const std::vector<Path>& paths) {
        std::map<std::uint32_t, const Path*> came;
        for (const Path& path : paths) {
            const MessageSend& last = row(path.last);
            const std::uint32_t to = last.send.to;
            const auto [other, alone] = came.emplace(to, &path);
            if (!alone && !(last.reduces && row(other->second->last).reduces))
                rows_.problem(path.last, "which replaces or adds to what comes in the same round");
            if ((last.reduces ? replaced_ : since_)[to] >= last.send.step)
                rows_.problem(path.last, "before what comes there in earlier rounds");
        }
    }

    /// Every message takes what its sender had before the round.
    void take_round(std::span<const std::uint32_t> rows) {
        const std::vector<Path> paths = paths_of(rows);
        check_arrivals(paths);
        std::vector<std::uint64_t> sent;
        for (const Path& path : paths) {
            const TimedSend& send = row(path.first).send;
            if (since_[send.from] >= send.step)
                rows_.problem(path.first,
                              fmt::format("before all has come there of earlier rounds, in step {}",
                                          since_[send.from]));
            const auto from = of(send.from);
            sent.insert(sent.end(), from.begin(), from.end());
        }
        for (std::size_t k = 0; k < paths.size(); ++k)
            receive(paths[k].last, {sent.data() + k * words_, words_});
    }

    std::vector<Path> paths_of(std::span<const std::uint32_t> rows) {
        std::vector<Path> paths;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (k == 0 || row(rows[k]).message != row(rows[k - 1]).message) {
                paths.push_back({rows[k], rows[k]});
                continue;
            }
            const MessageSend &here = row(rows[k]), &before = row(paths.back().last);
            if (here.send.step == before.send.step || here.send.from != before.send.to ||
                here.reduces != before.reduces)
                rows_.problem(rows[k], fmt::format("which does not go on from node {} as message {} does",
                                                   +before.send.to, here.message));
            paths.back().last = rows[k];
        }
        return paths;
    }

    void receive(std::uint32_t i, std::span<const std::uint64_t> comes) {
        const TimedSend& send = row(i).send;
        const auto has = of(send.to);
        bool twice = false;
        for (std::size_t w = 0; w < words_; ++w) {
            twice = twice || (has[w] & comes[w]) != 0;
            has[w] = row(i).reduces ? has[w] | comes[w] : comes[w];
        }
        if (twice && row(i).reduces) rows_.problem(i, "which has a contribution that is there already");
        since_[send.to] = std::max(since_[send.to], send.step);
        if (!row(i).reduces) replaced_[send.to] = send.step;
    }

    Rows& rows_;
    const std::vector<MessageSend>& schedule_;
    std::size_t words_;
    std::vector<std::uint64_t> has_;       // [node][contribution]: bits
    std::vector<std::uint32_t> replaced_;  // [node]: the last step in which a value came
    std::vector<std::uint32_t> since_;     // [node]: the last step in which something came
};

CheckReport replay_messages(const Network& network, const CollectiveTask& task,
                            const std::vector<MessageSend>& schedule,
                            const std::vector<std::uint32_t>& lines) {
    std::vector<TimedSend> sends;
    sends.reserve(schedule.size());
    for (const MessageSend& row : schedule) sends.push_back(row.send);
    Rows rows(network, task, sends, lines);
    Contributions contributions(rows, schedule);
    return rows.run([&](std::uint32_t packet, std::span<const std::uint32_t> of_packet) {
        contributions.follow(packet, of_packet);
    });
}

}  // namespace

CheckReport check_reduction(const Network& network, std::uint32_t chunks, bool to_all,
                            const std::vector<MessageSend>& schedule,
                            const std::vector<std::uint32_t>& lines) {
    const auto kind = to_all ? CollectiveTask::Kind::allreduce : CollectiveTask::Kind::reducescatter;
    return replay_messages(network, {network.node_count(), chunks, kind}, schedule, lines);
}

CheckReport check_reduce(const Network& network, NodeId root, std::uint32_t chunks,
                         const std::vector<MessageSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_messages(network, {network.node_count(), chunks, CollectiveTask::Kind::reduce, root},
                           schedule, lines);
}

}  // namespace interlace
