// Interlace: which packets hosts hold, and which they send next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "interlace/core/pool.h"
#include "interlace/engine/region/node_states.h"
#include "interlace/engine/region/pin_hosts.h"
#include "interlace/harness/hosts/injection_plan.h"

namespace interlace {

/// The send lists of a program's plan at their injection queues. A send list stands at its queue when its
/// node holds its next packet and its pace allows; the hosts take send lists from the queues and write their
/// packets. Packets of others take their turn there, with a program or without.
class SendLists {
  public:
    /// Those of `nodes`. `pace`: cycles between two starts of a send list, at least. `due`: of a plan with
    /// sums, InjectionPlan::arrivals() of the nodes.
    SendLists(const Fabric& fabric, NodeRange nodes, const InjectionPlan& plan, std::uint32_t packet_flits,
              std::uint64_t pace, std::vector<std::uint8_t> due = {});
    /// Without a program.
    SendLists(const Fabric& fabric, NodeRange nodes);
    NodeRange nodes() const { return nodes_; }

    /// Their origins hold the program's packets from cycle `from` on.
    void begin(std::uint64_t from);
    /// `packet` has come to `node`, which holds it from cycle `from` on; a sum when all of its parts have
    /// come. False if it held it before, or does not hold it yet.
    bool take(NodeId node, PacketId packet, std::uint64_t from);
    /// Lets the send lists go whose time has come.
    void advance(std::uint64_t cycle);

    /// The first cycle in which one may; 0: some have come to their queues; UINT64_MAX: none is on its way.
    std::uint64_t next_time() const;

    /// Injection queues, node * injections + queue, that send lists have come to since the last call.
    std::vector<std::uint32_t> take_woken();
    bool waits(std::uint32_t queue) const { return at_queue_[queue - first_queue_].first != UINT32_MAX; }
    /// At any queue.
    bool waits() const { return waiting_queues_ > 0; }

    /// A packet that is not the program's, its sequence number beyond theirs, takes its turn at the queue.
    void enqueue_other(std::uint32_t queue, const Packet& packet);
    /// Packets that are not the program's; each function may be empty.
    struct Others {
        /// Told of each that a host has taken, and from which cycle on the host has it.
        std::function<void(const Packet& packet, std::uint64_t from)> taken;
        std::function<bool(const Packet& packet)> is_part;  ///< added to what the host has that takes it
        std::function<bool(const Packet& packet)> is_copy;  ///< of what the host that sends it was sent
    };
    void set_others(Others others) { others_ = std::move(others); }
    void take_other(const Packet& packet, std::uint64_t from) const {
        if (others_.taken) others_.taken(packet, from);
    }
    std::uint32_t packet_count() const { return packets_; }
    /// Whether a host adds it to what it has.
    bool combines(const Packet& packet) const {
        if (owns(packet)) return plan_->origins().is_sum(PacketId{packet.sequence()});
        return others_.is_part && others_.is_part(packet);
    }
    /// Whether the host of `node` sends on what came to it.
    bool is_copy(const Packet& packet, NodeId node) const {
        if (owns(packet)) return packet.source() != node;
        return others_.is_copy && others_.is_copy(packet);
    }
    /// Where the program's packet starts.
    NodeId origin(PacketId packet) const { return plan_->origins()(packet); }
    /// Whether it is one of the program's.
    bool owns(const Packet& packet) const { return packet.sequence() < packet_count(); }

    /// The next packet of the first send list at the queue, or what has its turn. `start`, when its first
    /// flit is written; `finish`, when its last one has been: which of the program's it was.
    Packet start(std::uint32_t queue, std::uint64_t cycle);
    std::optional<PacketId> finish(std::uint32_t queue, std::uint64_t cycle);

