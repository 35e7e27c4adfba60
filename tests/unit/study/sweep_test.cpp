// Interlace: sweeps and their results
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/sweep.h"
#include "interlace/experiment/kinds/broadcast.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "interlace/core/error.h"
#include "interlace/results/query.h"
#include "interlace/results/wide_view.h"
#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string head = "schema: 1\nexperiment: {network: torus:4x4, broadcast: {}, engine: native}\n";

/// The values of the first path of each point.
std::vector<std::string> values(const std::string& axes) {
    const TemporaryFile file(head + axes);
    const Sweep sweep(file.path(), {});
    std::vector<std::string> values;
    for (std::size_t i = 0; i < sweep.size(); ++i) values.push_back(sweep.values(i).front().second);
    return values;
}

TEST(Sweep, AxesAreListsAndRanges) {
    EXPECT_THAT(values("sweep: {seed: [3, 1]}\n"), ElementsAre("3", "1"));
    EXPECT_THAT(values("sweep: {seed: 7}\n"), ElementsAre("7"));
    EXPECT_THAT(values("sweep: {seed: {from: 1, to: 4}}\n"), ElementsAre("1", "2", "3", "4"));
    EXPECT_THAT(values("sweep: {x: {from: 0.1, to: 0.3, step: 0.1}}\n"), ElementsAre("0.1", "0.2", "0.3"));
    EXPECT_THAT(values("sweep: {x: {from: 0.0, to: 1.0, points: 3}}\n"), ElementsAre("0", "0.5", "1"));
    EXPECT_THAT(values("sweep: {x: {from: 8, to: 100, factor: 2}}\n"), ElementsAre("8", "16", "32", "64"));
    EXPECT_THAT(values("sweep: {x: {from: 1, to: 1000, points: 4, scale: log}}\n"),
                ElementsAre("1", "10", "100", "1000"));
    // Whole numbers, each once: 1, 1.26, 1.59, 2.
    EXPECT_THAT(values("sweep: {x: {from: 1, to: 2, points: 4, scale: log}}\n"), ElementsAre("1", "2"));
    const TemporaryFile one(head);
    EXPECT_EQ(Sweep(one.path(), {}).size(), 1U);
}

TEST(Sweep, IsTheProductOfItsAxesTheFirstSlowest) {
    const TemporaryFile file(head +
                             "sweep:\n  network: [torus:4x4, \"ibt:8x8:b=4\"]\n  seed: [1, 2]\n"
                             "zip:\n  - {node.vc_depth: [8, 16], node.injection_depth: [8, 32]}\n");
    const Sweep sweep(file.path(), {});
    ASSERT_EQ(sweep.size(), 8U);
    using Values = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(
        sweep.values(0),
        (Values{
            {"network", "torus:4x4"}, {"seed", "1"}, {"node.vc_depth", "8"}, {"node.injection_depth", "8"}}));
    EXPECT_EQ(sweep.values(5), (Values{{"network", "ibt:8x8:b=4"},
                                       {"seed", "1"},
                                       {"node.vc_depth", "16"},
                                       {"node.injection_depth", "32"}}));
    const auto e = dynamic_cast<const BroadcastExperiment&>(*sweep.experiment(7));
    EXPECT_EQ(e.network, "ibt:8x8:b=4");
    EXPECT_EQ(e.seed, 2U);
    EXPECT_EQ(e.cycles.node.injection_depth, 32U);
}

TEST(Sweep, FormulasAreComputedFromTheOtherValues) {
    const TemporaryFile file(head +
                             "sweep:\n  network: [torus:4x4, torus:4x4x4]\n  links.latency: [1, 5]\n"
                             "  links.cycles_per_flit: = degree\n"
                             "  node.vc_depth: = 2 * links.latency + node.packet_flits + 2\n");
    const Sweep sweep(file.path(), {"experiment.node={packet_flits: 8}"});
    ASSERT_EQ(sweep.size(), 4U);
    const std::vector<std::pair<std::string, std::uint32_t>> expected = {
        {"4", 12}, {"4", 20}, {"6", 12}, {"6", 20}};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(sweep.values(i)[2].second, expected[i].first);
        const auto e = dynamic_cast<const BroadcastExperiment&>(*sweep.experiment(i));
        EXPECT_EQ(std::to_string(e.cycles.links.cycles_per_flit), expected[i].first);
        EXPECT_EQ(e.cycles.node.vc_depth, expected[i].second);
    }
    // Coordinates of a ring of 4 are 0, 1, 1, 2 hops away: 2 in the mean of both, over 16 nodes; 32 / 15 over
    // others.
    EXPECT_THAT(values("sweep: {seed: = nodes + diameter + 15 * mean_distance}\n"), ElementsAre("52"));
}

