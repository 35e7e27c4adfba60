// Interlace: what runs where nobody says otherwise
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "interlace/core/error.h"
#include "interlace/experiment/kinds/traffic.h"
#include "interlace/network/metrics.h"
#include "interlace/network/specification.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

TrafficExperiment traffic_of(const std::string& text) {
    return dynamic_cast<const TrafficExperiment&>(*read_experiment(ConfigMap::from_text(text, "test")));
}

// A directed ring of five with a chord, as a user's own network.
const char* const graph = "from,to\n0,1\n1,0\n1,2\n2,1\n2,3\n3,2\n3,4\n4,3\n4,0\n0,4\n0,2\n2,0\n";

// Every shipped set on every network: it runs, or the refusal names the key to change. Refused is only what
// the user asked for by name: a routing that the network or the node cannot have.
TEST(Defaults, FitOneAnother) {
    const TemporaryFile file(graph);
    const std::string networks[] = {"torus:8",     "torus:4x4",   "mesh:4x3",
                                    "ibt:8x8:b=4", "torus:3x3x3", "graph:" + file.path()};
    for (const std::string& network : networks)
        for (const char* node : {"", "bgl", "bgl_ten", "minimal", "wide"})
            for (const char* links : {"unit", "bgl"})
                for (const char* host : {"ideal", "bgl"})
                    for (const char* routing : {"", "dimension_order", "adaptive_bubble", "table"}) {
                        std::string text = fmt::format(
                            "schema: 1\nnetwork: \"{}\"\nlinks: {{base: {}}}\nhost: {{base: {}}}\n"
                            "traffic: {{load: 0.01, cycles: 300, warmup: 100}}\nnode: {{",
                            network, links, host);
                        if (*node != 0) text += fmt::format("base: {}, ", node);
                        if (*routing != 0) text += fmt::format("routing: {}", routing);
                        text += "}\n";
                        try {
                            EXPECT_GT(run_traffic(traffic_of(text)).cycles, 0U) << text;
                        } catch (const InputError& error) {
                            const bool asked = *routing != 0 || (network.starts_with("graph") &&
                                                                 std::string(node).starts_with("bgl"));
                            EXPECT_TRUE(asked) << text << error.what();
                            EXPECT_THAT(error.what(), testing::AnyOf(testing::HasSubstr("routing"),
                                                                     testing::HasSubstr("vcs")))
                                << text;
                        }
                    }
}

TEST(Defaults, FollowFromWhatWasChosen) {
    const auto experiment = [](const std::string& values) {
        return traffic_of("schema: 1\nnetwork: torus:4x4\ntraffic: {}\n" + values);
    };
    EXPECT_EQ(experiment("").traffic.packet_flits, 16U);
    EXPECT_EQ(experiment("node: {base: bgl}").traffic.packet_flits, 8U);
    EXPECT_EQ(experiment("node: {routing: adaptive_bubble}").to_json()["node"],
              experiment("node: {base: bgl}").to_json()["node"]);
    // A queue of `wide` holds 16 flits, which are then a full packet.
    EXPECT_EQ(experiment("node: {switching: virtual_cut_through}").nodes.node.packet_flits, 16U);
    EXPECT_THROW(experiment("node: {switching: virtual_cut_through, packet_flits: 32}"), InputError);
}

TEST(Defaults, OfRoutingAreMinimalAndFreeFromDeadlock) {
    const TemporaryFile file(graph);
    const auto routing = [](const std::string& network, const std::string& node = "wide") {
        return traffic_of("schema: 1\nnetwork: \"" + network + "\"\ntraffic: {}\nnode: {base: " + node +
                          "}\n")
            .nodes.node.routing;
    };
    EXPECT_EQ(routing("torus:8x8"), Routing::dimension_order);
    EXPECT_EQ(routing("mesh:8x8"), Routing::dimension_order);
    EXPECT_EQ(routing("mesh:8x8", "minimal"), Routing::dimension_order);
    EXPECT_EQ(routing("torus:8x8", "minimal"), Routing::table) << "one channel";
    EXPECT_EQ(routing("ibt:8x8:b=4"), Routing::table);
    EXPECT_EQ(routing("ibt:64:b=8"), Routing::table);
    EXPECT_EQ(routing("ibt:64x64:b=8,24"), Routing::table);
    EXPECT_EQ(routing("ibt:128x64:b=8,24"), Routing::dimension_order) << "more nodes than slots";
    EXPECT_EQ(routing("graph:" + file.path()), Routing::table);
    EXPECT_EQ(routing("torus:8x8", "bgl"), Routing::adaptive_bubble);
}

// The mean distance is that of breadth-first searches.
TEST(Defaults, OfAnIbtTakeShortestPaths) {
    for (const char* network :
         {"ibt:8x8:b=4", "ibt:12x8:b=4", "ibt:16x16:b=4", "ibt:64:b=8", "ibt:24x24:b=4,12"}) {
        TrafficExperiment e = traffic_of(
            fmt::format("schema: 1\nnetwork: {}\ntraffic: {{load: 0.05, cycles: 2000}}\n", network));
        std::string note;
        const TrafficRun run = run_traffic(e, {.warn = [&](const std::string& text) { note = text; }});
        EXPECT_LE(run.results.front().mean_hops, 1.1 * run.mean_distance) << network;
        EXPECT_EQ(note, "") << network;
    }
    const TrafficExperiment by_order = traffic_of(
        "schema: 1\nnetwork: ibt:32x16:b=8,12\ntraffic: {load: 0.05, cycles: 500}\nnode: {routing: "
        "dimension_order}\n");
    std::string note;
    run_traffic(by_order, {.warn = [&](const std::string& text) { note = text; }});
    const double distance = measure_network(make_network(by_order.network)).mean_distance_distinct;
    EXPECT_THAT(note, testing::HasSubstr(
                          fmt::format("links on average where the mean distance is {:.2f}", distance)));
    EXPECT_THAT(note, testing::HasSubstr("--routing table"));
}

}  // namespace
}  // namespace interlace
