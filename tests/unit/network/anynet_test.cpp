// Interlace: networks from BookSim2's anynet listings
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/anynet.h"

#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "interlace/core/error.h"
#include "interlace/network/export.h"
#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

/// [from, to]: latency.
using Latencies = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

Latencies latencies_of(const Network& network) {
    Latencies all;
    for (std::uint32_t e = 0; e < network.link_count(); ++e)
        all[{network.origin(LinkId{e}), network.target(LinkId{e})}] = network.latency(LinkId{e});
    return all;
}

Network read_listing(const std::string& text) {
    const TemporaryFile file(text);
    return read_anynet("a", file.path());
}

// BookSim2's own examples (networks/anynet.cpp): from router 0 to router 1 it takes 15 cycles and back 1, as
// nothing is listed; links to nodes take as long both ways.
TEST(Anynet, HasLatenciesAsBookSimHasThem) {
    const Network direct =
        read_listing("router 0 router 1 15 router 2\nrouter 0 node 0\nnode 1 router 1\nrouter 2 node 2\n");
    EXPECT_EQ(direct.name(), "a");
    EXPECT_FALSE(direct.has_switches());
    EXPECT_EQ(latencies_of(direct), (Latencies{{{0, 1}, 15}, {{1, 0}, 1}, {{0, 2}, 1}, {{2, 0}, 1}}));
    const Network machines = read_listing("router 0 node 0 node 1 5 node 2 5\n");
    EXPECT_EQ(machines.endpoint_count(), 3U);
    EXPECT_EQ(latencies_of(machines),
              (Latencies{{{0, 3}, 1}, {{3, 0}, 1}, {{1, 3}, 5}, {{3, 1}, 5}, {{2, 3}, 5}, {{3, 2}, 5}}));
}

// A router without a node, one with two, links listed from both ends, blanks.
TEST(Anynet, NumbersMachinesAndThenRouters) {
    const Network network = read_listing(
        "\n  router 2 node 1\tnode 0 router 0 3\r\nrouter 0 router 2 4 router 1\n\nrouter 1 router 0 node "
        "2\n");
    EXPECT_EQ(network.endpoint_count(), 3U);
    EXPECT_EQ(network.node_count(), 6U);
    EXPECT_EQ(latencies_of(network), (Latencies{{{0, 5}, 1},
                                                {{5, 0}, 1},
                                                {{1, 5}, 1},
                                                {{5, 1}, 1},
                                                {{2, 4}, 1},
                                                {{4, 2}, 1},
                                                {{5, 3}, 3},
                                                {{3, 5}, 4},
                                                {{3, 4}, 1},
                                                {{4, 3}, 1}}));
}

TEST(Anynet, NumbersHostsByTheirNodes) {
    const Network network = read_listing("router 0 node 1 router 1 7\nrouter 1 node 0\n");
    EXPECT_EQ(latencies_of(network), (Latencies{{{1, 0}, 7}, {{0, 1}, 1}}));
}

TEST(Anynet, IsWrittenAsItIsRead) {
    for (const char* name : {"torus:4x3", "fattree:4", "dragonfly:2,1,2", "hypercube:3"}) {
        const Network network = make_network(name);
        std::ostringstream out;
        write_graph(out, network, GraphForm::anynet);
        const Network again = read_listing(out.str());
        EXPECT_EQ(again.endpoint_count(), network.endpoint_count()) << name;
        Latencies ones = latencies_of(network);
        for (auto& [link, latency] : ones) latency = 1;
        EXPECT_EQ(latencies_of(again), ones) << name;
    }
    const Network timed = read_listing("router 0 node 0 2 node 1 router 1 9\nrouter 1 node 2\n");
    std::ostringstream out;
    write_graph(out, timed, GraphForm::anynet);
    EXPECT_EQ(latencies_of(read_listing(out.str())), latencies_of(timed));
    EXPECT_THAT(
        error_of([] {
            std::ostringstream text;
            write_graph(
                text,
                Network("ring", {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{2}}, {NodeId{2}, NodeId{0}}}),
                GraphForm::anynet);
        }),
        testing::HasSubstr("no link from 1 to 0"));
}

TEST(Anynet, RefusesWithTheLine) {
    const struct {
        const char *text, *error;
    } all[] = {
        {"router 0 node 0\nnode 0 node 1\n", ":2: node 0 leads to node 1"},
        {"switch 0 node 0\n", ":1: cannot use 'switch'; expected router or node, and its number"},
        {"router 0 node 0\nrouter x\n", ":2: cannot use router 'x'"},
        {"router 0 node\n", ":1: cannot use node ''"},
        {"router 0 node 0 5 6\n", ":1: cannot use '6'"},
        {"router 0 node 0 0\n", ":1: cannot use latency '0'; expected a whole number from 1 to 10000"},
        {"router 0 node 0 router 1\nrouter 1 node 0\n",
         ":2: node 0 has links to routers 0 and 1; expected one router"},
        {"router 0 router 0\n", ":1: a link leads from router 0 to itself"},
        {"router 0 router 1 3\nrouter 0 router 1 4\n",
         ":2: the link from router 0 to router 1 has latencies 3 and 4"},
        {"", ": there are no links"},
        {"router 0 node 0 node 2\n", ": there is a node 2, but no node 1"},
        {"router 0 node 0 node 1 router 2\n", ": there is a router 2, but router 1 has no link"},
        {"router 0 node 0\n", ": there are 1 nodes; expected two or more"},
    };
    for (const auto& [text, expected] : all) {
        const TemporaryFile file(text);
        EXPECT_THAT(error_of([&] { read_anynet("a", file.path()); }),
                    testing::StartsWith(file.path() + expected));
    }
}

}  // namespace
}  // namespace interlace
