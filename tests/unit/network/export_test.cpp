// Interlace: networks written for other programs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/export.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "interlace/core/error.h"
#include "support/links_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using test::links_of;
using testing::HasSubstr;

std::string written(const Network& network, GraphForm form) {
    std::ostringstream out;
    write_graph(out, network, form);
    return out.str();
}

// Of a directed triangle by hand.
const Network& triangle() {
    static const Network network("a \"triangle\" <&>",
                                 {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{2}}, {NodeId{2}, NodeId{0}}});
    return network;
}

TEST(Export, WritesATriangleAsEachFormWantsIt) {
    EXPECT_EQ(written(triangle(), GraphForm::csv), "from,to\n0,1\n1,2\n2,0\n");
    EXPECT_EQ(written(triangle(), GraphForm::dot),
              "digraph \"a _triangle_ ___\" {\n  0;\n  1;\n  2;\n"
              "  0 -> 1 [port=0, name=\"port 0\"];\n"
              "  1 -> 2 [port=0, name=\"port 0\"];\n"
              "  2 -> 0 [port=0, name=\"port 0\"];\n}\n");
    EXPECT_EQ(written(triangle(), GraphForm::graphml),
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
              "  <key id=\"port\" for=\"edge\" attr.name=\"port\" attr.type=\"int\"/>\n"
              "  <key id=\"name\" for=\"edge\" attr.name=\"name\" attr.type=\"string\"/>\n"
              "  <graph edgedefault=\"directed\">\n    <desc>a _triangle_ ___</desc>\n"
              "    <node id=\"0\"></node>\n    <node id=\"1\"></node>\n    <node id=\"2\"></node>\n"
              "    <edge source=\"0\" target=\"1\"><data key=\"port\">0</data><data key=\"name\">port "
              "0</data></edge>\n"
              "    <edge source=\"1\" target=\"2\"><data key=\"port\">0</data><data key=\"name\">port "
              "0</data></edge>\n"
              "    <edge source=\"2\" target=\"0\"><data key=\"port\">0</data><data key=\"name\">port "
              "0</data></edge>\n"
              "  </graph>\n</graphml>\n");
}

// A machine on each side of a switch, and a link of 4 cycles to the second one.
TEST(Export, KeepsSwitchesAndLatencies) {
    const Network network("g",
                          {{NodeId{0}, NodeId{2}, {}},
                           {NodeId{2}, NodeId{0}, {}},
                           {NodeId{1}, NodeId{2}, {}},
                           {NodeId{2}, NodeId{1}, {}, 4}},
                          2, 3);
    const std::string csv = "from,to,latency\n0,2,\n1,2,\n2,0,\n2,1,4\n";
    EXPECT_EQ(written(network, GraphForm::csv), csv);
    const TemporaryFile as_csv(csv, ".csv"), as_graphml(written(network, GraphForm::graphml), ".graphml");
    for (const std::string& again : {as_csv.path() + ":hosts=2", as_graphml.path()}) {
        const Network read = make_network("graph:" + again);
        EXPECT_EQ(read.endpoint_count(), 2U);
        EXPECT_EQ(written(read, GraphForm::csv), csv) << again;
    }
    EXPECT_THAT(written(network, GraphForm::dot), HasSubstr("2 -> 1 [port=1, name=\"port 1\", latency=4];"));
    EXPECT_FALSE(make_network("graph:" + as_csv.path()).has_switches());
    EXPECT_THROW(make_network("graph:" + as_csv.path() + ":hosts=4"), InputError);
    EXPECT_THROW(make_network("graph:" + as_csv.path() + ":hosts=1"), InputError);
}

