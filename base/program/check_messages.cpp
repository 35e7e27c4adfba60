// Interlace: the independent checker of message programs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check_messages.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace interlace {
namespace {

class Replay {
  public:
    Replay(const MessageProgram& program, const std::vector<std::vector<std::uint32_t>>& has)
        : program_(program),
          waits_for_(program.operations.size()),
          lets_start_(program.operations.size()),
          lets_start_begun_(program.operations.size()),
          receive_of_(program.messages.size(), none),
          begun_(program.operations.size()),
          sent_(program.messages.size()) {
        for (const auto& blocks : has) held_.emplace_back(blocks.begin(), blocks.end());
    }

    std::string run() {
        if (!prepare()) return fault_;
        std::deque<std::uint32_t> ready;
        for (std::uint32_t o = 0; o < waits_for_.size(); ++o)
            if (waits_for_[o] == 0) ready.push_back(o);
        std::size_t complete = 0;
        // Data come as late as they may: what does not wait for them must not need them.
        while (!ready.empty() || !late_.empty()) {
            std::vector<std::uint32_t> done;
            if (ready.empty()) {
                done = {late_.back()};
                late_.pop_back();
                deliver(program_.operations[done.front()].number);
            } else {
                const std::uint32_t begins = ready.front();
                ready.pop_front();
                done = begin(begins);
                for (const std::uint32_t next : lets_start_begun_[begins])
                    if (--waits_for_[next] == 0) ready.push_back(next);
            }
            for (const std::uint32_t o : done) {
                ++complete;
                for (const std::uint32_t next : lets_start_[o])
                    if (--waits_for_[next] == 0) ready.push_back(next);
            }
            if (!fault_.empty()) return fault_;
        }
        if (complete < program_.operations.size())
            return std::to_string(program_.operations.size() - complete) + " operations never complete";
        return {};
    }

    std::string missing(const std::vector<std::vector<std::uint32_t>>& needs) const {
        for (std::size_t i = 0; i < needs.size(); ++i)
            for (const std::uint32_t block : needs[i])
                if (!held_[i].contains(block))
                    return "machine " + std::to_string(i) + " ends without block " + std::to_string(block);
        return {};
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;

    void prepare(const std::vector<std::pair<OperationId, OperationId>>& order,
                 std::vector<std::vector<std::uint32_t>>& lets_start) {
        for (const auto& [before, after] : order) {
            if (program_.operations[before].machine != program_.operations[after].machine)
                fault_ = "an order between operations of two machines";
            ++waits_for_[after];
            lets_start[before].push_back(after);
        }
    }

    bool prepare() {
        using Kind = MessageProgram::Kind;
        for (std::uint32_t o = 0; o < program_.operations.size(); ++o) {
            const auto& operation = program_.operations[o];
            if (operation.kind == Kind::barrier) ++expected_[operation.number];
            if (operation.kind != Kind::receive) continue;
            if (std::exchange(receive_of_[operation.number], o) != none)
                fault_ = "message " + std::to_string(operation.number) + " is received twice";
        }
        for (std::size_t m = 0; m < receive_of_.size(); ++m)
            if (receive_of_[m] == none) fault_ = "nobody receives message " + std::to_string(m);
        prepare(program_.order, lets_start_);
        prepare(program_.start_order, lets_start_begun_);
        return fault_.empty();
    }

    /// The operations that are complete because `o` began, receives aside.
    std::vector<std::uint32_t> begin(std::uint32_t o) {
        using Kind = MessageProgram::Kind;
        const auto& operation = program_.operations[o];
        begun_[o] = true;
        if (operation.kind == Kind::barrier) {
            auto& here = arrived_[operation.number];
            here.push_back(o);
            return here.size() == expected_[operation.number] ? here : std::vector<std::uint32_t>{};
        }
        if (operation.kind == Kind::compute) return {o};
        const std::uint32_t receive = receive_of_[operation.number];
        std::vector<std::uint32_t> complete;
        if (operation.kind == Kind::send) {
            check_held(operation.number);
            sent_[operation.number] = true;
            complete.push_back(o);
        }
        if (sent_[operation.number] && begun_[receive]) late_.push_back(receive);
        return complete;
    }

    void check_held(std::uint32_t m) {
        const Message& message = program_.messages[m];
        for (const std::uint32_t block : message.blocks)
            if (!held_[message.from].contains(block))
                fault_ = "machine " + std::to_string(message.from) + " sends block " + std::to_string(block) +
                         " (message " + std::to_string(m) + ") before it holds it";
    }
    void deliver(std::uint32_t m) {
        const Message& message = program_.messages[m];
        for (const std::uint32_t block : message.blocks)
            if (!held_[message.to].insert(block).second)
                fault_ = "block " + std::to_string(block) + " reaches machine " + std::to_string(message.to) +
                         " twice (message " + std::to_string(m) + ")";
    }

    const MessageProgram& program_;
    std::vector<std::uint32_t> waits_for_;
    std::vector<std::vector<std::uint32_t>> lets_start_, lets_start_begun_;
    std::vector<std::uint32_t> receive_of_;
    std::vector<bool> begun_, sent_;
    std::vector<std::uint32_t> late_;                // receives whose message is there
    std::map<std::uint32_t, std::size_t> expected_;  // machines of a barrier
    std::map<std::uint32_t, std::vector<std::uint32_t>> arrived_;
    std::vector<std::set<std::uint32_t>> held_;
    std::string fault_;
};

}  // namespace

std::string fault_of(const MessageProgram& program, const std::vector<std::vector<std::uint32_t>>& has,
                     const std::vector<std::vector<std::uint32_t>>& needs) {
    Replay replay(program, has);
    const std::string fault = replay.run();
    return fault.empty() ? replay.missing(needs) : fault;
}

}  // namespace interlace
