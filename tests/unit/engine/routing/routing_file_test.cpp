// Interlace: routing tables from users' files against hand-made ones, and refused where packets would be lost
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/routing/routing_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "support/error_of.h"
#include "support/random_graph.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using testing::HasSubstr;
using testing::Not;

Fabric fabric_of(const Network& network, std::uint32_t vcs) {
    NodeParameters node;
    node.routing = Routing::table;
    node.vcs = vcs;
    return {network, node};
}

RoutingTables read(const Network& network, const std::string& text, std::uint32_t vcs = 2) {
    const TemporaryFile file(text);
    return read_routing_table(file.path(), network, fabric_of(network, vcs));
}

/// What is said of a file, with FILE for its name.
std::string refusal(const Network& network, const std::string& text, std::uint32_t vcs = 2) {
    const TemporaryFile file(text);
    std::string error = error_of([&] { read_routing_table(file.path(), network, fabric_of(network, vcs)); });
    for (std::size_t at = 0; (at = error.find(file.path())) != std::string::npos;)
        error.replace(at, file.path().size(), "FILE");
    return error;
}

// 0 - 1 - 2: node 1 has +x (to 2) as port 0 and -x (to 0) as port 1, the others one port.
const std::string line_rows = "0,1,0\n0,2,0\n1,0,1\n1,2,0\n2,0,0\n2,1,0\n";

TEST(RoutingFile, IsTheTableThatStandsThere) {
    const Network line = make_network("mesh:3");
    const RoutingTables any = read(line, "node,destination,port\n" + line_rows);
    const std::uint32_t here = 1U << fabric_of(line, 2).ports;
    EXPECT_EQ(any.ports, (PortTables{{here, 1, 1}, {2, here, 1}, {1, 1, here}}));
    // Of six ordered pairs two cross each of the four links.
    EXPECT_EQ(any.load->max, 2U);
    EXPECT_DOUBLE_EQ(any.load->mean, 2);
    EXPECT_EQ(any.load->detours, 0U);
    const RoutingTables one = read(
        line, "node,destination,port,channel\n2,1,0,1\n0,1,0,0\n\n0,2,0,1\r\n1,0,1,0\n1,2,0,1\n2,0,0,0\n");
    const std::uint32_t c0 = entry_of_channels(1), c1 = entry_of_channels(2);
    EXPECT_EQ(one.ports,
              (PortTables{{here, c0 | 1, c1 | 1}, {c0 | 2, here, c1 | 1}, {c0 | 1, c1 | 1, here}}));
}

TEST(RoutingFile, ErrorsNameTheLine) {
    const Network line = make_network("mesh:3");
    const std::string head = "node,destination,port\n", full = "node,destination,port,channel\n";
    EXPECT_THAT(refusal(line, ""),
                HasSubstr("FILE:1: cannot use header ''; expected node,destination,port[,channel]"));
    EXPECT_THAT(refusal(line, "node,to,port\n"), HasSubstr("FILE:1: cannot use header 'node,to,port'"));
    const std::vector<std::pair<std::string, std::string>> cases = {
        {head + "1,1,0\n" + line_rows, "FILE:2: node 1 has a row for itself; expected another node"},
        {head + line_rows + "1,2,1\n",
         "FILE:8: there is a second row for node 1 and destination 2, after line 5"},
        {head + "0,1,1\n" + line_rows.substr(6), "FILE:2: node 0 has no port 1; expected 0 (to node 1)"},
        {head + "1,0,2\n" + line_rows,
         "FILE: 2 problems: line 2: node 1 has no port 2; expected 0 (to node 2), 1 (to node 0)"},
        {head + line_rows.substr(6), "FILE: no row for node 0 and destination 1; expected a path from every"},
        {head + line_rows + "3,0,0\n", "FILE:8: node: cannot use value '3'"},
        {head + line_rows + "0,x,0\n", "FILE:8: destination: cannot use value 'x'"},
        {head + line_rows + "0,1,0,0\n", "FILE:8: cannot use row '0,1,0,0'; expected 3 numbers"},
        {full + "0,1,0,0\n0,2,0,2\n1,0,1,0\n1,2,0,1\n2,0,0,0\n2,1,0,0\n",
         "FILE:3: channel: cannot use value '2'; expected a whole number from 0 to 1"}};
    for (const auto& [text, says] : cases) EXPECT_THAT(refusal(line, text), HasSubstr(says)) << text;
    EXPECT_THAT(error_of([&] { read_routing_table("/nowhere.csv", line, fabric_of(line, 1)); }),
                HasSubstr("/nowhere.csv"));
}

