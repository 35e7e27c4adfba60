// Interlace: interlace area, with Yosys
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_command.h"

namespace interlace {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class AreaCommand : public testing::Test {
  protected:
    ~AreaCommand() override { fs::remove_all(folder_); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ + name) << text;
        return folder_ + name;
    }
    std::string node(const std::string& more = "") const {
        const std::string base =
            write("base.yaml",
                  "flit_bytes: 8\nvcs: 1\nvc_depth: 8\ninjection_queues: 1\ninjection_depth: 8\n"
                  "reception_queues: 1\nreception_depth: 8\n");
        return write("node.yaml", "base: " + base + "\n" + more);
    }
    const std::string folder_ = testing::TempDir() + "area" + std::to_string(::getpid()) + "/";
    bool made_ = fs::create_directories(folder_);
};

TEST_F(AreaCommand, OfARingsNodeFillsTheCacheAndComesFromIt) {
    const std::string command = "area torus:4 --slots 2 --target ice40 --json --node " +
                                node("pipeline: 7\nturn_back: false\n") + " --cache " + folder_ +
                                "cache/below";
    const Outcome first = run(command + " --netlist " + folder_ + "netlist.json");
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_TRUE(
        nlohmann::json::parse(std::ifstream(folder_ + "netlist.json"))["modules"].contains("il_node"));
    auto area = nlohmann::json::parse(first.out);
    EXPECT_EQ(area["schema"], "interlace.area/1");
    EXPECT_EQ(area["target"], "ice40");
    EXPECT_EQ(area["cached"], false);
    // Two link channels, one injection and one reception queue, 8 flits of 64 bits each.
    EXPECT_EQ(area["buffer_bits"], 4 * 8 * 64);
    EXPECT_EQ(area["parameters"]["Ports"], 2);
    EXPECT_EQ(area["parameters"]["FixedVcDepth"], 8);
    // A RAM of an iCE40 is 16 bits wide, a flit 64, and 66 in the reception queue: of each of two links'
    // channels a copy for the other link and the reception queue, of the injection queue one for two links.
    EXPECT_EQ(area["block_rams"], (2 * 2 + 2) * 4 + 5);
    // Registers at the pins, twice before the core: flit and its channel, of three inputs.
    EXPECT_GE(area["flip_flops"], 2 * 3 * 66);
    EXPECT_GT(area["luts"], 500);
    EXPECT_GT(area["levels"], 2);
    auto again = nlohmann::json::parse(run(command).out);
    EXPECT_EQ(again["cached"], true);
    again["cached"] = false;
    EXPECT_EQ(again, area);
}

TEST_F(AreaCommand, SaysWhatHardwareCannotBe) {
    const auto refused = [&](const std::string& arguments, const std::string& says) {
        const Outcome outcome = run("area torus:4 " + arguments);
        EXPECT_EQ(outcome.code, 2) << arguments << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(says)) << arguments;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    };
    refused("--node " + node("vc_depth: 0\n"), "infinite");
    refused("--node " + node("vc_depth: 65536\n"), "at most 32768");
    refused("--node " + node("flit_bytes: 12\n"), "multiple of 8");
    refused("--slots 3", "power of two");
    refused("--target spartan", "target 'spartan'");
}

TEST_F(AreaCommand, SaysThatYosysIsMissing) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", folder_.c_str(), 1);
    const Outcome outcome = run("area torus:4");
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("expected the program yosys to be installed"));
}

TEST_F(AreaCommand, AFailureOfYosysIsSaidAndNotKept) {
    // A Yosys of our own that fails: what it says last is the reason.
    const std::string yosys = write(
        "yosys", "#!/bin/sh\n[ \"$1\" = -V ] && echo mine && exit\necho 'ERROR: out of cells'\nexit 3\n");
    fs::permissions(yosys, fs::perms::owner_all);
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", (folder_ + ":" + path).c_str(), 1);
    const Outcome outcome = run("area torus:4 --cache " + folder_ + "cache");
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("yosys ended with 3: ERROR: out of cells"));
    EXPECT_FALSE(fs::exists(folder_ + "cache"));
}

}  // namespace
}  // namespace interlace