// What contains a ": " is quoted in YAML, in either way.
TEST(Sweep, FormulasMayBeQuoted) {
    EXPECT_THAT(values("sweep: {seed: \"= nodes > 4 ? 32 : 16\"}\n"), ElementsAre("32"));
    EXPECT_THAT(
        values("sweep:\n  seed:\n    - '= nodes < 4 ? 32 : 16'\n    - \"= 7\"\n    - = 8\n    - '9'\n"),
        ElementsAre("16", "7", "8", "9"));
}

TEST(Sweep, SaysWhatIsWrongWithAFormula) {
    const auto error = [](const std::string& formula) {
        return error_of([&] {
            const TemporaryFile file(head + "sweep: {links.latency: \"" + formula + "\"}\n");
            Sweep(file.path(), {}).experiment(0);
        });
    };
    EXPECT_THAT(error("= degre"),
                HasSubstr("links.latency: formula '= degre': cannot use unknown name degre (did you "
                          "mean degree?)"));
    EXPECT_THAT(error("= 2 *"), HasSubstr("formula '= 2 *': "));
    EXPECT_THAT(error("= 1 / 0"), HasSubstr("the result is not a number"));
    EXPECT_THAT(error("= 1,2,16"), HasSubstr("formula '= 1,2,16': there are 3 results; expected one number"));
    EXPECT_THAT(error("= degree = 3"), HasSubstr("formula '= degree = 3': "));
    EXPECT_THAT(error("= degree / 3"), HasSubstr("latency"));  // 4/3 cycles
    EXPECT_EQ(error("= degree"), "no error");
}

TEST(Sweep, SaysWhatIsWrongAndWhere) {
    const auto error = [](const std::string& axes) { return error_of([&] { values(axes); }); };
    EXPECT_THAT(error("sweep: {seed: []}\n"), HasSubstr(":3: seed: there are no values"));
    EXPECT_THAT(error("sweep: {x: {from: 2, to: 1}}\n"), HasSubstr("to: 1 is below 2"));
    EXPECT_THAT(error("sweep: {x: {from: 0, to: 1, factor: 2}}\n"),
                HasSubstr("from: cannot use value 0; expected above 0"));
    EXPECT_THAT(error("sweep: {x: {from: 1, to: 9, factor: 1}}\n"), HasSubstr("factor: cannot use value 1"));
    EXPECT_THAT(error("sweep: {x: {from: 1, to: 9, step: 0}}\n"), HasSubstr("step: cannot use value 0"));
    EXPECT_THAT(error("sweep: {x: {from: 1, to: 9, steps: 2}}\n"),
                HasSubstr("steps: this is an unknown key"));
    EXPECT_THAT(error("zip: [{x: [1, 2], y: [1]}]\n"), HasSubstr("y: this has 1 values, and x has 2"));
    EXPECT_THAT(error("sweep: {x: {from: 1, to: 2000000}}\n"), HasSubstr("at most 1000000"));
    EXPECT_THAT(error("sweeps: {}\n"), HasSubstr("sweeps: this is an unknown key"));
    EXPECT_THAT(error("sweep: {x: {from: 1, to: 9, scale: foo}}\n"),
                HasSubstr(":3: scale: cannot use scale 'foo'; expected linear or log"));
    EXPECT_THAT(error("sweep: {x: {from: 1, to: 9, factor: 2, scale: linear}}\n"),
                HasSubstr("scale: a factor goes with a logarithmic scale; expected scale: log"));
    EXPECT_THAT(error("zip: [{}]\n"), HasSubstr(":3: there are no paths; expected paths that vary together"));
    EXPECT_THAT(error("sweep: {x: [&a [*a]]}\n"), HasSubstr(":3: an alias is inside its own value"));
    // The table would show one of the two values and the run have the other.
    EXPECT_THAT(error("sweep: {seed: [1, 2]}\nzip: [{seed: [3, 4]}]\n"),
                HasSubstr(":4: seed: conflicts with seed; expected each value under one of them"));
    EXPECT_THAT(error("zip: [{node.vcs: [1, 2]}, {node: [{vcs: 2}, {vcs: 1}]}]\n"),
                HasSubstr("node: conflicts with node.vcs"));
    EXPECT_EQ(error("sweep: {node.vc: [1]}\nzip: [{node.vcs: [1, 2]}]\n"), "no error");
}

class SweepRun : public testing::Test {
  protected:
    SweepRun()
        : file_(head + "name: s\nsweep:\n  node.vc_depth: [4, 8, 16]\n  broadcast.packets: [2, 3]\n") {}
    ~SweepRun() override { std::filesystem::remove_all(folder_); }

