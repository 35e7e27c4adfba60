// Interlace: networks from GraphML, and back
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/graphml.h"

#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "interlace/core/error.h"
#include "interlace/network/export.h"
#include "interlace/network/metrics.h"
#include "support/error_of.h"
#include "support/links_of.h"
#include "support/random_graph.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using test::links_of;
using testing::HasSubstr;
using LinkSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Network read(const std::string& text) {
    const TemporaryFile file(text);
    return read_graphml("g", file.path());
}

/// `body` in a graph of this edgedefault, its first line being line 1.
std::string graph(const std::string& edgedefault, const std::string& body) {
    return R"(<graphml><graph edgedefault=")" + edgedefault + "\">" + body + "</graph></graphml>\n";
}

const std::string three_nodes = "<node id='zürich'/><node id=''/><node id='0'/>";

TEST(GraphMl, NumbersNodesAsTheyAppear) {
    const std::string edges = "<edge source='0' target='zürich'/><edge source='zürich' target=''/>";
    const Network directed = read(graph("directed", edges + three_nodes));
    EXPECT_EQ(directed.node_count(), 3U);
    EXPECT_EQ(directed.name(), "g");
    EXPECT_FALSE(directed.has_switches());
    EXPECT_EQ(links_of(directed), (LinkSet{{2, 0}, {0, 1}}));
    EXPECT_EQ(links_of(read(graph("undirected", three_nodes + edges))),
              (LinkSet{{2, 0}, {0, 2}, {0, 1}, {1, 0}}));
}

// yEd, NetworkX and others leave the prefix out; what declares the namespace with one has it at each element.
TEST(GraphMl, MayHaveAPrefix) {
    const std::string text =
        "<g:graphml xmlns:g='http://graphml.graphdrawing.org/xmlns'><g:key id='k'/>"
        "<g:graph edgedefault='directed'><g:node id='a'><g:data key='k'/></g:node><g:node id='b'/>"
        "<g:edge source='a' target='b'/></g:graph></g:graphml>";
    EXPECT_EQ(links_of(read(text)), (LinkSet{{0, 1}}));
    std::string second = text;
    second.replace(second.find("</g:graphml>"), 0, "\n<g:graph/>");
    const TemporaryFile file(second);
    EXPECT_EQ(error_of([&] { read_graphml("g", file.path()); }),
              file.path() + ":2: there is a second graph; expected one graph");
}

TEST(GraphMl, MayBeUtf16) {
    const std::string text = graph("undirected", "<node id='a'/><node id='b'/><edge source='a' target='b'/>");
    for (const bool little : {true, false}) {
        std::string wide = little ? "\xff\xfe" : "\xfe\xff";
        for (const char c : text) wide += little ? std::string{c, '\0'} : std::string{'\0', c};
        EXPECT_EQ(links_of(read(wide)), (LinkSet{{0, 1}, {1, 0}})) << little;
        const TemporaryFile file(wide + "x");
        EXPECT_EQ(error_of([&] { read_graphml("g", file.path()); }),
                  file.path() + ": byte " + std::to_string(wide.size()) +
                      " is no UTF-16; expected UTF-8, or UTF-16 as its byte order mark says");
    }
}

