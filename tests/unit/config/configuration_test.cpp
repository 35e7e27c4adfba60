// Interlace: configuration files of every kind of experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/experiment.h"

#include <gmock/gmock.h>

#include "interlace/core/error.h"
#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

std::unique_ptr<Experiment> read(const std::string& text) {
    return read_experiment(ConfigMap::from_text(text, "t.yaml"));
}

TEST(Configuration, ItsJsonReadsBackAsTheSame) {
    for (const char* text :
         {"schema: 1\nnetwork: torus:4x4\nbroadcast: {packets: 3}\nengine: native\nnode: {vc_depth: 64}\n",
          "schema: 1\nnetwork: {kind: ibt, size: 8x8, bypass: 4}\nbroadcast: {}\n",
          "schema: 1\nnetwork: torus:4x4\ntraffic: {load: 0.25, cycles: 500}\nnode: {vcs: 2}\nseed: 9\n",
          "schema: 1\nnetwork: torus:4x4\ncapacity: {pattern: transpose, paths: shortest}\n",
          "schema: 1\nnetwork: cluster:figure1\nallgather: {algorithm: lr1, barriers: true}\n",
          "schema: 1\nnetwork: {kind: cluster, file: figure1, link: {rate_mbps: 1000}}\n"
          "alltoall: {sync: sender_partial, block: 3, message: 4KiB}\n"
          "event: {frame: {mtu: 1000}, workstation: {start_us: [1, 2, 3, 4, 5]}, protocol: {eager_limit: "
          "9}}\n",
          "schema: 1\nnetwork: torus:4x4\nalltoall: {algorithm: shuffle, window: auto, reorder: true}\n"
          "event: {other_switches: [{switches: [2], capacity: 7}]}\n",
          "schema: 1\nnetwork: {kind: cluster, file: figure1, machines: [0, 1, 2]}\nallgather: {}\n",
          "schema: 1\nnetwork: {kind: cluster, file: figure1, trunks: [[0, 1], [1, 2], [2, 3], [3, 4], [4, "
          "5]],\n"
          "  other_trunks: [{between: [1, 2], rate_mbps: 10}], link: {rate_mbps: 10, latency_us: 2}}\n"
          "alltoall: {}\n",
          "schema: 1\nnetwork: cluster:hnow\nmulticast: {algorithm: spoc, destinations: [1, 2]}\nroot: "
          "0\n"}) {
        const std::string json = read(text)->to_json().dump();
        EXPECT_EQ(read(json)->to_json().dump(), json) << text;
    }
}

// Three machines in a row: the ring n0, n1, n2 takes 2 messages of 65536 bytes on links of 100 Mbps, whether
// it is read from a file or from what a result says of itself.
TEST(Configuration, AResultsExperimentRunsAgain) {
    const Json first = read(
                           "schema: 1\nnetwork: {kind: cluster, file: figure1, machines: [0, 1, "
                           "2]}\nallgather: {algorithm: lr1}\n")
                           ->run();
    EXPECT_EQ(first["experiment"]["network"]["machines"], Json::parse(R"(["0", "1", "2"])"));
    EXPECT_EQ(first["ring"].size(), 3U);
    // 131072 bytes in 88 frames of 1500, each with 38 more.
    EXPECT_DOUBLE_EQ(first["lower_bound_seconds"], (2 * 65536 + 88 * 38) * 8 / 100e6);
    EXPECT_EQ(read(first["experiment"].dump())->run(), first);
}

TEST(Configuration, PacketsHaveSeveralLengthsByTheirShares) {
    const auto traffic = [](const std::string& flits) {
        return read("schema: 1\nnetwork: torus:4x4\ntraffic: {cycles: 500, packet_flits: " + flits +
                    "}\nnode: {switching: virtual_cut_through, vc_depth: 32}\n");
    };
    const auto mixed = traffic("{16: 0.25, 4: 0.75}");
    const Json json = mixed->to_json();
    EXPECT_EQ(json["traffic"]["packet_flits"], Json::parse(R"({"4": 0.75, "16": 0.25})"));
    EXPECT_EQ(read(json.dump())->to_json(), json);
    EXPECT_EQ(mixed->queues().back().min_depth, 16U);  // room for the longest
    const auto error = [&](const std::string& flits) { return error_of([&] { traffic(flits); }); };
    EXPECT_THAT(error("{4: 0.5, 16: 0.4}"), testing::HasSubstr("packet_flits: the shares sum to 0.9"));
    EXPECT_THAT(error("{4: 0, 16: 1}"), testing::HasSubstr("4: cannot use a share of 0; expected above 0"));
    EXPECT_THAT(error("{65: 1}"), testing::HasSubstr("65"));
    EXPECT_THAT(error("{}"), testing::HasSubstr("the shares sum to 0"));
}

