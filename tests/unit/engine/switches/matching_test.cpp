// Interlace: sends and receives of one pair and tag match in the order in which they start
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/engine/switches/event.h"
#include "interlace/program/goal.h"
#include "interlace/program/protocol.h"
#include "support/clusters.h"
#include "support/microsecond.h"

namespace interlace {
namespace {

using test::us;

/// One switch, no latency; a frame of 125 bytes takes 1 us on a link.
struct OneSwitch {
    Network network;
    EventParameters parameters;
    explicit OneSwitch(std::uint32_t machines, std::uint32_t mtu = 125)
        : network(test::network_of(test::chain(1, machines))) {
        parameters.frame = {mtu, 0, 0};
    }
    std::vector<std::uint64_t> run(const MessageProgram& program) const {
        std::vector<std::uint64_t> times =
            run_event(network, Routes(network, SwitchTree(network)), program, parameters).complete;
        for (std::uint64_t& time : times) time /= us;
        return times;
    }
    std::vector<std::uint64_t> run(const std::string& goal) const { return run(read_goal(goal, "x.goal")); }
    std::string refusal(const std::string& goal) const {
        try {
            run(goal);
        } catch (const std::exception& error) {
            return error.what();
        }
        return "ran";
    }
};

// b starts at 0 and a at 50; x is posted at 0 and y with it. So x gets b, which is there after 8 us over each
// of two links, and c ends 10 us later; y gets a.
constexpr const char* overtaken = R"(num_ranks 2
rank 0 {
a: send 1000b to 1
b: send 1000b to 1
w: calc 50000
a requires w
}
rank 1 {
x: recv 1000b from 0
y: recv 1000b from 0
c: calc 10000
c requires x
})";

TEST(Matching, GoesByWhatStartsAndNotByTheFile) {
    const OneSwitch c(2, 1000);
    EXPECT_EQ(c.run(overtaken), (std::vector<std::uint64_t>{50, 0, 50, 16, 66, 26}));
}

TEST(Matching, LetsARunGoOnThatFileOrderWouldStop) {
    // Each waits for the other's answer to what it sent first, which is not what stands first.
    const OneSwitch c(2);
    EXPECT_EQ(c.run(R"(num_ranks 2
rank 0 { a: send 125b to 1  b: send 125b to 1  r: recv 125b from 1  r requires b  a requires r }
rank 1 { x: recv 125b from 0  y: recv 125b from 0  s: send 125b to 0  s requires x  y requires s })"),
              (std::vector<std::uint64_t>{4, 0, 4, 2, 6, 2}));
}

TEST(Matching, RefusesAReceiveWithoutRoomForWhatItGets) {
    const OneSwitch c(2);
    const auto goal = [](const char* order) {
        return fmt::format(
            "num_ranks 2\nrank 0 {{\nbig: send 200b to 1 tag 5\nsmall: send 10b to 1 tag 5\n{}\n}}\n"
            "rank 1 {{\nx: recv 10b from 0 tag 5\ny: recv 200b from 0 tag 5\ny requires x\n}}\n",
            order);
    };
    EXPECT_EQ(c.refusal(goal("big requires small")), "ran");
    EXPECT_THAT(c.refusal(goal("small requires big")),
                testing::StartsWith("x.goal:8: a recv of 10 bytes matches a send of 200"));
    // However they match.
    EXPECT_THAT(c.refusal("num_ranks 2\nrank 0 { send 5b to 1\nsend 9b to 1 }\n"
                          "rank 1 { recv 8b from 0\nrecv 8b from 0 }\n"),
                "x.goal:4: a recv of 8 bytes matches a send of 9; expected at least that many bytes");
}

TEST(Matching, SaysWhereAProgramIsStuck) {
    const OneSwitch c(2);
    EXPECT_EQ(c.refusal("num_ranks 2\nrank 0 {\n s: send 1b to 1\n r: recv 1b from 1\n s requires r }\n"
                        "rank 1 {\n s: send 1b to 0\n r: recv 1b from 0\n s requires r }\n"),
              "the program is stuck: x.goal:3: n0 waits to send a message to n1");
}

TEST(Matching, OfARendezvousGoesByWhenItsQuestionStarts) {
    // The long message starts first, by its question, and the short one, which is eager, arrives before it:
    // so the short one belongs to the receive that is posted second, at 20 us. The question is there at 2,
    // when a receive waits for it since 0; the answer at 4; the data, of four frames, leave from 4 on.
    OneSwitch c(2);
    c.parameters.frame = {125, 0, 125};
    const MessageProgram program = read_goal(R"(num_ranks 2
rank 0 { long: send 500b to 1  short: send 125b to 1  short irequires long }
rank 1 { x: recv 500b from 0  y: recv 125b from 0  w: calc 20000  y requires w })",
                                             "x.goal");
    const auto times = c.run(with_rendezvous(program, 125));
    EXPECT_EQ(times[2], 9U);  // 4, 5, 6, 7, and two links
    EXPECT_EQ(times[3], 20U);
}