// Without rows 4 x 3 are missing.
TEST(RoutingFile, CountsEveryProblemAndShowsTen) {
    const std::string all = refusal(make_network("torus:4"), "node,destination,port\n");
    EXPECT_THAT(all,
                HasSubstr("FILE: 12 problems: no row for node 0 and destination 1 | no row for node 0 and "
                          "destination 2 | "));
    EXPECT_THAT(all, HasSubstr("no row for node 3 and destination 0 | and 2 more; expected "));
    EXPECT_THAT(all, Not(HasSubstr("node 3 and destination 1")));
    const std::string two =
        refusal(make_network("mesh:3"), "node,destination,port\n0,1,7\n" + line_rows.substr(6) + "2,2,0\n");
    EXPECT_THAT(two, HasSubstr("FILE: 2 problems: line 2: node 0 has no port 7; expected 0 (to node 1) | "
                               "line 8: node 2 has a row for itself; expected another node; expected "));
}

// In a ring of three, packets for node 2 go from 0 to 1 and from 1 back to 0.
TEST(RoutingFile, RefusesPathsThatNeverArrive) {
    const Network ring = make_network("torus:3");  // port 0 leads upwards, port 1 downwards
    EXPECT_THAT(
        refusal(ring, "node,destination,port\n0,1,0\n0,2,0\n1,0,1\n1,2,1\n2,0,0\n2,1,1\n"),
        HasSubstr("FILE:5: packets for node 2 go round: 0 -> 1 -> 0; expected a path from every node"));
}

/// All packets upwards round a ring of `nodes`, on the channel that `channel` says; -1: no column.
std::string upwards(std::uint32_t nodes, const std::function<int(std::uint32_t, std::uint32_t)>& channel) {
    std::string text = channel(0, 1) < 0 ? "node,destination,port\n" : "node,destination,port,channel\n";
    for (std::uint32_t node = 0; node < nodes; ++node)
        for (std::uint32_t to = 0; to < nodes; ++to) {
            if (node == to) continue;
            text += std::to_string(node) + "," + std::to_string(to) + ",0";
            if (const int c = channel(node, to); c >= 0) text += "," + std::to_string(c);
            text += "\n";
        }
    return text;
}

// Dally and Seitz's ring: on one channel it locks up, on two it does not where packets change at a dateline.
TEST(RoutingFile, RefusesCyclesOfWaits) {
    const Network ring = make_network("torus:4");
    for (const int channel : {-1, 0, 1}) {
        const std::string says =
            refusal(ring, upwards(4, [&](std::uint32_t, std::uint32_t) { return channel; }));
        EXPECT_THAT(says, HasSubstr("closes a cycle of waits: "));
        for (const char* link : {"0 -> 1", "1 -> 2", "2 -> 3", "3 -> 0"}) EXPECT_THAT(says, HasSubstr(link));
    }
    const auto dateline = [](std::uint32_t node, std::uint32_t to) { return node > to ? 0 : 1; };
    EXPECT_EQ(refusal(ring, upwards(4, dateline)), "no error");
    // One row that goes back to channel 0 behind channel 1: 2 -> 3 and 3 -> 0 on 0, 0 -> 1 and 1 -> 2 on 1, 2
    // -> 3 on 0 again.
    const std::string back = refusal(ring, upwards(4, [&](std::uint32_t node, std::uint32_t to) {
                                         return node == 1 && to == 0 ? 1 : dateline(node, to);
                                     }));
    EXPECT_THAT(back, HasSubstr("closes a cycle of waits: "));
    EXPECT_THAT(back, HasSubstr("1 -> 2 on channel 1"));
    EXPECT_THAT(back, HasSubstr("2 -> 3 on channel 0"));
}

/// Whether the paths, [to][node] as a channel, let channels wait in a cycle: channels that wait for none are
/// taken away until nothing is left, or nothing can be.
bool waits_in_a_cycle(const Network& network, std::uint32_t vcs,
                      const std::vector<std::vector<std::uint32_t>>& paths) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> waits;
    for (std::uint32_t to = 0; to < paths.size(); ++to)
        for (std::uint32_t node = 0; node < paths.size(); ++node) {
            if (node == to) continue;
            const NodeId next = network.target(LinkId{paths[to][node] / vcs});
            if (next != to) waits.emplace(paths[to][node], paths[to][next]);
        }
    for (bool taken = true; taken;) {
        taken = false;
        for (auto i = waits.begin(); i != waits.end();) {
            const bool waits_on = std::any_of(waits.begin(), waits.end(),
                                              [&](const auto& wait) { return wait.first == i->second; });
            taken = taken || !waits_on;
            i = waits_on ? std::next(i) : waits.erase(i);
        }
    }
    return !waits.empty();
}