// Node 4 of mesh:3x3 is (1, 1); its ports are +x (5), -x (3), +y (7), -y (1).
TEST(Export, GivesCoordinatesAndNamesOfPorts) {
    const Network mesh = make_network("mesh:3x3");
    const std::string dot = written(mesh, GraphForm::dot);
    EXPECT_THAT(dot, HasSubstr("  4 [pos=\"72,72!\", coordinates=\"1,1\"];\n"));
    EXPECT_THAT(dot, HasSubstr("  5 [pos=\"144,72!\", coordinates=\"2,1\"];\n"));
    EXPECT_THAT(dot, HasSubstr("  4 -> 7 [port=2, name=\"+y\"];\n"));
    const std::string graphml = written(mesh, GraphForm::graphml);
    EXPECT_THAT(graphml, HasSubstr("<node id=\"5\"><data key=\"x\">2</data><data key=\"y\">1</data></node>"));
    EXPECT_THAT(graphml, HasSubstr("<edge source=\"4\" target=\"3\"><data key=\"port\">1</data><data "
                                   "key=\"name\">-x</data></edge>"));
    // A bypass link of length 4 of node 0, of species 0, in dimension x.
    EXPECT_THAT(written(make_network("ibt:12x12:b=4"), GraphForm::dot),
                HasSubstr("  0 -> 4 [port=4, name=\"+4x\"];\n"));
}

TEST(Export, DrawsNoTwoNodesInOnePlace) {
    for (const char* name : {"torus:5", "mesh:3x4x5", "torus:3x3x3x3x3"}) {
        const Network network = make_network(name);
        const std::string dot = written(network, GraphForm::dot);
        const std::regex pos(R"re(pos="(\d+,\d+)!")re");
        std::set<std::string> places;
        for (std::sregex_iterator i(dot.begin(), dot.end(), pos); i != std::sregex_iterator(); ++i)
            places.insert((*i)[1]);
        EXPECT_EQ(places.size(), network.node_count()) << name;
    }
}

TEST(Export, MarksSwitches) {
    const Network cluster = make_network("cluster:figure1");
    ASSERT_TRUE(cluster.has_switches());
    const std::uint32_t last_machine = cluster.endpoint_count() - 1;
    EXPECT_THAT(written(cluster, GraphForm::dot),
                HasSubstr("  " + std::to_string(last_machine) + ";\n  " + std::to_string(last_machine + 1) +
                          " [shape=box, kind=switch];\n"));
    EXPECT_THAT(written(cluster, GraphForm::graphml),
                HasSubstr("<node id=\"" + std::to_string(last_machine + 1) +
                          "\"><data key=\"kind\">switch</data></node>"));
}

// What is written is read as the same links, and written the same again.
TEST(Export, CsvIsReadBack) {
    for (const char* name : {"torus:5", "torus:4x3", "mesh:3x4x5", "ibt:12x12:b=4", "ibt:16x16:b=4,8",
                             "ibt:8x8:b=4", "cluster:figure1", "cluster:topology_d"}) {
        const Network network = make_network(name);
        const std::string csv = written(network, GraphForm::csv);
        const TemporaryFile file(csv);
        const Network read = make_network("graph:" + file.path());
        EXPECT_EQ(read.node_count(), network.node_count()) << name;
        EXPECT_EQ(links_of(read), links_of(network)) << name;
        EXPECT_EQ(written(read, GraphForm::csv), csv) << name;
    }
}

TEST(Export, FormsGoByTheFilesName) {
    EXPECT_EQ(graph_form_of("a.dot.csv"), GraphForm::csv);
    EXPECT_EQ(graph_form_of("a.dot"), GraphForm::dot);
    EXPECT_EQ(graph_form_of("/b/a.graphml"), GraphForm::graphml);
    EXPECT_EQ(graph_form_of("-"), GraphForm::csv);
    for (const char* name : {"", "a", "csv", "a.CSV", "a.svg"})
        EXPECT_THROW(graph_form_of(name), InputError) << name;
    EXPECT_EQ(parse_graph_form("dot"), GraphForm::dot);
    EXPECT_THROW(parse_graph_form("svg"), InputError);
}

}  // namespace
}  // namespace interlace