TEST(Configuration, MappingsOfNetworksAreSpecifications) {
    const auto network = [](const std::string& mapping) {
        return read("schema: 1\nnetwork: " + mapping + "\nbroadcast: {}\n")->to_json()["network"];
    };
    EXPECT_EQ(network("{kind: torus, size: 4x4x4}"), "torus:4x4x4");
    EXPECT_EQ(network("{kind: ibt, size: 64x64, bypass: \"8,24\"}"), "ibt:64x64:b=8,24");
}

TEST(Configuration, RunsWhatItsSectionSays) {
    EXPECT_EQ(read("schema: 1\nnetwork: torus:4x4\nbroadcast: {}\n")->run()["schema"],
              "interlace.broadcast/1");
    const Json ring =
        read("schema: 1\nnetwork: cluster:topology_a\nallgather: {algorithm: lr1, message: 64KiB}\n")->run();
    EXPECT_EQ(ring["schema"], "interlace.allgather/1");
    // Sixteen machines on one switch: 15 messages one after another at 100 Mbps.
    EXPECT_DOUBLE_EQ(ring["seconds"], 15 * 65536 * 8 / 100e6);
}

// A message of 65536 bytes between two machines of that switch, and another one back.
TEST(Configuration, ReplaysAProgramFromAFile) {
    const TemporaryFile goal(
        "num_ranks 2\n"
        "rank 0 {\nl1: send 65536b to 1 tag 0\nl2: recv 65536b from 1 tag 0\nl2 requires l1\n}\n"
        "rank 1 {\nl1: recv 65536b from 0 tag 0\nl2: send 65536b to 0 tag 0\nl2 requires l1\n}\n");
    const auto replay = read("schema: 1\nnetwork: cluster:topology_a\nreplay: {goal: " + goal.path() + "}\n");
    const Json result = replay->run();
    EXPECT_EQ(result["schema"], "interlace.replay/1");
    EXPECT_DOUBLE_EQ(result["seconds"], 2 * 65536 * 8 / 100e6);
    EXPECT_EQ(result["messages"], 2);
    EXPECT_EQ(read(result["experiment"].dump())->run(), result);
    ASSERT_EQ(replay->queues().size(), 1U);
    EXPECT_EQ(replay->queues().front().path, "event.switch.capacity");
    EXPECT_STREQ(replay->measures().front().key, "seconds");
    EXPECT_THAT(error_of([] { read("schema: 1\nnetwork: cluster:topology_a\nreplay: {}\n"); }),
                testing::HasSubstr("goal"));
}

// A study compares by a number that results have.
TEST(Configuration, EveryKindMeasuresWhatItSays) {
    for (const char* text :
         {"schema: 1\nnetwork: torus:4x4\nbroadcast: {packets: 3}\n",
          "schema: 1\nnetwork: torus:4x4\nbroadcast: {packets: 3}\nengine: native\n",
          "schema: 1\nnetwork: torus:4x4\ntraffic: {load: 0.1, cycles: 500}\n",
          "schema: 1\nnetwork: torus:4x4\ntraffic: {load: saturation, warmup: 500, cycles: 500}\n",
          "schema: 1\nnetwork: cluster:figure1\nallgather: {message: 1000}\n",
          "schema: 1\nnetwork: cluster:routers\nalltoall: {message: 960}\nengine: native\n",
          "schema: 1\nnetwork: cluster:hnow\nmulticast: {}\n"}) {
        const auto experiment = read(text);
        const Json result = experiment->run();
        // Frames on switches are not counted in cycles, and nodes have no queue of frames.
        const std::string other = result["experiment"]["engine"] == "event" ? "cycles" : "longest_queue";
        for (const Measure& measure : experiment->measures())
            EXPECT_TRUE(measure.key == other || result.at(measure.key).is_number())
                << measure.key << " of " << text;
    }
}

