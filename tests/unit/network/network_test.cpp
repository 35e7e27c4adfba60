// Interlace: networks from a user's file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/network.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "interlace/core/error.h"
#include "interlace/network/metrics.h"
#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

TEST(GraphFile, ARowIsOneDirectedLink) {
    const TemporaryFile file("from,to\n0,1\n1,2\r\n2,0\n\n");
    const Network network = make_network("graph:" + file.path());
    EXPECT_EQ(network.node_count(), 3U);
    EXPECT_EQ(network.link_count(), 3U);
    EXPECT_TRUE(network.link(NodeId{2}, NodeId{0}));
    EXPECT_FALSE(network.link(NodeId{0}, NodeId{2}));
    EXPECT_EQ(measure_network(network).diameter, 2U);
}

TEST(GraphFile, ErrorsNameFileAndLine) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"a,b\n0,1\n", ":1: cannot use header"},
        {"from,to\n0,1\n0;1\n", ":3: cannot use row"},
        {"from,to\n0,x\n", ":2: to: cannot use value 'x'"},
        {"from,to\n1,1\n", ":2: a link leads from node 1 to itself"},
        {"from,to\n0,1\n1,0\n0,1\n", ":4: there is a second link from node 0 to node 1"},
        {"from,to\n", "no links"},
        {"from,to\n0,2147483648\n", ":2: to: cannot use value '2147483648'"}};
    for (const auto& [text, says] : cases) {
        const TemporaryFile file(text);
        try {
            make_network("graph:" + file.path());
            FAIL() << text;
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr(says));
        }
    }
}

// Whatever the highest number, no memory is taken for nodes that the file does not have.
TEST(GraphFile, NodesAreNumberedFrom0WithoutAGap) {
    const auto refusal = [](const std::string& rows) {
        const TemporaryFile file("from,to\n" + rows);
        return error_of([&] { make_network("graph:" + file.path()); });
    };
    const char* expected = "; expected nodes numbered from 0 without a gap";
    using testing::EndsWith;
    EXPECT_THAT(refusal("134217727,0\n0,134217727\n"),
                EndsWith(std::string(": node 1 has no link, but node 134217727 has one") + expected));
    EXPECT_THAT(refusal("1,2\n2,1\n2,3\n3,2\n3,1\n1,3\n"),
                EndsWith(std::string(": node 0 has no link, but node 3 has one") + expected));
    EXPECT_THAT(refusal("0,1\n1,3\n3,0\n"),
                EndsWith(std::string(": node 2 has no link, but node 3 has one") + expected));
    const TemporaryFile file("from,to\n3,2\n1,0\n");
    EXPECT_EQ(make_network("graph:" + file.path()).node_count(), 4U);
}

TEST(GraphFile, MetricsRefuseANetworkThatIsNotStronglyConnected) {
    const TemporaryFile file("from,to\n0,1\n");
    EXPECT_THROW(measure_network(make_network("graph:" + file.path())), InputError);
}

TEST(Network, RefusesALinkThatIsNotThere) {
    const Network path = make_network("mesh:3");
    EXPECT_EQ(path.target(path.link_between(NodeId{1}, NodeId{2})), NodeId{2});
    for (const auto& [from, to] : {std::pair{0U, 2U}, {2U, 0U}, {1U, 1U}, {3U, 0U}, {0U, 3U}})
        EXPECT_THAT(error_of([&, a = from, b = to] { path.link_between(NodeId{a}, NodeId{b}); }),
                    testing::HasSubstr(fmt::format("no link from node {} to node {}", from, to)));
}

TEST(ParseNode, TakesNumbersAndCoordinates) {
    const Network network = make_network("torus:8x4");
    EXPECT_EQ(parse_node(network, "31"), 31U);
    EXPECT_EQ(parse_node(network, "3,2"), 19U);
    for (const char* wrong : {"32", "8,0", "0,4", "1,2,3", "x", ""})
        EXPECT_THROW(parse_node(network, wrong), InputError) << wrong;
}

TEST(IncomingLinks, AreTheReverseOfTheOutputs) {
    const Network network = make_network("ibt:12x12:b=4");
    const IncomingLinks incoming(network);
    std::size_t count = 0;
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (std::size_t i = 0; i < incoming.links_into(NodeId{v}).size(); ++i, ++count) {
            const LinkId link = incoming.links_into(NodeId{v})[i];
            EXPECT_EQ(network.target(link), v);
            EXPECT_EQ(network.origin(link), incoming.senders_to(NodeId{v})[i]);
        }
    EXPECT_EQ(count, network.link_count());
}

}  // namespace
}  // namespace interlace
