// Interlace: when a program's packets arrive if nothing ever waits for room
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/max_plus/max_plus.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

namespace interlace {
namespace {

class MaxPlus {
  public:
    MaxPlus(const Network& network, const Program& program, const HopTimes& times)
        : program_(program),
          busy_(std::max(times.packet, times.pace)),
          first_list_(first_lists(network, program)),
          words_((program.packet_count() + 63) / 64),
          holds_(std::size_t{network.node_count()} * words_, 0),
          lists_(program.list_count()),
          wanted_(program.list_count()),
          parts_(sum_parts(network, program)) {
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            for (std::uint32_t i = first_list_[v]; i < first_list_[v + 1]; ++i) {
                const auto sends = program.sends(i);
                const LinkId link = program.link(i);
                const std::uint64_t latency = times.latency ? times.latency(NodeId{v}, link) : 0;
                lists_[i] = {0, times.packet + times.overhead + latency, sends.data(),
                             sends.data() + sends.size(), network.target(link)};
                wanted_[i] = sends.front();
            }
    }

    std::uint64_t run() {
        parts_.at_start([&](NodeId node, PacketId packet) { hold({node, packet}, 0); });
        std::uint64_t last = 0;
        while (!arrivals_.empty()) {
            const auto now = arrivals_.extract(arrivals_.begin());
            bucket_ = nullptr;
            last = now.key();
            const std::vector<Arrival>& due = now.mapped();
            for (std::size_t i = 0; i < due.size(); ++i) {
                if (i + 3 * ahead < due.size()) fetch_node(due[i + 3 * ahead]);
                if (i + 2 * ahead < due.size()) fetch_lists(due[i + 2 * ahead]);
                if (i + ahead < due.size()) fetch_next(due[i + ahead]);
                arrive(due[i], last);
            }
        }
        if (sent_ != program_.send_count())
            throw std::logic_error("a send list waits for a packet that never comes");
        return last;
    }

  private:
    static constexpr std::size_t ahead = 16;  // arrivals for which memory is asked before their turn

    struct Arrival {
        NodeId node;
        PacketId packet;
    };
    struct SendList {
        std::uint64_t free = 0, hop = 0;                 // from when on it may send; to hold what it sent
        const PacketId *next = nullptr, *end = nullptr;  // that it is to send
        NodeId to;
    };

    void arrive(const Arrival& arrival, std::uint64_t now) {
        if (holds(arrival.node, arrival.packet) || !parts_.complete(arrival.node, arrival.packet)) return;
        hold(arrival, now);
        if (const auto next = parts_.starts(arrival.node, arrival.packet)) hold({arrival.node, *next}, now);
    }

    void hold(const Arrival& arrival, std::uint64_t now) {
        word(arrival.node, arrival.packet) |= std::uint64_t{1} << arrival.packet % 64U;
        for (std::uint32_t i = first_list_[arrival.node]; i < first_list_[arrival.node + 1]; ++i)
            if (wanted_[i] == arrival.packet) send(arrival.node, i, now);
    }

    /// Over a send list, all packets in turn that its node holds. The first one came now, the others before.
    void send(NodeId from, std::uint32_t number, std::uint64_t now) {
        SendList& list = lists_[number];
        for (; list.next != list.end && holds(from, *list.next); ++list.next, ++sent_) {
            const std::uint64_t start = std::max(now, list.free);
            list.free = start + busy_;
            at(start + list.hop).push_back({list.to, *list.next});
        }
        wanted_[number] = list.next != list.end ? +*list.next : UINT32_MAX;
    }

    std::uint64_t& word(NodeId node, PacketId packet) {
        return holds_[std::size_t{node} * words_ + packet / 64U];
    }
    bool holds(NodeId node, PacketId packet) { return (word(node, packet) >> packet % 64U & 1U) != 0; }

    /// Packets that leave in one cycle mostly arrive in one cycle.
    std::vector<Arrival>& at(std::uint64_t time) {
        if (bucket_ == nullptr || bucket_time_ != time) {
            bucket_ = &arrivals_[time];
            bucket_time_ = time;
        }
        return *bucket_;
    }

    [[gnu::always_inline]] void fetch_node(const Arrival& arrival) {
        __builtin_prefetch(&first_list_[arrival.node]);
        __builtin_prefetch(&word(arrival.node, arrival.packet), 1);
    }
    [[gnu::always_inline]] void fetch_next(const Arrival& arrival) {
        for (std::uint32_t i = first_list_[arrival.node]; i < first_list_[arrival.node + 1]; ++i)
            if (wanted_[i] == arrival.packet) __builtin_prefetch(lists_[i].next + 1);
    }
    [[gnu::always_inline]] void fetch_lists(const Arrival& arrival) {
        __builtin_prefetch(wanted_.data() + first_list_[arrival.node], 1);
        for (std::uint32_t i = first_list_[arrival.node]; i < first_list_[arrival.node + 1]; ++i)
            __builtin_prefetch(&lists_[i], 1);
    }

    const Program& program_;
    std::uint64_t busy_;                     // time for which a send list is, with a packet
    std::vector<std::uint32_t> first_list_;  // [node]
    std::size_t words_;                      // that a node has of holds_
    std::vector<std::uint64_t> holds_;       // bits: [node][packet]
    std::vector<SendList> lists_;
    std::vector<std::uint32_t> wanted_;  // [send list]: the packet that it sends next, UINT32_MAX: none
    SumParts parts_;
    std::map<std::uint64_t, std::vector<Arrival>> arrivals_;  // [time]
    std::vector<Arrival>* bucket_ = nullptr;                  // of arrivals_, at bucket_time_
    std::uint64_t bucket_time_ = 0;
    std::uint64_t sent_ = 0;
};

}  // namespace

std::uint64_t max_plus_time(const Network& network, const Program& program, const HopTimes& times) {
    return MaxPlus(network, program, times).run();
}

}  // namespace interlace