    SweepProgress run(const std::string& db, SweepOptions options = {}) const {
        return run_sweep(Sweep(file_.path(), {}), folder_ + db, options);
    }
    ResultsTable table(const std::string& db, const ResultsQuery& query) const {
        ResultsFile results(folder_ + db, ResultsFile::Mode::read);
        return select(results, query);
    }
    std::string folder_ = testing::TempDir() + "sweep" + std::to_string(::getpid()) + "/";
    TemporaryFile file_;
    bool made_ = std::filesystem::create_directories(folder_);
};

TEST_F(SweepRun, StoresEveryPointAndRunsNoneTwice) {
    const SweepProgress first = run("a.db");
    EXPECT_EQ(first.points, 6U);
    EXPECT_EQ(first.done, 4U);
    EXPECT_EQ(first.failed, 2U);  // a packet has 8 flits
    const SweepProgress second = run("a.db");
    EXPECT_EQ(second.known, 6U);
    EXPECT_EQ(second.done + second.failed, 0U);
    const SweepProgress third = run("a.db", {1, true});
    EXPECT_EQ(third.known, 4U);
    EXPECT_EQ(third.failed, 2U);
    const ResultsTable failed = table("a.db", {"", {"number", "node.vc_depth", "error"}, {"status=failed"}});
    ASSERT_EQ(failed.rows.size(), 2U);
    EXPECT_EQ(failed.rows[1][0], 1);
    EXPECT_THAT(failed.rows[1][2].get<std::string>(),
                HasSubstr("vc_depth: cannot use 4 under packets of 8 flits"));
}

TEST_F(SweepRun, SideBySideIsTheSame) {
    run("one.db", {1, false});
    run("many.db", {4, false});
    const ResultsQuery query{
        "", {"number", "hash", "status", "error", "cycles", "steps", "node.vc_depth"}, {}};
    EXPECT_EQ(table("one.db", query).rows, table("many.db", query).rows);
}

TEST_F(SweepRun, ResultsAreThoseOfASingleRun) {
    run("a.db");
    const ResultsTable cycles =
        table("a.db", {"s", {"cycles", "steps"}, {"node.vc_depth=16", "broadcast.packets>2"}});
    ASSERT_EQ(cycles.rows.size(), 1U);
    BroadcastExperiment e;
    e.network = "torus:4x4";
    e.packets = 3;
    e.engine = "native";
    e.cycles.node.vc_depth = 16;
    const BroadcastResult result = run_broadcast(e);
    EXPECT_EQ(cycles.rows[0][0], result.cycles->cycles.mean);
    EXPECT_EQ(cycles.rows[0][1], result.run.steps);
}

// Points that differ in what they do after a warm-up begin where it ended, and say what they say alone.
TEST_F(SweepRun, PointsThatShareAWarmUpSayWhatTheySayAlone) {
    for (const char* sweep :
         {"experiment: {network: torus:4x4, traffic: {load: 0.2, warmup: 3000}, engine: native}\n"
          "sweep: {traffic.cycles: [500, 700, 900], traffic.load: [0.1, 0.2]}\n",
          "experiment: {network: torus:4x4, broadcast: {}, engine: native, background: {load: 0.05}}\n"
          "sweep: {broadcast.algorithm: [spanning_tree, optimal], pace: [off, step], seeds: [1, 30]}\n"}) {
        const TemporaryFile file(std::string("schema: 1\nname: w\n") + sweep);
        const Sweep points(file.path(), {});
        run_sweep(points, folder_ + "w.db", {2, false});
        EXPECT_FALSE(std::filesystem::exists(folder_ + "w.db.warm"));
        const std::vector<std::string> keys = {"cycles", "queues.virtual_channel.mean",
                                               "queues.injection.stall_cycles"};
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Json alone = points.experiment(i)->run().flatten();
            const ResultsTable stored = table("w.db", {"w", keys, {"number=" + std::to_string(i)}});
            ASSERT_EQ(stored.rows.size(), 1U);
            for (std::size_t k = 0; k < keys.size(); ++k) {
                std::string path = "/" + keys[k];
                std::replace(path.begin(), path.end(), '.', '/');
                EXPECT_EQ(stored.rows[0][k], alone.at(path)) << "point " << i << ", " << keys[k];
            }
        }
        std::filesystem::remove(folder_ + "w.db");
    }
}

TEST_F(SweepRun, NothingIsWrittenWhereNoPointCanBeRead) {
    const TemporaryFile bad(head + "sweep: {node.vc_dept: [8, 16]}\n");
    EXPECT_THROW(run_sweep(Sweep(bad.path(), {}), folder_ + "bad.db", {}), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder_ + "bad.db"));
}

TEST_F(SweepRun, OneWriterAtATimeAndReadersBeside) {
    run("a.db");
    const ResultsFile writer(folder_ + "a.db", ResultsFile::Mode::write);
    EXPECT_THROW(run("a.db"), InputError);
    EXPECT_EQ(table("a.db", {}).rows.size(), 6U);
}