TEST(Configuration, WhatAClusterDoesNotHaveIsRefused) {
    const auto error = [](const std::string& event) {
        return error_of([&] {
            read("schema: 1\nnetwork: cluster:figure1\nalltoall: {algorithm: pairwise}\nevent: " + event)
                ->run();
        });
    };
    // Five machines, six switches.
    for (const std::string event :
         {"{workstation: {start_us: [1, 2]}}", "{workstation: {start_us: [1, 2, 3, 4, 5, 6]}}"})
        EXPECT_THAT(error(event),
                    testing::EndsWith(" values; expected one, or one for each of the 5 machines"));
    EXPECT_THAT(error("{workstation: {start_us: []}}"),
                testing::HasSubstr("start_us: there are 0 values; expected one"));
    EXPECT_EQ(error("{workstation: {start_us: [1, 2, 3, 4, 5]}}"), "no error");
    EXPECT_THAT(error("{other_switches: [{switches: [99]}]}"),
                testing::EndsWith("switches: cannot use value '99'; expected a whole number from 0 to 5"));
    EXPECT_THAT(error("{other_switches: [{switches: [6]}]}"), testing::HasSubstr("value '6'"));
    EXPECT_EQ(error("{other_switches: [{switches: [5]}]}"), "no error");
    EXPECT_THAT(error("{reliability: {timeout_us: 0}, switch: {capacity: 1}}"),
                testing::EndsWith("timeout_us: cannot use value '0'; expected microseconds, from 1 to 1e9"));
}

// In step, machines lose the same frames of one byte again and again.
TEST(Configuration, ARunThatNeverArrivesEnds) {
    EXPECT_THAT(error_of([] {
                    read(
                        "schema: 1\nnetwork: cluster:figure1\nalltoall: {message: 1}\n"
                        "event: {switch: {capacity: 1, buffering: shared, forwarding: cut_through}}\n")
                        ->run();
                }),
                testing::HasSubstr("again 1000 times, and nothing new has arrived anywhere"));
}

TEST(Configuration, SaysWhatIsWrong) {
    const auto error = [](const std::string& text) { return error_of([&] { read(text); }); };
    EXPECT_EQ(error("schema: 1\nnetwork: torus:4x4\n"),
              "t.yaml:1: there is no experiment; expected a section broadcast, traffic, capacity, allgather, "
              "reducescatter, allreduce, alltoall, reduce, scatter, gather, barrier, multicast or replay");
    EXPECT_EQ(
        error("schema: 1\nnetwork: torus:4x4\ntrafic:\n  load: 0.1\n"),
        "t.yaml:4: trafic: this is an unknown key (did you mean traffic?); expected a section broadcast, "
        "traffic, capacity, allgather, reducescatter, allreduce, alltoall, reduce, scatter, gather, barrier, "
        "multicast or replay");
    EXPECT_THAT(error("schema: 1\nnetwork: torus:4x4\nalltoall: {window: 3}\n"),
                testing::StartsWith("t.yaml:3: window: this is an unknown key"));
    EXPECT_THAT(error("schema: 1\nnetwork: torus:4x4\nalltoall: {}\ntraffic: {}\n"),
                testing::HasSubstr("unknown key"));
    EXPECT_THAT(error("schema: 1\nnetwork: {kind: torus, size: 4x4, wide: 1}\ntraffic: {}\n"),
                testing::StartsWith("t.yaml:2: wide: this is an unknown key"));
}

TEST(Configuration, BasesEnd) {
    const TemporaryFile one;
    const TemporaryFile other("base: " + one.path() + "\n");
    const std::string says = "' of itself; expected bases that end";
    for (const TemporaryFile* base : {&one, &other}) {
        std::ofstream(one.path()) << "base: " << base->path() << "\n";
        EXPECT_THAT(error_of([&] { node_parameters(one.path()); }), testing::EndsWith(says));
        EXPECT_THAT(error_of([&] { link_parameters(one.path()); }), testing::EndsWith(says));
        EXPECT_THAT(error_of([&] { host_parameters(one.path()); }), testing::EndsWith(says));
    }
    // One after the other is no cycle.
    std::ofstream(one.path()) << "base: bgl\nvcs: 3\n";
    EXPECT_EQ(node_parameters(other.path()).vcs, 3U);
    EXPECT_EQ(node_parameters(other.path()).vcs, 3U);
}

}  // namespace
}  // namespace interlace
