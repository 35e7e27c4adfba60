// Interlace: complete exchange as programs of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "in_turn.h"
#include "interlace/broadcast/cluster/exchange.h"

namespace interlace {
namespace {

std::uint32_t block_of(std::uint32_t from, std::uint32_t to, std::uint32_t machines) {
    return from * machines + to;
}

/// A plan as a program, phase by phase.
class Scheduled {
  public:
    Scheduled(const SwitchTree& tree, const std::vector<Phase>& phases, std::uint64_t bytes,
              const Synchronisation& synchronisation)
        : tree_(tree), phases_(phases), bytes_(bytes), how_(synchronisation), program_(tree.machine_count()) {
        for (std::uint32_t p = 0; p < phases.size(); ++p)
            for (const auto& [from, to] : phases[p]) messages_.push_back({p, from});
        outgoing_.resize(messages_.size());
        waits_.resize(messages_.size());
        if (how_.pairs != Synchronisation::Pairs::none)
            for (const Dependence& d : exchange_dependences(tree, phases))
                outgoing_[d.before].push_back(d.after);
    }

    MessageProgram run() {
        std::uint32_t first = 0;
        for (std::uint32_t p = 0; p < phases_.size(); ++p) {
            if (how_.barriers && p > 0 && p % how_.block == 0) program_.barrier();
            begin_phase(p, first);
            for (std::uint32_t i = 0; i < phases_[p].size(); ++i)
                for (const std::uint32_t after : outgoing_[first + i])
                    if (separates(p, messages_[after].phase)) tell(phases_[p][i], begun_[i], after);
            first += static_cast<std::uint32_t>(phases_[p].size());
        }
        return program_.take();
    }

  private:
    /// Whether a dependence between two phases is kept: those of different blocks, or, between barriers, of
    /// one.
    bool separates(std::uint32_t before, std::uint32_t after) const {
        const bool one_block = before / how_.block == after / how_.block;
        return how_.barriers ? one_block && how_.pairs_within : !one_block;
    }

    void begin_phase(std::uint32_t p, std::uint32_t message) {
        std::vector<InTurn::Transfer> transfers;
        for (const auto& [from, to] : phases_[p])
            transfers.push_back({from, to, {block_of(from, to, tree_.machine_count())}, waits_[message++]});
        if (how_.dummies) add_dummies(transfers);
        begun_ = program_.step(transfers, bytes_);
    }

    /// Section 5: an idle machine sends to one of its switch that receives nothing.
    void add_dummies(std::vector<InTurn::Transfer>& transfers) const {
        std::vector<bool> sends(tree_.machine_count()), receives(tree_.machine_count());
        for (const InTurn::Transfer& t : transfers) sends[t.from] = receives[t.to] = true;
        for (std::uint32_t i = 0; i < sends.size(); ++i) {
            if (sends[i]) continue;
            for (const NodeId to : tree_.machines(tree_.home(NodeId{i})))
                if (to != i && !receives[to]) {
                    receives[to] = true;
                    transfers.push_back({i, to, {}, {}});
                    break;
                }
        }
    }

    /// The message's sender (or receiver, when it has it) says to the sender of `after` that it may begin.
    /// That is in order anyway where both are one machine.
    void tell(const std::pair<NodeId, NodeId>& message, const std::pair<OperationId, OperationId>& begun,
              std::uint32_t after) {
        const bool by_sender = how_.pairs == Synchronisation::Pairs::sender;
        const NodeId teller = by_sender ? message.first : message.second;
        const NodeId told = messages_[after].sender;
        if (teller != told)
            waits_[after].push_back(program_.note(teller, told, by_sender ? begun.first : begun.second));
    }

    struct Planned {
        std::uint32_t phase;
        NodeId sender;
    };

    const SwitchTree& tree_;
    const std::vector<Phase>& phases_;
    std::uint64_t bytes_;
    Synchronisation how_;
    InTurn program_;
    std::vector<Planned> messages_;                           // of all phases
    std::vector<std::vector<std::uint32_t>> outgoing_;        // of each message, those that wait for it
    std::vector<std::vector<OperationId>> waits_;             // of each message, what its send waits for
    std::vector<std::pair<OperationId, OperationId>> begun_;  // send and receive of this phase's messages
};

MessageProgram all_at_once(std::uint32_t machines, std::uint64_t bytes, bool staggered) {
    MessageProgram program;
    program.machines = machines;
    for (std::uint32_t i = 0; i < machines; ++i)
        for (std::uint32_t n = staggered ? 1 : 0; n < machines; ++n) {
            const std::uint32_t to = staggered ? (i + n) % machines : n;
            if (to == i) continue;
            program.receive(program.message_of(
                program.send({NodeId{i}, NodeId{to}, bytes, {block_of(i, to, machines)}})));
        }
    return program;
}

}  // namespace

MessageProgram scheduled_exchange(const SwitchTree& tree, const std::vector<Phase>& phases,
                                  std::uint64_t bytes, const Synchronisation& synchronisation) {
    return Scheduled(tree, phases, bytes, synchronisation).run();
}

MessageProgram post_all_exchange(std::uint32_t machines, std::uint64_t bytes) {
    return all_at_once(machines, bytes, false);
}

MessageProgram staggered_exchange(std::uint32_t machines, std::uint64_t bytes) {
    return all_at_once(machines, bytes, true);
}

MessageProgram pairwise_exchange(std::uint32_t machines, std::uint64_t bytes) {
    InTurn program(machines);
    for (std::uint32_t step = 1; step < machines; ++step) {
        std::vector<InTurn::Transfer> transfers;
        for (std::uint32_t i = 0; i < machines; ++i) {
            const std::uint32_t to = std::has_single_bit(machines) ? i ^ step : (i + step) % machines;
            transfers.push_back({i, to, {block_of(i, to, machines)}, {}});
        }
        program.step(transfers, bytes);
    }
    return program.take();
}

}  // namespace interlace
