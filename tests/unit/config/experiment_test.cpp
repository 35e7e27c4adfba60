// Interlace: experiments
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/experiment.h"

#include <gmock/gmock.h>

#include "interlace/core/error.h"

namespace interlace {
namespace {

Experiment on(const std::string& network, const std::string& group = "global") {
    Experiment experiment;
    experiment.network = network;
    experiment.group = group;
    experiment.packets = 4;
    return experiment;
}

TEST(Experiment, ItsJsonIsAConfigurationFileThatReadsBack) {
    Experiment experiment = on("ibt:12x12:b=4", "rectangle");
    experiment.axes = "yx";
    experiment.source = "3,1";
    experiment.pattern = "5";
    experiment.algorithm = "paper";
    experiment.seed = 7;
    const std::string text = to_json(experiment).dump();
    EXPECT_EQ(to_json(read_experiment(ConfigMap::from_text(text, "t"))).dump(), text);
}

TEST(Experiment, RefusesUnknownKeysAndSchemas) {
    for (const char* text : {"schema: 1\nnetwork: torus:4\nbroadcast: {packtes: 3}\n",
                             "schema: 1\nnetwork: torus:4\nbroadcast: {}\nspeed: 1\n",
                             "schema: 2\nnetwork: torus:4\nbroadcast: {}\n"})
        EXPECT_THROW(read_experiment(ConfigMap::from_text(text, "t")), InputError) << text;
}

TEST(Experiment, DefaultAlgorithmFollowsTheNetwork) {
    EXPECT_EQ(run_broadcast(on("ibt:8x8:b=4")).experiment.algorithm, "paper");
    EXPECT_EQ(run_broadcast(on("torus:4x4")).experiment.algorithm, "spanning_tree");
    EXPECT_EQ(run_broadcast(on("mesh:4x4")).experiment.algorithm, "optimal");
    EXPECT_EQ(run_broadcast(on("torus:4x4", "nodes:1,5")).experiment.algorithm, "optimal");
}

// The program made ahead serves other nodes on other engines, and nothing that has another program.
TEST(Experiment, PlannedAheadGivesTheSameResults) {
    std::vector<Experiment> experiments;
    for (const char* network : {"torus:4x4", "mesh:4x4"})
        for (const char* engine : {"step", "native"})
            for (const std::uint32_t depth : {8U, 32U}) {
                experiments.push_back(on(network));
                experiments.back().engine = engine;
                experiments.back().cycles.node.vc_depth = depth;
            }
    experiments.push_back(experiments.front());
    experiments.back().packets = 5;
    std::vector<std::string> alone;
    for (const Experiment& experiment : experiments)
        alone.push_back(to_json(run_broadcast(experiment)).dump());
    for (const Experiment& planned : experiments) {
        plan_ahead(planned);
        for (std::size_t i = 0; i < experiments.size(); ++i)
            EXPECT_EQ(to_json(run_broadcast(experiments[i])).dump(), alone[i]) << i;
    }
    Experiment wrong = on("torus:4x4");
    wrong.algorithm = "fastest";
    EXPECT_THROW(plan_ahead(wrong), InputError);
    EXPECT_EQ(to_json(run_broadcast(experiments.front())).dump(), alone.front());
}

TEST(Experiment, RefusesWhatAnAlgorithmCannotDo) {
    const auto with = [](Experiment experiment, const std::string& algorithm) {
        experiment.algorithm = algorithm;
        return experiment;
    };
    EXPECT_THROW(run_broadcast(with(on("mesh:4x4"), "paper")), InputError);
    EXPECT_THROW(run_broadcast(with(on("mesh:4x4"), "spanning_tree")), InputError);
    EXPECT_THROW(run_broadcast(with(on("torus:4x4"), "ring")), InputError);
    EXPECT_THROW(run_broadcast(with(on("torus:4x4", "nodes:1,2"), "paper")), InputError);
    EXPECT_THROW(run_broadcast(with(on("torus:4x4"), "fastest")), InputError);
    EXPECT_THROW(run_broadcast(on("torus:4x4", "circle")), InputError);
    Experiment pattern = on("torus:4x4");
    pattern.pattern = "16";
    EXPECT_THROW(run_broadcast(pattern), InputError);
    Experiment axes = on("torus:4x4");
    axes.axes = "x";
    EXPECT_THROW(run_broadcast(axes), InputError);
}

}  // namespace
}  // namespace interlace
