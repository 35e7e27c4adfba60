// Interlace: the files that an experiment names
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/named_files.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "interlace/experiment/experiment.h"
#include "support/error_of.h"

namespace interlace {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// Experiments that name FILE by each of the keys that name files.
const std::vector<std::string> experiments = {
    "network: 'graph:FILE'\nbroadcast: {}\n",
    "network: 'graph:FILE:hosts=2'\ntraffic: {}\n",
    "network: 'anynet:FILE'\ntraffic: {}\n",
    "network: 'cluster:FILE'\nalltoall: {}\n",
    "network: {kind: cluster, file: 'FILE', machines: [0, 1]}\nallgather: {}\n",
    "network: torus:4x4\ntraffic: {pattern: 'trace:FILE'}\n",
    "network: torus:4x4\ntraffic: {pattern: 'permutation:FILE'}\n",
    "network: torus:4x4\ntraffic: {}\nnode: {routing: 'table:FILE'}\n",
    "network: torus:4x4\nbroadcast: {schedule: 'FILE'}\n",
    "network: torus:4x4\nbroadcast: {}\nengine: native\nbackground: {load: 0.1, pattern: "
    "'permutation:FILE'}\n",
    "network: torus:4x4\nreplay: {goal: 'FILE'}\n"};

class NamedFiles : public testing::Test {
  protected:
    ~NamedFiles() override { fs::remove_all(folder_); }
    /// The resolved configuration of one of the experiments.
    static Json resolved(std::string experiment, const std::string& file) {
        experiment.replace(experiment.find("FILE"), 4, file);
        return read_experiment(ConfigMap::from_text("schema: 1\n" + experiment, "x.yaml"))->to_json();
    }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ + name) << text;
        return folder_ + name;
    }
    const std::string folder_ = testing::TempDir() + "named" + std::to_string(::getpid()) + "/";
    bool made_ = fs::create_directories(folder_);
    const std::string cluster_ =
        "network: {kind: cluster, switches: 2, machines: [0, 1, 1], trunks: [[0, 1]]}\n";
};

TEST_F(NamedFiles, AreFoundByEveryKeyWhateverTheirNames) {
    for (const char* name : {"plain.csv", "run_10:30.csv", "a:b:c", "with blank: 1.csv"})
        for (const std::string& experiment : experiments) {
            const std::string file = write(name, cluster_);
            const Json configuration = resolved(experiment, file);
            EXPECT_THAT(named_files(configuration), testing::ElementsAre(file)) << experiment;
            const Json before = contents_of_named_files(configuration);
            write(name, cluster_ + "\n");
            EXPECT_NE(contents_of_named_files(configuration), before) << experiment;
        }
}

TEST_F(NamedFiles, ThatArePipesAreRefused) {
    const std::string pipe = folder_ + "pi:pe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& experiment : experiments)
        EXPECT_THAT(
            error_of([&] { named_files(resolved(experiment, pipe)); }),
            HasSubstr("'" + pipe + "' is a pipe, which can be read only once; expected a regular file"))
            << experiment;
}

// What other texts of a configuration are called like.
TEST_F(NamedFiles, AreNeitherFoldersNorSocketsNorNamesOfNothing) {
    EXPECT_THAT(
        named_files({{"a", "trace:" + folder_}, {"b", {folder_, "trace:", ":", "", "x:none"}}, {"c", 1}}),
        testing::IsEmpty());
}

}  // namespace
}  // namespace interlace
