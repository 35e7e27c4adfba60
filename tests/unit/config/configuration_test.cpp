// Interlace: configuration files of every kind of experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/configuration.h"

#include <gmock/gmock.h>

#include "interlace/core/error.h"
#include "support/error_of.h"

namespace interlace {
namespace {

Configuration read(const std::string& text) {
    return read_configuration(ConfigMap::from_text(text, "t.yaml"));
}

TEST(Configuration, ItsJsonReadsBackAsTheSame) {
    for (const char* text :
         {"schema: 1\nnetwork: torus:4x4\nbroadcast: {packets: 3}\nengine: native\nnode: {vc_depth: 64}\n",
          "schema: 1\nnetwork: {kind: ibt, size: 8x8, bypass: 4}\nbroadcast: {}\n",
          "schema: 1\nnetwork: torus:4x4\ntraffic: {load: 0.25, cycles: 500}\nnode: {vcs: 2}\nseed: 9\n",
          "schema: 1\nnetwork: cluster:figure1\nallgather: {algorithm: lr1, barriers: true}\n",
          "schema: 1\nnetwork: {kind: cluster, file: figure1, link: {rate_mbps: 1000}}\n"
          "alltoall: {sync: sender_partial, block: 3, message: 4KiB}\n"
          "event: {frame: {mtu: 1000}, workstation: {start_us: [1, 2, 3, 4, 5]}, protocol: {eager_limit: "
          "9}}\n",
          "schema: 1\nnetwork: torus:4x4\nalltoall: {algorithm: shuffle, window: auto, reorder: true}\n"
          "event: {other_switches: [{switches: [2], capacity: 7}]}\n",
          "schema: 1\nnetwork: cluster:hnow\nmulticast: {algorithm: spoc, destinations: [1, 2]}\nroot: "
          "0\n"}) {
        const std::string json = to_json(read(text)).dump();
        EXPECT_EQ(to_json(read(json)).dump(), json) << text;
    }
}

TEST(Configuration, MappingsOfNetworksAreSpecifications) {
    const auto network = [](const std::string& mapping) {
        return to_json(read("schema: 1\nnetwork: " + mapping + "\nbroadcast: {}\n"))["network"];
    };
    EXPECT_EQ(network("{kind: torus, size: 4x4x4}"), "torus:4x4x4");
    EXPECT_EQ(network("{kind: ibt, size: 64x64, bypass: \"8,24\"}"), "ibt:64x64:b=8,24");
}

TEST(Configuration, RunsWhatItsSectionSays) {
    EXPECT_EQ(run_configuration(read("schema: 1\nnetwork: torus:4x4\nbroadcast: {}\n"))["schema"],
              "interlace.broadcast/1");
    const Json ring = run_configuration(
        read("schema: 1\nnetwork: cluster:topology_a\nallgather: {algorithm: lr1, message: 64KiB}\n"));
    EXPECT_EQ(ring["schema"], "interlace.allgather/1");
    // Sixteen machines on one switch: 15 messages one after another at 100 Mbps.
    EXPECT_DOUBLE_EQ(ring["seconds"], 15 * 65536 * 8 / 100e6);
}

TEST(Configuration, SaysWhatIsWrong) {
    const auto error = [](const std::string& text) { return error_of([&] { read(text); }); };
    EXPECT_EQ(
        error("schema: 1\nnetwork: torus:4x4\n"),
        "t.yaml:1: no experiment; expected a section broadcast, traffic, allgather, alltoall or multicast");
    EXPECT_THAT(error("schema: 1\nnetwork: torus:4x4\nalltoall: {window: 3}\n"),
                testing::StartsWith("t.yaml:3: window: unknown key"));
    EXPECT_THAT(error("schema: 1\nnetwork: torus:4x4\nalltoall: {}\ntraffic: {}\n"),
                testing::HasSubstr("unknown key"));
    EXPECT_THAT(error("schema: 1\nnetwork: {kind: torus, size: 4x4, wide: 1}\ntraffic: {}\n"),
                testing::StartsWith("t.yaml:2: wide: unknown key"));
}

}  // namespace
}  // namespace interlace
