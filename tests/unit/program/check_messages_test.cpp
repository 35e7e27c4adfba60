// Interlace: the checker of message programs finds each kind of fault
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check_messages.h"

#include <gmock/gmock.h>

namespace interlace {
namespace {

using testing::HasSubstr;

constexpr NodeId n0{0}, n1{1}, n2{2};
const std::vector<std::vector<std::uint32_t>> has = {{0}, {}, {}};
const std::vector<std::vector<std::uint32_t>> needs = {{0}, {0}, {0}};

/// n0 sends block 0 to n1, which sends it on to n2.
struct Relay {
    MessageProgram program;
    OperationId first, received, second, last;
    Relay() {
        program.machines = 3;
        first = program.send({n0, n1, 8, {0}});
        received = program.receive(program.message_of(first));
        second = program.send({n1, n2, 8, {0}});
        last = program.receive(program.message_of(second));
    }
};

TEST(CheckMessages, AcceptsARelayThatWaits) {
    Relay relay;
    relay.program.require(relay.second, relay.received);
    EXPECT_EQ(fault_of(relay.program, has, needs), "");
}

TEST(CheckMessages, FindsASendThatDoesNotWaitForItsBlock) {
    const Relay relay;
    EXPECT_THAT(fault_of(relay.program, has, needs), HasSubstr("machine 1 sends block 0"));
}

TEST(CheckMessages, FindsAMissingReceiveAndADoubledOne) {
    Relay relay;
    relay.program.require(relay.second, relay.received);
    Relay doubled = relay;
    doubled.program.receive(MessageId{1});
    EXPECT_THAT(fault_of(doubled.program, has, needs), HasSubstr("message 1 is received twice"));
    relay.program.operations.pop_back();
    EXPECT_THAT(fault_of(relay.program, has, needs), HasSubstr("nobody receives message 1"));
}

TEST(CheckMessages, FindsACircleAMissingBlockAndADoubledOne) {
    Relay relay;
    relay.program.require(relay.second, relay.received);
    Relay circle = relay;
    circle.program.require(circle.received, circle.second);
    EXPECT_THAT(fault_of(circle.program, has, needs), HasSubstr("operations never complete"));
    EXPECT_THAT(fault_of(relay.program, has, {{0}, {0}, {0, 7}}),
                HasSubstr("machine 2 ends without block 7"));
    EXPECT_THAT(fault_of(relay.program, {{0}, {}, {0}}, needs), HasSubstr("block 0 reaches machine 2 twice"));
}

}  // namespace
}  // namespace interlace
