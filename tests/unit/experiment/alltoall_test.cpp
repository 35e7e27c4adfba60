// Interlace: the choice among all ways to exchange
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/alltoall.h"

#include <gmock/gmock.h>

#include "interlace/experiment/experiment.h"
#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

/// Two switches of four machines of 25 Gbps each, and a switch between that all four reach at their rate at
/// once. Sixteen messages cross an uplink, so a schedule has sixteen phases; a machine has seven messages.
constexpr auto fast_uplinks =
    "network:\n  kind: cluster\n  switches: 3\n  trunks: [[0, 2], [1, 2]]\n  machines: [0, 0, 0, 0, 1, 1, 1, "
    "1]\n"
    "  link: {rate_mbps: 25000}\n  trunk: {rate_mbps: 100000}\n";

class Exchanges : public testing::Test {
  protected:
    Exchanges() : file_(fast_uplinks) {
        e_.cluster.network = "cluster:" + file_.path();
        e_.message = 65'536;
    }
    double milliseconds(const AllToAllExperiment& e) const {
        return run_alltoall(e).result->seconds().mean * 1e3;
    }

    TemporaryFile file_;
    AllToAllExperiment e_;
};

/// Every experiment that a flag of the command line can ask for here, but --block and numbers of a window.
std::vector<AllToAllExperiment> all_of(AllToAllExperiment e) {
    std::vector<AllToAllExperiment> all;
    for (const char* algorithm : {"pairwise", "staggered", "post_all"}) {
        e.algorithm = algorithm;
        all.push_back(e);
    }
    e.algorithm = "scheduled";
    for (const char* sync :
         {"none", "dummy", "sender_all", "sender_partial", "receiver_all", "receiver_partial", "barrier_all",
          "barrier_partial_none", "barrier_partial_sender", "barrier_partial_receiver"}) {
        e.sync = sync;
        all.push_back(e);
    }
    e.algorithm = "shuffle";
    for (const char* permutation : {"shift", "xor", "edge_colour"})
        for (const bool reorder : {false, true}) {
            e.permutation = permutation;
            e.reorder = reorder;
            all.push_back(e);
        }
    return all;
}

TEST_F(Exchanges, BestIsAsFastAsTheFastest) {
    e_.algorithm = "best";
    const AllToAllRun best = run_alltoall(e_);
    double least = 1e9;
    for (const AllToAllExperiment& e : all_of(e_)) least = std::min(least, milliseconds(e));
    const double found = best.result->seconds().mean * 1e3;
    EXPECT_LE(found, least);
    EXPECT_DOUBLE_EQ(milliseconds(best.ran), found);
    EXPECT_EQ(best.tried.size(), 5 + 5 * 4 + 3 + 6);
    // Seven messages of 65536 bytes at 25 Gbps are what no exchange beats; sixteen phases what a schedule
    // takes.
    const double message_ms = 65'536 * 8 / 25e9 * 1e3;
    EXPECT_GT(found, 7 * message_ms);
    EXPECT_LT(found, 1.2 * 7 * message_ms);
    e_.algorithm = "tuned";
    const AllToAllRun tuned = run_alltoall(e_);
    EXPECT_EQ(tuned.ran.algorithm, "scheduled");
    EXPECT_GT(tuned.result->seconds().mean * 1e3, 1.5 * found);
}

TEST_F(Exchanges, TheResultSaysWhatWasChosenAndRunsAgain) {
    e_.algorithm = "best";
    e_.message = 3000;
    const AllToAllRun best = run_alltoall(e_);
    const Json json = to_json(best);
    EXPECT_EQ(json["experiment"]["alltoall"]["algorithm"], "best");
    EXPECT_EQ(json["chosen"]["algorithm"], best.ran.algorithm);
    EXPECT_EQ(json["tried"].size(), best.tried.size());
    for (const Json& tried : json["tried"]) EXPECT_GE(tried["seconds"], json["seconds"]);
    EXPECT_EQ(read_experiment(ConfigMap::from_text(json["experiment"].dump(), "t"))->run(), json);
    e_.until = Until::plan;
    EXPECT_THAT(error_of([&] { run_alltoall(e_); }), testing::StartsWith("cannot plan the algorithm best"));
}

TEST_F(Exchanges, TunedNamesWhatIsFaster) {
    std::vector<std::string> notes;
    RunListener listener;
    listener.warn = [&](const std::string& note) { notes.push_back(note); };
    e_.algorithm = "tuned";
    run_alltoall(e_, listener);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_THAT(notes[0], testing::HasSubstr("--algorithm best"));
    // One link of 10 Mbps between two pairs: four messages cross it, one after another, whatever machines do,
    // and a schedule keeps it busy.
    const TemporaryFile slow(
        "network:\n  kind: cluster\n  switches: 2\n  trunks: [[0, 1]]\n  machines: [0, 0, 1, 1]\n"
        "  trunk: {rate_mbps: 10}\n");
    notes.clear();
    e_.cluster.network = "cluster:" + slow.path();
    const double tuned = run_alltoall(e_, listener).result->seconds().mean * 1e3;
    double other = 1e9;
    for (const AllToAllExperiment& e : all_of(e_))
        if (e.algorithm != "scheduled") other = std::min(other, milliseconds(e));
    EXPECT_EQ(notes.empty(), tuned <= other);
}

TEST_F(Exchanges, OfUnevenSwitchesHaveNoOrderAndNoXor) {
    const TemporaryFile uneven(
        "network:\n  kind: cluster\n  switches: 2\n  trunks: [[0, 1]]\n  machines: [0, 0, 1]\n");
    e_.cluster.network = "cluster:" + uneven.path();
    e_.algorithm = "best";
    EXPECT_EQ(run_alltoall(e_).tried.size(), 5 + 5 * 4 + 3 + 2);  // shift and edge_colour, without a window
}

}  // namespace
}  // namespace interlace
