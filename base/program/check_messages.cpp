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

class MessageReplay {
  public:
    MessageReplay(const MessageProgram& program, const std::vector<std::vector<std::uint32_t>>& has)
        : program_(program),
          waits_for_(program.operations.size()),
          lets_start_(program.operations.size()),
          lets_start_begun_(program.operations.size()),
          receive_of_(program.messages.size(), none),
          gets_(program.operations.size(), none),
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
                deliver(gets_[done.front()]);
            } else {
                const std::uint32_t begins = ready.front();
                ready.pop_front();
                done = begin(begins);
                for (const std::uint32_t next : lets_start_begun_[begins])
                    if (--waits_for_[next] == 0) ready.push_back(next);
            }
            for (const std::uint32_t next : std::exchange(matched_, {}))
                if (--waits_for_[next] == 0) ready.push_back(next);
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
        // Which receive gets a message of an envelope is known when both have started.
        for (std::uint32_t m = 0; m < receive_of_.size(); ++m) {
            if (program_.envelope_of(MessageId{m}))
                receive_of_[m] = none;
            else if (receive_of_[m] != none)
                gets_[receive_of_[m]] = m;
        }
        prepare(program_.order, lets_start_);
        prepare(program_.start_order, lets_start_begun_);
        for (const auto& [message, after] : program_.matching.order) ++waits_for_[after];
        return fault_.empty();
    }

    /// What waits for the receive that gets the message of a send; nothing where an envelope decides that.
    const std::vector<std::uint32_t>* after_receive_of(std::uint32_t o) const {
        static const std::vector<std::uint32_t> nothing;
        const auto& operation = program_.operations[o];
        const bool known = operation.kind == MessageProgram::Kind::send &&
                           receive_of_[operation.number] != none &&
                           !program_.envelope_of(MessageId{operation.number});
        return known ? &lets_start_[receive_of_[operation.number]] : &nothing;
    }

    /// Whether operation `to` can only begin after `from` has.
    bool follows(std::uint32_t from, std::uint32_t to) const {
        std::vector<std::uint32_t> open = {from};
        std::set<std::uint32_t> seen = {from};
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (at == to) return true;
            for (const auto* next : {&lets_start_[at], &lets_start_begun_[at], after_receive_of(at)})
                for (const std::uint32_t o : *next)
                    if (seen.insert(o).second) open.push_back(o);
        }
        return false;
    }

    /// The next of those of an envelope that start one after another.
    void start(std::vector<std::uint32_t>& started, std::uint32_t o) {
        if (!started.empty() && !follows(started.back(), o))
            fault_ = "operations " + std::to_string(started.back()) + " and " + std::to_string(o) +
                     " of one envelope may start in either order";
        started.push_back(o);
    }

    /// The message that a send starts, or announces, and the receive that starts as often find each other.
    void match(std::uint32_t o) {
        const auto& operation = program_.operations[o];
        const bool sends = operation.kind == MessageProgram::Kind::send;
        MessageId message{operation.number};
        const auto& announces = program_.matching.announces;
        const auto question = announces.find(message);
        if (sends && question != announces.end())
            message = question->second;
        else if (sends && std::any_of(announces.begin(), announces.end(),
                                      [&](const auto& pair) { return pair.second == message; }))
            return;
        const auto envelope = program_.envelope_of(message);
        if (!envelope) return;
        Envelope& mine = envelopes_[*envelope];
        start(sends ? mine.sends : mine.receives, o);
        if (sends) mine.messages.push_back(message);
        const std::size_t place = (sends ? mine.sends : mine.receives).size() - 1;
        if (mine.messages.size() <= place || mine.receives.size() <= place) return;
        const MessageId got{mine.messages[place]};
        const std::uint32_t receive = mine.receives[place];
        receive_of_[got] = receive;
        gets_[receive] = got;
        if (program_.room_of(OperationId{receive}) < program_.messages[got].bytes)
            fault_ =
                "operation " + std::to_string(receive) + " has no room for message " + std::to_string(got);
        for (const auto& [matched, after] : program_.matching.order)
            if (matched == got) matched_.push_back(after);
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
        match(o);
        const bool sends = operation.kind == Kind::send;
        std::vector<std::uint32_t> complete;
        if (sends) {
            check_held(operation.number);
            sent_[operation.number] = true;
            complete.push_back(o);
        }
        const std::uint32_t message = sends ? operation.number : gets_[o];
        const std::uint32_t receive = message == none ? none : receive_of_[message];
        if (receive != none && sent_[message] && begun_[receive]) late_.push_back(receive);
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
    std::vector<std::uint32_t> receive_of_;  // [message]
    std::vector<std::uint32_t> gets_;        // [receive]: its message
    struct Envelope {
        std::vector<std::uint32_t> sends, receives, messages;  // in the order in which they started
    };
    std::map<std::uint32_t, Envelope> envelopes_;
    std::vector<std::uint32_t> matched_;  // what may go on since messages have receives
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
    MessageReplay replay(program, has);
    const std::string fault = replay.run();
    return fault.empty() ? replay.missing(needs) : fault;
}

}  // namespace interlace
