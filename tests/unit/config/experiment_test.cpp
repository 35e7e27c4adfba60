// Interlace: experiments
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/broadcast.h"

#include <gmock/gmock.h>

#include "interlace/core/error.h"

namespace interlace {
namespace {

BroadcastExperiment on(const std::string& network, const std::string& group = "global") {
    BroadcastExperiment experiment;
    experiment.network = network;
    experiment.group = group;
    experiment.packets = 4;
    return experiment;
}

TEST(Broadcast, ItsJsonIsAConfigurationFileThatReadsBack) {
    BroadcastExperiment experiment = on("ibt:12x12:b=4", "rectangle");
    experiment.axes = "yx";
    experiment.source = "3,1";
    experiment.pattern = "5";
    experiment.algorithm = "paper";
    experiment.seed = 7;
    const std::string text = experiment.to_json().dump();
    EXPECT_EQ(read_experiment(ConfigMap::from_text(text, "t"))->to_json().dump(), text);
}

TEST(Broadcast, RefusesUnknownKeysAndSchemas) {
    for (const char* text : {"schema: 1\nnetwork: torus:4\nbroadcast: {packtes: 3}\n",
                             "schema: 1\nnetwork: torus:4\nbroadcast: {}\nspeed: 1\n",
                             "schema: 2\nnetwork: torus:4\nbroadcast: {}\n"})
        EXPECT_THROW(read_experiment(ConfigMap::from_text(text, "t")), InputError) << text;
}

TEST(Broadcast, DefaultAlgorithmFollowsTheNetwork) {
    EXPECT_EQ(run_broadcast(on("ibt:8x8:b=4")).experiment.algorithm, "paper");
    EXPECT_EQ(run_broadcast(on("torus:4x4")).experiment.algorithm, "spanning_tree");
    EXPECT_EQ(run_broadcast(on("mesh:4x4")).experiment.algorithm, "optimal");
    EXPECT_EQ(run_broadcast(on("torus:4x4", "nodes:1,5")).experiment.algorithm, "optimal");
}

// What one has prepared serves other nodes on other engines; what has another program has another key.
TEST(Broadcast, PreparedForAnotherGivesTheSameResults) {
    std::vector<BroadcastExperiment> experiments;
    for (const char* network : {"torus:4x4", "mesh:4x4"})
        for (const char* engine : {"step", "native"})
            for (const std::uint32_t depth : {8U, 32U}) {
                experiments.push_back(on(network));
                experiments.back().engine = engine;
                experiments.back().cycles.node.vc_depth = depth;
            }
    experiments.push_back(experiments.front());
    experiments.back().packets = 5;
    const auto program_of = [](std::size_t i) { return i == 8 ? 2 : i / 4; };  // torus, mesh, 5 packets
    for (std::size_t i = 0; i < experiments.size(); ++i) {
        const auto prepared = experiments[i].prepare();
        for (std::size_t j = 0; j < experiments.size(); ++j) {
            const bool same = experiments[i].preparation_key() == experiments[j].preparation_key();
            EXPECT_EQ(same, program_of(i) == program_of(j)) << i << " and " << j;
            const Experiment& other = experiments[j];
            if (same) {
                EXPECT_EQ(other.run(prepared.get()).dump(), other.run().dump()) << i << " for " << j;
            }
        }
    }
    BroadcastExperiment wrong = on("torus:4x4");
    wrong.algorithm = "fastest";
    EXPECT_THROW(wrong.prepare(), InputError);
}

TEST(Broadcast, RefusesWhatAnAlgorithmCannotDo) {
    const auto with = [](BroadcastExperiment experiment, const std::string& algorithm) {
        experiment.algorithm = algorithm;
        return experiment;
    };
    EXPECT_THROW(run_broadcast(with(on("mesh:4x4"), "paper")), InputError);
    EXPECT_THROW(run_broadcast(with(on("mesh:4x4"), "spanning_tree")), InputError);
    EXPECT_THROW(run_broadcast(with(on("torus:4x4"), "ring")), InputError);
    EXPECT_THROW(run_broadcast(with(on("torus:4x4", "nodes:1,2"), "paper")), InputError);
    EXPECT_THROW(run_broadcast(with(on("torus:4x4"), "fastest")), InputError);
    EXPECT_THROW(run_broadcast(on("torus:4x4", "circle")), InputError);
    BroadcastExperiment pattern = on("torus:4x4");
    pattern.pattern = "16";
    EXPECT_THROW(run_broadcast(pattern), InputError);
    BroadcastExperiment axes = on("torus:4x4");
    axes.axes = "x";
    EXPECT_THROW(run_broadcast(axes), InputError);
}

}  // namespace
}  // namespace interlace