TEST(Matching, CopiesWhatAReceiveGot) {
    // y is posted first and gets the message of 125 bytes, x that of 250: 1 us for each 125 bytes.
    const OneSwitch c(2);
    const MessageProgram program = read_goal(R"(num_ranks 2
rank 0 { a: send 125b to 1  b: send 250b to 1  b requires a }
rank 1 { x: recv 250b from 0  y: recv 250b from 0  x requires y
         after_x: calc 0  after_x requires x  after_y: calc 0  after_y requires y })",
                                             "x.goal");
    const auto times = c.run(with_copies(program, 1000, 8'000));
    EXPECT_EQ(times[3], 2U);
    EXPECT_EQ(times[5], 3U);
    EXPECT_EQ(times[2], 4U);
    EXPECT_EQ(times[4], 6U);
    EXPECT_EQ(c.run(with_copies(program, 200, 8'000))[4], 4U);  // longer ones are not copied
}

TEST(Matching, HoldsWhereWindowsHoldBackTheFirstOfTwoMessages) {
    // n0 may have one frame on its way to n1: the long message's frames and `a` and `b` make way for one
    // another. `a` starts before `b`, whatever their places in the file and in the turns.
    OneSwitch c(3);
    c.parameters.reliability = {1000 * us, 10 * us, Window::reno, 1};
    for (std::uint32_t others = 0; others < 4; ++others) {
        std::string goal = "num_ranks 3\nrank 0 {\nlong: send 2500b to 1 tag 9\n";
        for (std::uint32_t i = 0; i < others; ++i) goal += "send 1000b to 2 tag 1\n";
        goal += "wb: calc 5000\nb: send 125b to 1\nb requires wb\na: send 250b to 1\n}\nrank 1 {\n";
        goal +=
            "recv 2500b from 0 tag 9\nx: recv 250b from 0\ny: recv 125b from 0\ny requires x\n}\nrank 2 {\n";
        for (std::uint32_t i = 0; i < others; ++i) goal += "recv 1000b from 0 tag 1\n";
        EXPECT_EQ(c.refusal(goal + "}\n"), "ran") << others;
    }
}

/// A program of machines in a ring, each of which sends to the next one alone, so that no two messages ever
/// want one link at the same time; as GOAL, and for the reference.
struct RingProgram {
    enum class Kind { send, receive, compute };
    struct Operation {
        Kind kind;
        std::uint32_t machine, tag;
        std::uint64_t size;  // units of 125 bytes: us on a link; or us of a computation
    };
    std::uint32_t machines = 0;
    std::vector<Operation> operations;                                        // machine by machine
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order, start_order;  // before, after

    explicit RingProgram(std::uint64_t seed) {
        std::uint64_t index = 0;
        const auto below = [&](std::uint64_t end) { return random_bits(seed, 9, index++) % end; };
        machines = static_cast<std::uint32_t>(2 + below(3));
        std::vector<std::vector<Operation>> of(machines);
        for (std::uint32_t from = 0; from < machines; ++from)
            for (std::uint32_t tag = 0; tag < 2; ++tag) {
                const std::uint64_t messages = from + tag == 0 ? 2 + below(3) : below(5);
                for (std::uint64_t i = 0; i < messages; ++i) {
                    const std::uint64_t size = 1 + below(3);
                    of[from].push_back({Kind::send, from, tag, size});
                    const std::uint32_t to = (from + 1) % machines;
                    of[to].push_back({Kind::receive, to, tag, below(4) == 0 ? size : 3});
                }
            }
        for (std::uint32_t m = 0; m < machines; ++m) {
            for (std::uint64_t i = below(4); i > 0; --i) of[m].push_back({Kind::compute, m, 0, below(9)});
            for (std::size_t i = of[m].size(); i > 1; --i) std::swap(of[m][i - 1], of[m][below(i)]);
            const auto first = static_cast<std::uint32_t>(operations.size());
            operations.insert(operations.end(), of[m].begin(), of[m].end());
            // Edges along a random order, so that most programs end; now and then one that closes a cycle.
            std::vector<std::uint32_t> shuffled(of[m].size());
            for (std::uint32_t i = 0; i < shuffled.size(); ++i) shuffled[i] = first + i;
            for (std::size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[below(i)]);
            std::optional<std::uint32_t> computed;  // computations in this order, one after another
            for (const std::uint32_t o : shuffled)
                if (operations[o].kind == Kind::compute) {
                    if (computed) order.emplace_back(*computed, o);
                    computed = o;
                }
            for (std::size_t i = 1; i < shuffled.size(); ++i)
                for (std::uint64_t edges = below(3); edges > 0; --edges) {
                    std::pair edge(shuffled[below(i)], shuffled[i]);
                    if (below(60) == 0) std::swap(edge.first, edge.second);
                    (below(3) == 0 ? start_order : order).push_back(edge);
                }
        }
    }

    std::string goal() const {
        std::string text = fmt::format("num_ranks {}\n", machines);
        for (std::uint32_t m = 0; m < machines; ++m) {
            text += fmt::format("rank {} {{\n", m);
            for (std::uint32_t o = 0; o < operations.size(); ++o) {
                const auto& [kind, machine, tag, size] = operations[o];
                if (machine != m) continue;
                if (kind == Kind::compute)
                    text += fmt::format("l{}: calc {}\n", o, size * 1000);
                else if (kind == Kind::send)
                    text +=
                        fmt::format("l{}: send {}b to {} tag {}\n", o, size * 125, (m + 1) % machines, tag);
                else
                    text += fmt::format("l{}: recv {}b from {} tag {}\n", o, size * 125,
                                        (m + machines - 1) % machines, tag);
            }
            for (const auto& [before, after] : order)
                if (operations[after].machine == m) text += fmt::format("l{} requires l{}\n", after, before);
            for (const auto& [before, after] : start_order)
                if (operations[after].machine == m) text += fmt::format("l{} irequires l{}\n", after, before);
            text += "}\n";
        }
        return text;
    }
};

/// Runs a RingProgram microsecond by microsecond, looking at everything in each of them.
class Reference {
  public:
    explicit Reference(const RingProgram& program)
        : p_(program),
          begun_(p_.operations.size(), never),
          done_(p_.operations.size(), never),
          machines_(p_.machines) {
        place_in_program();
    }

    /// When operations are complete; nothing: a message has no room; UINT64_MAX: never.
    std::optional<std::vector<std::uint64_t>> run() {
        for (now_ = 0; now_ < 1000; ++now_) {
            for (bool again = true; again;) {
                while (begin_one()) {
                }
                if (!fits_) return {};
                again = false;
                for (std::uint32_t m = 0; m < p_.machines; ++m) again = leave(m) || again;
            }
        }
        for (std::uint64_t& time : done_)
            if (time > now_) time = never;
        return done_;
    }

  private:
    using Kind = RingProgram::Kind;
    static constexpr std::uint64_t never = UINT64_MAX;
    struct Machine {
        std::vector<std::uint32_t> sends;  // begun, not left
        std::uint64_t port = 0,
                      down = 0;  // when its link to the switch, and the next one's from it, are free
        std::uint64_t computes = 0;
    };
    struct Channel {
        std::vector<std::uint32_t> sends, receives;  // in the order in which they match
    };

    /// By number, each after what it waits for.
    void place_in_program() {
        place_.assign(p_.operations.size(), never);
        for (std::uint64_t place = 0; place < place_.size(); ++place)
            for (std::uint32_t o = 0; o < place_.size(); ++o) {
                const auto waits = [&](const auto& edges) {
                    return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
                        return edge.second == o && place_[edge.first] == never;
                    });
                };
                if (place_[o] != never || waits(p_.order) || waits(p_.start_order)) continue;
                place_[o] = place;
                break;
            }
    }
    bool may_begin(std::uint32_t o) const {
        const auto all = [&](const auto& edges, const auto& times) {
            return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
                return edge.second != o || times[edge.first] <= now_;
            });
        };
        return begun_[o] == never && all(p_.order, done_) && all(p_.start_order, begun_);
    }
    bool begin_one() {
        std::optional<std::uint32_t> first;
        for (std::uint32_t o = 0; o < begun_.size(); ++o)
            if (may_begin(o) && (!first || place_[o] < place_[*first])) first = o;
        if (!first) return false;
        begin(*first);
        return true;
    }
    void begin(std::uint32_t o) {
        const auto& [kind, m, tag, size] = p_.operations[o];
        begun_[o] = now_;
        if (kind == Kind::compute) {
            done_[o] =
                size == 0 ? now_ : machines_[m].computes = std::max(machines_[m].computes, now_) + size;
            return;
        }
        const bool sends = kind == Kind::send;
        Channel& channel = channels_[{sends ? m : (m + p_.machines - 1) % p_.machines, tag}];
        (sends ? machines_[m].sends : channel.receives).push_back(o);
        for (std::size_t i = 0; i < std::min(channel.sends.size(), channel.receives.size()); ++i)
            settle(channel, i);
    }
    /// The receive is complete when its message is there. It is found too small when that comes.
    void settle(const Channel& channel, std::size_t i) {
        const std::uint32_t send = channel.sends[i], receive = channel.receives[i];
        const auto arrived = arrives_.find(send);
        if (arrived == arrives_.end()) return;
        if (p_.operations[send].size > p_.operations[receive].size) fits_ = false;
        done_[receive] = std::max(arrived->second, begun_[receive]);
    }
    /// The next message goes, if the port is free: what started first, and of what started at the same time
    /// what comes first in the program.
    bool leave(std::uint32_t m) {
        Machine& machine = machines_[m];
        if (machine.port > now_ || machine.sends.empty()) return false;
        const auto first = std::min_element(machine.sends.begin(), machine.sends.end(), [&](auto a, auto b) {
            return std::pair(begun_[a], place_[a]) < std::pair(begun_[b], place_[b]);
        });
        const std::uint32_t send = *first;
        machine.sends.erase(first);
        const auto& [kind, from, tag, size] = p_.operations[send];
        done_[send] = now_;
        machine.port = now_ + size;
        machine.down = std::max(machine.port, machine.down) + size;
        arrives_[send] = machine.down;
        Channel& channel = channels_[{m, tag}];
        channel.sends.push_back(send);
        for (std::size_t i = 0; i < std::min(channel.sends.size(), channel.receives.size()); ++i)
            settle(channel, i);
        return true;
    }

    const RingProgram& p_;
    std::uint64_t now_ = 0;
    bool fits_ = true;
    std::vector<std::uint64_t> begun_, done_, place_;
    std::vector<Machine> machines_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Channel> channels_;  // of sender and tag
    std::map<std::uint32_t, std::uint64_t> arrives_;                       // [send]
};

TEST(Matching, IsThatOfABruteForceReference) {
    OneSwitch two(2, 375), three(3, 375), four(4, 375);
    std::map<std::string, std::uint32_t> outcomes;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        const RingProgram program(seed);
        SCOPED_TRACE(fmt::format("seed {}:\n{}", seed, program.goal()));
        const OneSwitch& c = program.machines == 2 ? two : program.machines == 3 ? three : four;
        const auto expected = Reference(program).run();
        const bool stuck = expected && std::count(expected->begin(), expected->end(), UINT64_MAX) > 0;
        const std::string outcome = !expected ? "no room" : stuck ? "stuck" : "ran";
        ++outcomes[outcome];
        if (outcome == "ran")
            EXPECT_EQ(c.run(program.goal()), *expected);
        else
            EXPECT_THAT(c.refusal(program.goal()), testing::HasSubstr(stuck ? "is stuck" : "a recv of "));
        if (HasFailure()) return;
    }
    for (const char* outcome : {"no room", "stuck", "ran"}) EXPECT_GT(outcomes[outcome], 100U) << outcome;
}

}  // namespace
}  // namespace interlace
