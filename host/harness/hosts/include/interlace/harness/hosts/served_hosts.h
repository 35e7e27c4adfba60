// Interlace: hosts whose work costs something
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/engine/machine/machine.h"
#include "interlace/harness/hosts/host_parameters.h"
#include "interlace/harness/hosts/hosts.h"
#include "interlace/harness/hosts/send_lists.h"

namespace interlace {

/// A number of servers a node; each serves one queue at a time: it takes a packet out of a reception queue
/// that holds a whole one, or writes a packet into an injection queue that has room for it. In the middle of
/// a packet that waits it goes to another queue, so that no server ever waits for what another one may wait
/// for (docs/node.md, section 11).
class ServedHosts final : public Hosts {
  public:
    /// Packets have `packet_flits`; what is random is of `seed`.
    ServedHosts(const Fabric& fabric, const Machine& machine, SendLists& lists, const HostParameters& host,
                std::uint32_t packet_flits, std::uint64_t seed);

    void begin(std::uint64_t cycle) override;
    void drive(std::uint64_t cycle, RegionInputs& inputs) override;
    void receive(const RegionOutputs& outputs, std::uint64_t cycle) override;
    std::uint64_t busy_from(std::uint64_t cycle) const override;
    std::uint64_t complete() const override { return complete_; }
    const std::vector<std::uint64_t>& injection_stalls() const override { return stalls_; }

    void state(HostsState& state) override;

  private:
    static constexpr std::uint64_t unknown = UINT64_MAX;

    /// A packet that a server is at, or left. `queue`: reception queues first, then injection queues.
    struct Task {
        std::uint32_t queue = 0;
        std::uint64_t begun = 0;  // as if the server had been there ever since
        std::uint64_t end = unknown;
        std::uint64_t left = unknown;  // when the server went to another queue
        Packet packet = {};
        std::uint8_t next_flit = 0;
        bool attended() const { return left == unknown; }
    };
    struct Node {
        std::vector<Task> tasks;
        std::uint32_t last_served = 0;  // the queue
        std::uint32_t in_memory = 0;    // received packets that are still to be sent on
        std::uint64_t start = 0;        // serves no other queue before this cycle
        std::uint32_t served = 0;       // tasks
    };

    bool is_reception(std::uint32_t queue) const { return queue < f_.receptions; }
    std::uint32_t injection(std::uint32_t node, std::uint32_t queue) const {
        return node * f_.injections + queue - f_.receptions;
    }
    Node& host(std::uint32_t node) { return nodes_[node - range_.first]; }
    const Node& host(std::uint32_t node) const { return nodes_[node - range_.first]; }
    std::uint32_t& sends_left(std::uint32_t node, std::uint32_t packet) {
        return sends_left_[std::size_t{node - range_.first} * lists_.packet_count() + packet];
    }
    bool is_whole(std::uint32_t node, const Task& task) const;
    void end_tasks(std::uint32_t node, std::uint64_t cycle);
    void look_for_queues(std::uint32_t node, std::uint64_t cycle, RegionInputs& inputs);
    bool has_server(std::uint32_t node) const;
    bool waits(std::uint32_t node, const Task& task) const;
    void leave_for_another(std::uint32_t node, std::uint64_t cycle, RegionInputs& inputs);
    std::uint32_t next_queue(std::uint32_t node) const;
    std::uint32_t next_queue(std::uint32_t node, std::uint32_t first, std::uint32_t last) const;
    bool can_serve(std::uint32_t node, std::uint32_t queue) const;
    bool has_room(std::uint32_t index) const;
    const Task* task_at(std::uint32_t node, std::uint32_t queue) const;
    void count_stalls(std::uint32_t node);
    void serve(std::uint32_t node, std::uint32_t queue, std::uint64_t cycle, RegionInputs& inputs);
    void write(std::uint32_t node, Task& task, std::uint64_t cycle, RegionInputs& inputs);
    std::uint64_t jitter(std::uint32_t node);
    void keep(std::uint32_t node, const Packet& packet, std::uint64_t cycle);
    void sent(std::uint32_t node, PacketId packet);

    const Fabric& f_;
    const Machine& machine_;
    SendLists& lists_;
    HostParameters p_;
    std::uint64_t seed_;
    std::uint32_t flits_;
    NodeRange range_;
    std::uint32_t first_queue_;              // injection queue of the first node
    std::vector<Node> nodes_;                // from the first on, as those below
    std::vector<std::uint32_t> credits_;     // [node * injections + queue]
    std::vector<std::uint32_t> sends_left_;  // [node * packets + packet], where memory is bounded
    std::vector<Ready> changes_;             // for the coming cycle
    std::vector<Credit> shown_;              // on the pins in this cycle
    std::uint64_t complete_ = 0;
    std::vector<std::uint64_t> stalls_;  // [node * injections + queue]
};

}  // namespace interlace
