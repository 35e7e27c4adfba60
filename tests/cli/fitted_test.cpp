// Interlace: RTL nodes that are built for a run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/run_command.h"

namespace interlace {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// With a cache of its own.
class FittedNodes : public testing::Test {
  protected:
    FittedNodes() { ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1); }
    ~FittedNodes() override { fs::remove_all(folder_); }

    /// Libraries in the cache.
    std::size_t libraries() const {
        std::size_t count = 0;
        if (fs::exists(folder_ + "/interlace/fitted"))
            for (const auto& entry : fs::directory_iterator(folder_ + "/interlace/fitted"))
                count += entry.path().extension() == ".so" ? 1 : 0;
        return count;
    }
    /// What a run measured: what does not say how it was run.
    static json result_of(const Outcome& outcome) {
        if (outcome.code != 0) return outcome.err;
        json result = json::parse(outcome.out);
        for (const char* key : {"experiment", "lockstep", "router_cycles_per_second"}) result.erase(key);
        return result;
    }

    const std::string folder_ = testing::TempDir() + "fitted" + std::to_string(::getpid());
};

const std::string ring = "traffic torus:4 --node minimal --load 0.2 --warmup 100 --cycles 500";

TEST_F(FittedNodes, ShowWhatNativeNodesShowAndAreKept) {
    const Outcome both = run(ring + " --lockstep rtl --fitted --json");
    EXPECT_THAT(both.err, HasSubstr("RTL nodes were built in"));
    EXPECT_EQ(result_of(both), result_of(run(ring + " --json")));
    EXPECT_EQ(libraries(), 1U);
    const Outcome again = run(ring + " --engine rtl --fitted --seed 7 --threads 2 --regions 2");
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.err, Not(HasSubstr("built")));
    EXPECT_EQ(libraries(), 1U);
    // Without tools, too.
    EXPECT_EQ(run_in_shell("PATH= " INTERLACE_COMMAND " " + ring + " --rtl-nodes 1,2 --fitted").code, 0);
}

TEST_F(FittedNodes, ResumeFromACheckpoint) {
    const TemporaryFile file;
    const std::string command = ring + " --engine rtl --fitted --json";
    const json whole = result_of(run(command));
    ASSERT_EQ(run(command + " --checkpoint " + file.path() + " --every 250").code, 0);
    EXPECT_EQ(result_of(run(command + " --regions 2 --resume " + file.path())), whole);
    // The state of other nodes is refused: here of the general ones.
    EXPECT_EQ(run(ring + " --engine rtl --resume " + file.path()).code, 2);
}

TEST_F(FittedNodes, AreRefusedInOneLine) {
    const Outcome native = run(ring + " --fitted");
    EXPECT_EQ(native.code, 2);
    EXPECT_EQ(
        native.err,
        "interlace: node.fitted: cannot fit nodes of a run that has none in RTL; expected --engine rtl, "
        "--rtl-nodes or --lockstep rtl\n");
    const Outcome infinite = run(ring + " --engine rtl --fitted --set node.injection_depth=0");
    EXPECT_EQ(infinite.code, 2);
    EXPECT_THAT(infinite.err, HasSubstr("hardware has no infinite injection queues; expected a depth"));
    const Outcome tools = run_in_shell("PATH= " INTERLACE_COMMAND " " + ring + " --engine rtl --fitted");
    EXPECT_EQ(tools.code, 2);
    EXPECT_THAT(tools.err, HasSubstr("expected the program verilator to be installed"));
    const Outcome compiler =
        run_in_shell("CXX=false " INTERLACE_COMMAND " " + ring + " --engine rtl --fitted");
    EXPECT_EQ(compiler.code, 1);
    EXPECT_THAT(compiler.err, HasSubstr("false --version failed"));
    EXPECT_EQ(libraries(), 0U);
}

}  // namespace
}  // namespace interlace