// Random trees towards each node, on random channels: what is refused has a cycle, what is not has none.
TEST(RoutingFile, RefusesNothingElse) {
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Network network = random_graph(5, 4, seed);
        const IncomingLinks incoming(network);
        constexpr std::uint32_t vcs = 3;
        std::vector<std::vector<std::uint32_t>> paths(5, std::vector<std::uint32_t>(5, UINT32_MAX));
        std::string text = "node,destination,port,channel\n";
        std::uint64_t draws = 0;
        for (std::uint32_t to = 0; to < 5; ++to) {
            std::vector<NodeId> tree = {NodeId{to}};
            while (tree.size() < 5) {
                const NodeId joined = tree[random_bits(seed, 2, draws++) % tree.size()];
                const auto links = incoming.links_into(joined);
                const LinkId link = links[random_bits(seed, 3, draws++) % links.size()];
                const NodeId node = network.origin(link);
                if (std::find(tree.begin(), tree.end(), node) != tree.end()) continue;
                tree.push_back(node);
                const auto channel = static_cast<std::uint32_t>(random_bits(seed, 4, draws++) % vcs);
                paths[to][node] = link * vcs + channel;
                text += std::to_string(+node) + "," + std::to_string(to) + "," +
                        std::to_string(link - network.first_link(node)) + "," + std::to_string(channel) +
                        "\n";
            }
        }
        const bool cycle = waits_in_a_cycle(network, vcs, paths);
        refused += cycle ? 1 : 0;
        EXPECT_THAT(refusal(network, text, vcs), HasSubstr(cycle ? "cycle of waits" : "no error")) << text;
    }
    EXPECT_GT(refused, 20);
    EXPECT_LT(refused, 180);
}

TEST(RoutingFile, TablesAreReadBackAsTheyWere) {
    for (const char* name : {"torus:4x4", "torus:3x3x3", "mesh:4x3", "ibt:8x8:b=4"})
        for (const std::uint32_t vcs : {1U, 2U, 4U}) {
            const Network network = make_network(name);
            Fabric fabric = fabric_of(network, vcs);
            const RoutingTables tables = routing_tables(network, fabric);
            std::ostringstream text;
            write_routing_table(text, tables, fabric);
            const TemporaryFile file(text.str());
            fabric.parameters.routing_table = file.path();
            const RoutingTables read = routing_tables(network, fabric);
            EXPECT_EQ(read.ports, tables.ports) << name;
            EXPECT_EQ(read.load->max, tables.load->max);
            std::ostringstream again;
            write_routing_table(again, read, fabric);
            EXPECT_EQ(again.str(), text.str());
        }
    const Network line = make_network("mesh:3");
    std::ostringstream any;
    write_routing_table(any, read(line, "node,destination,port\n" + line_rows), fabric_of(line, 2));
    EXPECT_EQ(any.str(), "node,destination,port\n" + line_rows);
}

TEST(RoutingFile, IsNamedByTheNode) {
    const auto node = [](const std::string& text) {
        return read_node(ConfigMap::from_text("{" + text + "}", "node"));
    };
    const NodeParameters named = node("routing: 'table:a:b.csv'");
    EXPECT_EQ(named.routing, Routing::table);
    EXPECT_EQ(named.routing_table, "a:b.csv");
    EXPECT_EQ(named.routing_text(), "table:a:b.csv");
    EXPECT_EQ(read_node(ConfigMap::from_text("{routing: table}", "node"), named).routing_table, "");
    EXPECT_EQ(read_node(ConfigMap::from_text("{vcs: 2}", "node"), named).routing_text(), "table:a:b.csv");
    EXPECT_EQ(named.without_unicast().routing_text(), "dimension_order");
    EXPECT_THAT(error_of([&] { node("routing: 'table:'"); }), HasSubstr("expected table:FILE.csv"));
    EXPECT_THROW(node("routing: tables"), InputError);
}

}  // namespace
}  // namespace interlace
