// Interlace: rounds of messages on the links of a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/rounds/routed_rounds.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "interlace/core/error.h"
#include "message_paths.h"

namespace interlace {
namespace {

/// A packet of a message.
struct Transfer {
    std::uint32_t packet, round, message;
};

class StepSchedule {
  public:
    StepSchedule(const Network& network, const Rounds& rounds, std::uint64_t seed)
        : network_(network), paths_(network, seed), waiting_(network.link_count()) {
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            sender_.insert(sender_.end(), network.degree(NodeId{v}), NodeId{v});
        for (std::uint32_t round = 0; round < rounds.rounds.size(); ++round)
            add_round(rounds.rounds[round], round);
        std::stable_sort(transfers_.begin(), transfers_.end(),
                         [](const Transfer& a, const Transfer& b) { return a.packet < b.packet; });
        awaits_.assign(transfers_.size(), 0);
        after_.resize(transfers_.size());
        for (std::size_t first = 0, next = 0; first < transfers_.size(); first = next) {
            while (next < transfers_.size() && transfers_[next].packet == transfers_[first].packet) ++next;
            order(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(next));
        }
    }

    std::vector<MessageSend> run(std::uint64_t hops) {
        std::vector<MessageSend> sends;
        sends.reserve(hops);
        for (std::uint32_t i = 0; i < transfers_.size(); ++i)
            if (awaits_[i] == 0) wait(i, 0);
        std::vector<Turn> turns;
        for (std::uint32_t step = 1; !busy_.empty(); ++step) {
            turns.clear();
            for (const LinkId link : std::exchange(busy_, {})) {
                turns.push_back(waiting_[link].top());
                waiting_[link].pop();
                if (!waiting_[link].empty()) busy_.push_back(link);
            }
            for (const Turn& turn : turns) take(turn, step, sends);
        }
        return sends;
    }

  private:
    struct Message {
        NodeId from, to;
        bool reduces;
        std::vector<LinkId> path;
    };
    /// On a link; the first round comes first, and in it what has most hops to go.
    struct Turn {
        std::uint32_t round, to_go, transfer;
        bool operator<(const Turn& other) const {
            return std::tie(other.round, to_go, other.transfer) < std::tie(round, other.to_go, transfer);
        }
    };

    void add_round(const std::vector<RoundMessage>& messages, std::uint32_t round) {
        for (const RoundMessage& message : messages) {
            for (const std::uint32_t packet : message.packets)
                transfers_.push_back({packet, round, static_cast<std::uint32_t>(messages_.size())});
            messages_.push_back(
                {message.from, message.to, message.reduces, paths_.path(message.from, message.to)});
        }
    }

    /// Of one packet, by round: it leaves a node after it has come there in all rounds before.
    void order(std::uint32_t first, std::uint32_t next) {
        std::map<NodeId, std::vector<std::uint32_t>> came;
        for (std::uint32_t begin = first, end = first; begin < next; begin = end) {
            while (end < next && transfers_[end].round == transfers_[begin].round) ++end;
            for (std::uint32_t i = begin; i < end; ++i) {
                const auto& before = came[messages_[transfers_[i].message].from];
                for (const std::uint32_t other : before) after_[other].push_back(i);
                awaits_[i] = static_cast<std::uint32_t>(before.size());
            }
            for (std::uint32_t i = begin; i < end; ++i)
                came[messages_[transfers_[i].message].to].push_back(i);
        }
    }

    void wait(std::uint32_t transfer, std::size_t hop) {
        const auto& path = messages_[transfers_[transfer].message].path;
        auto& queue = waiting_[path[hop]];
        if (queue.empty()) busy_.push_back(path[hop]);
        queue.push({transfers_[transfer].round, static_cast<std::uint32_t>(path.size() - hop), transfer});
    }

    void take(const Turn& turn, std::uint32_t step, std::vector<MessageSend>& sends) {
        const Transfer& transfer = transfers_[turn.transfer];
        const Message& message = messages_[transfer.message];
        const std::size_t hop = message.path.size() - turn.to_go;
        const LinkId link = message.path[hop];
        const TimedSend send{step, sender_[link], network_.target(link), PacketId{transfer.packet}};
        sends.push_back({{send, message.reduces}, transfer.round, transfer.message});
        if (turn.to_go > 1) return wait(turn.transfer, hop + 1);
        for (const std::uint32_t i : after_[turn.transfer])
            if (--awaits_[i] == 0) wait(i, 0);
    }

    const Network& network_;
    MessagePaths paths_;
    std::vector<NodeId> sender_;  // [link]
    std::vector<Message> messages_;
    std::vector<Transfer> transfers_;  // by packet, then round
    std::vector<std::uint32_t> awaits_;
    std::vector<std::vector<std::uint32_t>> after_;   // [transfer]: those that wait for it
    std::vector<std::priority_queue<Turn>> waiting_;  // [link]
    std::vector<LinkId> busy_;
};

}  // namespace

RoundLoads round_loads(const Network& network, const Rounds& rounds, std::uint64_t seed) {
    MessagePaths paths(network, seed);
    RoundLoads loads;
    std::vector<std::uint64_t> together(network.link_count(), 0);
    for (const std::vector<RoundMessage>& messages : rounds.rounds) {
        std::map<std::pair<NodeId, std::uint32_t>, std::uint32_t> starts;  // of a node and part
        std::vector<std::uint64_t> load(network.link_count(), 0);
        RoundLoad& round = loads.rounds.emplace_back();
        for (const RoundMessage& message : messages) {
            const std::vector<LinkId> path = paths.path(message.from, message.to);
            for (const LinkId link : path) {
                round.packets = std::max(round.packets, load[link] += message.packets.size());
                together[link] += message.packets.size();
            }
            loads.hops += path.size() * message.packets.size();
            round.hops = std::max(round.hops, static_cast<std::uint32_t>(path.size()));
            round.starts = std::max(round.starts, ++starts[{message.from, message.part}]);
        }
    }
    loads.packets_together = *std::max_element(together.begin(), together.end());
    return loads;
}

RoutedRounds routed(const Network& network, const Rounds& rounds, std::uint64_t seed) {
    constexpr std::uint64_t most = std::uint64_t{1} << 25U;
    RoundLoads loads = round_loads(network, rounds, seed);
    if (loads.hops > most)
        throw InputError("cannot schedule the hops of so many packets",
                         "2^25 at most: fewer chunks or nodes");
    return {loads, StepSchedule(network, rounds, seed).run(loads.hops)};
}

}  // namespace interlace