    // Large networks wait for memory: what start() and finish() of a queue, or take() of a node, will need
    // can be asked for ahead, in this order. GCC leaves out calls of functions that do nothing else, unless
    // they are inlined.
    [[gnu::always_inline]] void fetch_queue(std::uint32_t queue) const {
        __builtin_prefetch(&at_queue_[queue - first_queue_], 1);
    }
    [[gnu::always_inline]] void fetch_waiter(std::uint32_t queue) const {
        if (waits(queue)) __builtin_prefetch(&waiters_[at_queue_[queue - first_queue_].first], 1);
    }
    [[gnu::always_inline]] void fetch_list(std::uint32_t queue) const {
        if (const SendList* list = list_at(queue); list != nullptr) __builtin_prefetch(list, 1);
    }
    [[gnu::always_inline]] void fetch_planned(std::uint32_t queue) const {
        if (const SendList* list = list_at(queue); list != nullptr) __builtin_prefetch(list->planned);
    }
    [[gnu::always_inline]] void fetch_ports(NodeId node) const {
        __builtin_prefetch(list_of_port_.data() + std::size_t{node - nodes_.first} * f_.ports);
    }
    [[gnu::always_inline]] void fetch_lists(NodeId node) const {
        const std::uint32_t* list = list_of_port_.data() + std::size_t{node - nodes_.first} * f_.ports;
        for (std::uint32_t port = 0; port < f_.ports; ++port)
            if (list[port] != UINT32_MAX) __builtin_prefetch(&lists_[list[port]], 1);
    }

    /// [node * packets + packet], of these nodes: injections of a packet by a node in the whole plan.
    std::vector<std::uint32_t> sends_of_packets() const;

    /// Of these nodes' send lists: for the same plan, but before begin() for any one.
    void state(NodeStates& nodes);

    /// What send lists that have not sent everything wait for: the first few, by their places in the plan.
    struct Report {
        std::vector<std::pair<std::uint32_t, std::string>> lists;
        std::uint64_t waiting = 0;  ///< in all
        void add(const Report& other);
        std::string text() const;
        void write(ByteWriter& bytes) const;
        static Report read(ByteReader& bytes);
    };
    Report report() const;

  private:
    void hold(NodeId node, PacketId packet, std::uint64_t from);

    struct SendList {
        const InjectionPlan::SendList* planned = nullptr;
        std::uint32_t next = 0;        // index into its packets
        std::uint64_t not_before = 0;  // pacing
        bool queued = false;           // at its injection queue, or waiting for its time
    };

    /// A send list at an injection queue, or `packet`, which is of none.
    struct Waiter {
        Packet packet;
        std::uint32_t list = 0, next = UINT32_MAX;
    };
    struct Queue {
        std::uint32_t first = UINT32_MAX, last = UINT32_MAX;  // of waiters_
    };

    /// The first send list at the queue; null: none waits there, or what is first is of none.
    const SendList* list_at(std::uint32_t queue) const {
        if (!waits(queue)) return nullptr;
        const std::uint32_t list = waiters_[at_queue_[queue - first_queue_].first].list;
        return list < lists_.size() ? &lists_[list] : nullptr;
    }
    bool held(std::uint32_t node, PacketId packet) const {
        return held_[std::size_t{node - nodes_.first} * packets_ + packet];
    }
    void lists_state(std::uint32_t node, Archive& archive);
    void queue_state(std::uint32_t queue, std::vector<bool>& placed, Archive& archive);
    std::uint32_t load_place(std::uint32_t place, std::uint32_t port, std::vector<bool>& placed,
                             const Archive& archive) const;
    void consider(std::uint32_t list, std::uint64_t cycle);
    void enqueue(std::uint32_t list);
    void come(std::uint32_t queue, std::uint32_t list, const Packet& packet = {});

    static constexpr std::size_t told = 5;  // send lists of a report

    const Fabric& f_;
    NodeRange nodes_;
    std::uint32_t first_queue_;            // of the first node
    const InjectionPlan* plan_ = nullptr;  // of no send lists
    std::uint32_t packets_ = 0, packet_flits_ = 0;
    std::uint64_t pace_ = 0;
    bool begun_ = false;
    SumParts parts_;
    std::vector<SendList> lists_;
    // Nodes count from the first on.
    std::vector<std::uint32_t> list_of_port_;  // [node * ports + port]
    std::vector<bool> held_;                   // [node * packets + packet]
    std::vector<Queue> at_queue_;              // [node * injections + queue]
    Pool<Waiter> waiters_;
    Others others_;
    std::uint32_t waiting_queues_ = 0;  // that are not empty
    std::vector<std::uint32_t> woken_;
    using Waiting = std::pair<std::uint64_t, std::uint32_t>;  // cycle, send list
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
};

}  // namespace interlace