TEST_F(SweepRun, TablesPivotAndExport) {
    run("a.db");
    const ResultsQuery query{"", {"node.vc_depth", "broadcast.packets", "steps"}, {"node.vc_depth>=8"}};
    ResultsTable t = table("a.db", query);
    const Json two = t.rows[0][2];
    const Json three = t.rows[1][2];
    EXPECT_EQ(to_csv(t), "node.vc_depth,broadcast.packets,steps\n8,2," + two.dump() + "\n8,3," +
                             three.dump() + "\n16,2," + two.dump() + "\n16,3," + three.dump() + "\n");
    EXPECT_THAT(to_json_lines(t),
                testing::StartsWith("{\"node.vc_depth\":8,\"broadcast.packets\":2,\"steps\":"));
    const ResultsTable p = pivot(t);
    EXPECT_THAT(p.header, ElementsAre("node.vc_depth \\ broadcast.packets", "2", "3"));
    EXPECT_EQ(p.rows, (std::vector<std::vector<Json>>{{8, two, three}, {16, two, three}}));
    t.header.pop_back();
    EXPECT_THROW(pivot(t), InputError);
    EXPECT_THROW(table("a.db", {"", {"nothing"}, {}}), InputError);
    EXPECT_THROW(table("a.db", {"other", {}, {}}), InputError);
    EXPECT_THROW(table("a.db", {"", {}, {"cycles~3"}}), InputError);
    ResultsFile results(folder_ + "a.db", ResultsFile::Mode::read);
    EXPECT_EQ(run_sql(results, "SELECT count(*) FROM point").rows[0][0], 6);
    EXPECT_THROW(run_sql(results, "DELETE FROM point"), InputError);
    EXPECT_EQ(to_csv({{"a"}, {{"say \"x\", y"}}}), "a\n\"say \"\"x\"\", y\"\n");
}

TEST_F(SweepRun, TheWideViewIsATableOfTypedColumns) {
    run("a.db");
    ResultsFile results(folder_ + "a.db", ResultsFile::Mode::read);
    // 4 flits are too few for a packet of 8.
    const ResultsTable view = run_sql(
        results,
        R"(SELECT sweep, number, "node.vc_depth", "broadcast.packets", status, steps IS NULL FROM results)");
    ASSERT_EQ(view.rows.size(), 6U);
    EXPECT_EQ(view.rows[1], (std::vector<Json>{"s", 1, 4, 3, "failed", 1}));
    EXPECT_EQ(view.rows[4], (std::vector<Json>{"s", 4, 16, 2, "done", 0}));
    const std::vector<WideColumn> columns = wide_columns(results);
    const auto type = [&](const std::string& name) {
        for (const WideColumn& column : columns)
            if (column.name == name) return column.type;
        return std::string("no column");
    };
    EXPECT_EQ(type("node.vc_depth"), "INTEGER");
    EXPECT_EQ(type("cycles_per_step"), "REAL");
    EXPECT_EQ(type("status"), "TEXT");
    const ResultsTable all = run_sql(results, "SELECT * FROM results");
    EXPECT_EQ(wide_table(results, columns).rows, all.rows);
    EXPECT_EQ(wide_table(results, wide_columns(results, "s"), "s").rows, all.rows);
    EXPECT_THROW(wide_columns(results, "t"), InputError);
}

TEST_F(SweepRun, TheWideViewHasNullWhereALoadWasNotCarried) {
    const TemporaryFile file(
        "schema: 1\nname: t\nexperiment: {network: torus:4x4, traffic: {warmup: 100, cycles: 500}}\n"
        "sweep: {traffic.load: [0.1, 9]}\n");
    run_sweep(Sweep(file.path(), {}), folder_ + "t.db", {});
    ResultsFile results(folder_ + "t.db", ResultsFile::Mode::read);
    const ResultsTable view = run_sql(
        results, R"(SELECT "traffic.load", carried, typeof(latency_mean) FROM results ORDER BY number)");
    EXPECT_EQ(view.rows, (std::vector<std::vector<Json>>{{0.1, 1, "real"}, {9.0, 0, "null"}}));
}

TEST_F(SweepRun, AFilesOwnTableOfTheViewsNameStays) {
    run("a.db");
    {
        ResultsFile results(folder_ + "a.db", ResultsFile::Mode::write);
        results.database().exec("DROP VIEW results; CREATE TABLE results (mine)");
    }
    run("a.db");
    ResultsFile results(folder_ + "a.db", ResultsFile::Mode::read);
    EXPECT_EQ(run_sql(results, "SELECT type FROM sqlite_master WHERE name = 'results'").rows[0][0], "table");
}

}  // namespace
}  // namespace interlace
