// Interlace: networks from GML
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/gml.h"

#include <gtest/gtest.h>

#include <set>

#include "interlace/core/error.h"
#include "support/error_of.h"
#include "support/links_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using test::links_of;
using LinkSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Network read_text(const std::string& text) {
    const TemporaryFile file(text);
    return read_gml("g", file.path());
}

// As the Topology Zoo and NetworkX write it: lists in lists, texts with brackets and line breaks, reals, and
// edges before nodes.
const std::string as_others_write = R"(# a comment with [
Creator "somebody"
graph [
  edge [ source 7 target 3 LinkLabel "10 [Gbit/s]
    # no comment" ]
  node [ id 7 label "Z" Latitude 47.37 graphics [ x 1e3 center [ y -2 ] ] ]
  node [ id 3 ]  # the second
  node [
    id 0
  ]
  edge [
    target 0
    source 3
  ]
)";

TEST(Gml, NumbersNodesInTheirOrder) {
    const Network both = read_text(as_others_write + "]");
    EXPECT_EQ(both.name(), "g");
    EXPECT_EQ(both.node_count(), 3U);
    EXPECT_FALSE(both.has_switches());
    EXPECT_EQ(links_of(both), (LinkSet{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
    EXPECT_EQ(links_of(read_text("\xef\xbb\xbf" + as_others_write + "directed 1]\n")),
              (LinkSet{{0, 1}, {1, 2}}));
    EXPECT_EQ(links_of(read_text("Version 1 graph[node[id 0]node[id 1]edge[source 0 target 1]]")),
              (LinkSet{{0, 1}, {1, 0}}));
}

TEST(Gml, HasSwitchesAndLatencies) {
    const Network network = read_text(
        "graph [ node [ id 5 kind \"switch\" ] node [ id 6 ] node [ id 7 kind \"machine\" ]\n"
        "edge [ source 6 target 5 latency 12 ] edge [ source 5 target 7 ] ]");
    EXPECT_EQ(network.endpoint_count(), 2U);  // 6 and 7 are nodes 0 and 1, 5 is node 2
    EXPECT_EQ(links_of(network), (LinkSet{{0, 2}, {2, 0}, {1, 2}, {2, 1}}));
    EXPECT_EQ(network.latency(network.link_between(NodeId{0}, NodeId{2})), 12U);
    EXPECT_EQ(network.latency(network.link_between(NodeId{2}, NodeId{0})), 12U);
    EXPECT_EQ(network.latency(network.link_between(NodeId{1}, NodeId{2})), 0U);
}

TEST(Gml, RefusesWithTheLine) {
    const auto refused = [](const std::string& text) {
        const TemporaryFile file(text);
        const std::string error = error_of([&] { read_gml("g", file.path()); });
        EXPECT_TRUE(error.starts_with(file.path())) << error;
        return error.substr(file.path().size());
    };
    EXPECT_EQ(refused(""), ":1: there is no graph; expected graph [ node [ id 0 ] ... ]");
    EXPECT_EQ(refused("graph [\n]"), ": there are no links; expected at least one edge");
    EXPECT_EQ(refused("graph [\n node [ id 1\n"), ":3: a list does not end; expected ']'");
    EXPECT_EQ(refused("graph [ ]\n]"), ":2: ']' ends no list; expected a key");
    EXPECT_EQ(refused("graph [ ]\ngraph [ ]"), ":2: there is a second graph; expected one graph");
    EXPECT_EQ(refused("graph [ x\n\"y ]"), ":2: the text of x does not end; expected a '\"' behind it");
    EXPECT_EQ(refused("graph [\n 12 3 ]"), ":2: cannot use '12'; expected a key, as in 'node [ id 0 ]'");
    EXPECT_EQ(refused("graph [ node [ id ] ]"),
              ":1: cannot use ']' for id; expected a number, a text in quotes, or a list in [ ]");
    EXPECT_EQ(refused("graph"), ":1: graph has no value; expected a value");
    EXPECT_EQ(refused("graph [ directed 2 ]"),
              ":1: cannot use directed '2'; expected a whole number from 0 to 1");
    EXPECT_EQ(refused("graph [\n node [ id a ] ]"),
              ":2: cannot use id 'a'; expected a whole number from 0 to 4294967295");
    EXPECT_EQ(refused("graph [\n node [\n label \"x\" ] ]"), ":2: a node has no id; expected node [ id 0 ]");
    EXPECT_EQ(refused("graph [ node [ id 4 ]\n node [\n id 4 ] ]"),
              ":2: there is a second node 4; expected a node of each id");
    const std::string nodes = "graph [ node [ id 4 ] node [ id 5 ]\n";
    EXPECT_EQ(refused(nodes + "edge [ source 4\n ] ]"),
              ":2: an edge has no source or no target; expected edge [ source 0 target 1 ]");
    EXPECT_EQ(refused(nodes + "edge [ source 4\n target 6 ] ]"),
              ":2: target 6 is not a node; expected the id of a node");
    EXPECT_EQ(refused(nodes + "edge [ source 4 target 4 ] ]"),
              ":2: a link leads from node 4 to itself; expected two different nodes");
    EXPECT_EQ(refused(nodes + "edge [ source 4 target 5 ]\nedge [ source 5 target 4 ] ]"),
              ":3: there is a second link from node 5 to node 4; expected each link once: a network has no "
              "parallel "
              "links");
}

}  // namespace
}  // namespace interlace
