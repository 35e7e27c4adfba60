// Interlace: the checker of message programs finds each kind of fault
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check_messages.h"

#include <gmock/gmock.h>

#include "interlace/program/protocol.h"

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

TEST(CheckMessages, FindsACycleAMissingBlockAndADoubledOne) {
    Relay relay;
    relay.program.require(relay.second, relay.received);
    Relay cycle = relay;
    cycle.program.require(cycle.received, cycle.second);
    EXPECT_THAT(fault_of(cycle.program, has, needs), HasSubstr("operations never complete"));
    EXPECT_THAT(fault_of(relay.program, has, {{0}, {0}, {0, 7}}),
                HasSubstr("machine 2 ends without block 7"));
    EXPECT_THAT(fault_of(relay.program, {{0}, {}, {0}}, needs), HasSubstr("block 0 reaches machine 2 twice"));
}

/// n0 sends blocks 0 and 1 to n1 in messages of one envelope, in which the receive of `short_room` bytes
/// names the first.
struct Envelope {
    MessageProgram program;
    OperationId first, second, one, two;
    explicit Envelope(std::uint64_t short_room) {
        program.machines = 2;
        first = program.send({n0, n1, 8, {0}});
        second = program.send({n0, n1, 100, {1}});
        one = program.receive(MessageId{0});
        two = program.receive(MessageId{1});
        program.matching.envelopes = {0, 0};
        program.matching.room = {UINT64_MAX, UINT64_MAX, short_room, 100};
    }
    std::string fault() const { return fault_of(program, {{0, 1}, {}}, {{0, 1}, {0, 1}}); }
};

TEST(CheckMessages, FindsEnvelopesWhosePairsDependOnTime) {
    Envelope envelope(100);
    EXPECT_THAT(envelope.fault(), HasSubstr("operations 0 and 1 of one envelope may start in either order"));
    envelope.program.require(envelope.second, envelope.first);
    EXPECT_THAT(envelope.fault(), HasSubstr("operations 2 and 3 of one envelope may start in either order"));
    envelope.program.start_order.emplace_back(envelope.one, envelope.two);
    EXPECT_EQ(envelope.fault(), "");
}

TEST(CheckMessages, PairsAnEnvelopesSendsAndReceivesAsTheyStart) {
    Envelope envelope(8);
    envelope.program.require(envelope.first, envelope.second);  // the long message starts first
    envelope.program.require(envelope.two, envelope.one);
    EXPECT_THAT(envelope.fault(), HasSubstr("operation 2 has no room for message 1"));
    envelope.program.order.back() = {envelope.two, envelope.one};
    EXPECT_EQ(envelope.fault(), "");
    // What comes after the receive of the first message that starts may send it on, and not the other.
    envelope.program.machines = 3;
    const OperationId on = envelope.program.send({n1, n2, 100, {1}});
    envelope.program.receive(envelope.program.message_of(on));
    envelope.program.require(on, envelope.two);
    EXPECT_EQ(fault_of(envelope.program, {{0, 1}, {}, {}}, {{}, {0, 1}, {1}}), "");
    envelope.program.messages.back().blocks = {0};
    EXPECT_THAT(fault_of(envelope.program, {{0, 1}, {}, {}}, {{}, {0, 1}, {0}}),
                HasSubstr("machine 1 sends block 0"));
}

TEST(CheckMessages, PairsByTheQuestionsOfARendezvous) {
    Envelope envelope(8);
    envelope.program.require(envelope.first, envelope.second);
    envelope.program.require(envelope.one, envelope.two);
    const MessageProgram passed = with_rendezvous(envelope.program, 50);  // of the long one
    EXPECT_EQ(fault_of(passed, {{0, 1}, {}}, {{0, 1}, {0, 1}}), "");
}

}  // namespace
}  // namespace interlace