// tinyxml2 takes a minute and a half for 300,000 attributes of an element; what only looks like some is none.
TEST(GraphMl, AnElementHasAThousandAttributesAtMost) {
    const auto node = [](int attributes) {
        std::string element = "<node id='0'";
        for (int i = 1; i < attributes; ++i) element += " a" + std::to_string(i) + "='x'";
        return element + "/>";
    };
    const std::string edge = "<node id='1'/><edge source='0' target='1'/>";
    std::string signs;
    for (int i = 0; i < 2'000; ++i) signs += "=";
    const std::string others =
        "<!-- <" + signs + " --><data k='\">" + signs + "'>" + signs + "<![CDATA[<a " + signs + "]]></data>";
    EXPECT_EQ(read(graph("directed", node(1'000) + others + edge)).node_count(), 2U);
    EXPECT_THAT(error_of([&] { read(graph("directed", "\n" + others + node(300'000) + edge)); }),
                HasSubstr(":2: an element has 300000 attributes; expected at most 1000"));
}

TEST(GraphMl, AnEdgesOwnDirectionGoesBeforeTheDefault) {
    const std::string edges =
        "<edge source='0' target='' directed='false'/><edge source='0' target='zürich' "
        "directed='true'/><edge source='' target='zürich'/>";
    EXPECT_EQ(links_of(read(graph("directed", three_nodes + edges))),
              (LinkSet{{2, 1}, {1, 2}, {2, 0}, {1, 0}}));
    EXPECT_EQ(links_of(read(graph("undirected", three_nodes + edges))),
              (LinkSet{{2, 1}, {1, 2}, {2, 0}, {1, 0}, {0, 1}}));
}

// As yEd, Gephi and others write it: a byte order mark, a document type, comments, namespaces' attributes,
// keys, data of all kinds, ports, CDATA.
TEST(GraphMl, TakesWhatOthersWrite) {
    const Network network = read(
        "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!-- made by hand -->\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
        "xmlns:y=\"http://www.yworks.com/xml/graphml\">\n"
        "  <key for=\"node\" id=\"d1\" yfiles.type=\"nodegraphics\"><default>1</default></key>\n"
        "  <graph edgedefault=\"directed\" id=\"G\" parse.order=\"free\">\n    <data key=\"d0\"/>\n"
        "    <node id=\"n0\"><data key=\"d1\"><y:ShapeNode><y:Fill color=\"#FFCC00\"/></y:ShapeNode></data>"
        "<port name=\"North\"/></node>\n"
        "    <node id=\"n&amp;1\"><desc><![CDATA[<edge>]]></desc></node>\n"
        "    <edge id=\"e0\" source=\"n0\" sourceport=\"North\" target=\"n&#38;1\"/>\n  </graph>\n"
        "  <data key=\"d2\"/>\n</graphml>\n");
    EXPECT_EQ(links_of(network), (LinkSet{{0, 1}}));
}

// A node without links counts, and is told when the network is measured.
TEST(GraphMl, KeepsNodesWithoutLinks) {
    const Network network =
        read(graph("undirected", "<node id='a'/><node id='b'/><node id='c'/><edge source='a' target='b'/>"));
    EXPECT_EQ(network.node_count(), 3U);
    EXPECT_EQ(network.degree(NodeId{2}), 0U);
    EXPECT_THROW(measure_network(network), InputError);
}

TEST(GraphMl, ErrorsNameFileAndLine) {
    const std::string two = "<node id='a'/><node id='b'/>\n";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", ":1: this is not XML: empty document"},
        {"from,to\n0,1\n", ":1: this is not XML: "},
        {"<!-- empty -->", "not XML: no element"},
        {"<?xml version='1.0'?>", "not XML: no element"},
        {"<graphml>\n<graph>\n</graphml>", "not XML: mismatched element"},
        {"<gexf>\n</gexf>", ":1: cannot use element 'gexf'; expected graphml"},
        {"\n<graphml/>", ":2: graphml has no graph"},
        {"<graphml>\n<graph/></graphml>", ":2: graph has no edgedefault"},
        {"<graphml><graph edgedefault='directed'/>\n<graph/></graphml>", ":2: there is a second graph"},
        {graph("both", ""), ":1: cannot use edgedefault 'both'; expected directed or undirected"},
        {graph("directed", two), "no links"},
        {graph("directed", two + "<node id='a'/>"), ":2: there is a second node 'a'"},
        {graph("directed", two + "<node/>"), ":2: node has no id"},
        {graph("directed", two + "<node id='c'>\n<graph/></node>"), ":2: there is a graph in the node 'c'"},
        {graph("directed", two + "<hyperedge/>"), ":2: cannot use element 'hyperedge'; expected node, edge"},
        {graph("directed", two + "\n<edge source='a' target='x'/>"), ":3: target 'x' is not a node"},
        {graph("directed", two + "<edge source='a'/>"), ":2: edge has no target"},
        {graph("directed", two + "<edge source='a' target='a'/>"),
         ":2: a link leads from node 'a' to itself"},
        {graph("directed", two + "<edge source='a' target='b'/>\n<edge source='a' target='b'/>"),
         ":3: there is a second link from node 'a' to node 'b'"},
        {graph("undirected", two + "<edge source='a' target='b'/>\n<edge source='b' target='a'/>"),
         ":3: there is a second link from node 'b' to node 'a'"},
        {graph("directed", two + "<edge source='a' target='b' directed='no'/>"),
         ":2: cannot use directed 'no'"}};
    for (const auto& [text, says] : cases) {
        const TemporaryFile file(text);
        const std::string error = error_of([&] { read_graphml("g", file.path()); });
        EXPECT_THAT(error, HasSubstr(file.path())) << text;
        EXPECT_THAT(error, HasSubstr(says)) << text;
        EXPECT_THAT(error, HasSubstr("; expected ")) << text;
    }
    EXPECT_THROW(read_graphml("g", "/nowhere.graphml"), InputError);
    EXPECT_THROW(read_graphml("g", "/tmp"), InputError);
}

TEST(GraphMl, NestingHasAnEnd) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "<data>";
    EXPECT_THAT(error_of([&] { read(graph("directed", deep)); }), HasSubstr("not XML"));
}

// What --export writes of a network is the same network, node by node and link by link.
TEST(GraphMl, ReadsEveryNetworkThatIsWritten) {
    std::vector<Network> networks;
    for (const char* name :
         {"torus:5", "torus:4x3", "torus:3x4x5", "torus:3x3x3x3x3", "mesh:6", "mesh:3x4x5", "ibt:12x12:b=4",
          "ibt:16x16:b=4,8", "ibt:8x8:b=4", "ibt:6x12x6:b=3", "cluster:figure1", "cluster:topology_d"})
        networks.push_back(make_network(name));
    for (std::uint64_t seed = 0; seed < 10; ++seed) networks.push_back(random_graph(20, 30, seed));
    for (const Network& network : networks) {
        std::ostringstream out;
        write_graph(out, network, GraphForm::graphml);
        const TemporaryFile file(out.str());
        const Network read = read_graphml("g", file.path());
        EXPECT_EQ(read.node_count(), network.node_count()) << network.name();
        EXPECT_EQ(links_of(read), links_of(network)) << network.name();
    }
}

TEST(GraphMl, IsKnownByTheFilesName) {
    const std::string path = testing::TempDir() + "interlace-graph.graphml";
    std::ofstream(path) << graph("undirected", "<node id='a'/><node id='b'/><edge source='a' target='b'/>");
    const Network network = make_network("graph:" + path);
    EXPECT_EQ(network.link_count(), 2U);
    EXPECT_EQ(network.name(), "graph:" + path);
    std::remove(path.c_str());
}

}  // namespace
}  // namespace interlace
