// Interlace: what a report shows, against the runs themselves
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/report/document.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/experiment.h"
#include "interlace/study/size.h"
#include "support/error_of.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using testing::HasSubstr;

class Document : public testing::Test {
  protected:
    ~Document() override { std::filesystem::remove_all(folder_); }
    std::string in_folder(const std::string& name) const { return folder_ + name; }
    std::string write(const std::string& name, const Json& json) const {
        write_whole_file(in_folder(name), [&](std::ostream& out) { out << json.dump(); });
        return in_folder(name);
    }
    const std::string folder_ = testing::TempDir() + "document" + std::to_string(::getpid()) + "/";
    bool made_ = std::filesystem::create_directories(folder_);
};

Experiment broadcast(const std::string& network, std::uint32_t packets, const std::string& engine) {
    Experiment e;
    e.network = network;
    e.packets = packets;
    e.engine = engine;
    return e;
}

TEST_F(Document, HasEveryPointOfASweep) {
    const TemporaryFile file(
        "schema: 1\nname: s\nexperiment: {network: torus:4x4, broadcast: {}}\n"
        "sweep: {network: [torus:4x4, torus:5x5, graph:none.csv], broadcast.packets: [2, 8]}\n");
    run_sweep(Sweep(file.path(), {}), in_folder("s.db"), {});
    const Json document = report_document({in_folder("s.db")}, "A sweep");
    EXPECT_EQ(document["title"], "A sweep");
    ASSERT_EQ(document["parts"].size(), 1U);
    const Json& part = document["parts"][0];
    EXPECT_EQ(part["kind"], "sweep");
    EXPECT_EQ(part["name"], "s");
    EXPECT_EQ(part["swept"], Json({"network", "broadcast.packets"}));
    const auto& columns = part["columns"];
    const auto steps =
        static_cast<std::size_t>(std::find(columns.begin(), columns.end(), "steps") - columns.begin());
    ASSERT_LT(steps, columns.size());
    ASSERT_EQ(part["rows"].size(), 6U);
    for (std::size_t row = 0; row < 4; ++row) {
        const std::string network = row < 2 ? "torus:4x4" : "torus:5x5";
        const std::uint32_t packets = row % 2 == 0 ? 2 : 8;
        EXPECT_EQ(part["rows"][row][0], network);
        EXPECT_EQ(part["rows"][row][1], packets);
        EXPECT_EQ(part["rows"][row][steps], run_broadcast(broadcast(network, packets, "step")).run.steps);
    }
    ASSERT_EQ(part["failed"].size(), 2U);
    EXPECT_EQ(part["failed"][1]["row"], 5);
    EXPECT_THAT(part["failed"][1]["error"].get<std::string>(), HasSubstr("none.csv"));
    EXPECT_TRUE(part["rows"][5][steps].is_null());
}

// As the run alone counts them; on engines without queues and where occupancy is off, none.
TEST_F(Document, HasTheQueuesOfEveryPointOfASweep) {
    const TemporaryFile file(
        "schema: 1\nname: s\nexperiment: {network: torus:4x4, broadcast: {packets: 8}}\n"
        "sweep: {engine: [step, native], occupancy: [false, true]}\n");
    run_sweep(Sweep(file.path(), {}), in_folder("s.db"), {});
    const Json document = report_document({in_folder("s.db")}, "A sweep");
    const Json& queues = document["parts"][0]["queues"];
    ASSERT_EQ(queues.size(), 4U);
    for (std::size_t row = 0; row < 3; ++row) EXPECT_TRUE(queues[row].is_null()) << row;
    EXPECT_EQ(queues[3], to_json(run_broadcast(broadcast("torus:4x4", 8, "native")))["queues"]);
}

TEST_F(Document, HasASizeAndItsPoints) {
    const TemporaryFile file(
        "schema: 1\nname: line\nexperiment: {network: mesh:4, broadcast: {packets: 64}, engine: native,\n"
        "  forwarding: table, links: {latency: 4}, node: {switching: virtual_cut_through, vcs: 1}}\n"
        "size: {tolerance: 0, queues: virtual_channel}\n");
    const SizeStudy study(file.path(), {});
    const SizeResult result = run_size(study, in_folder("line.db"), {});
    const Json document = report_document({in_folder("line.db")}, "");
    ASSERT_EQ(document["parts"].size(), 2U);
    const Json& size = document["parts"][0];
    EXPECT_EQ(size["kind"], "size");
    EXPECT_EQ(size["queues"], Json({"virtual_channel"}));
    EXPECT_EQ(size["reference"], result.reference);
    // 8 + 2 x 4 + 2 flits, up to whole packets (Size.OfAChannelIsAPacketAndTheRoundTrip).
    EXPECT_EQ(size["joint"]["depths"], Json({24}));
    EXPECT_EQ(size["alone"][0]["free"], 24);
    ASSERT_EQ(size["tried"].size(), result.tried.size());
    std::uint32_t before = 0;
    bool has_24 = false;
    for (const Json& tried : size["alone"][0]["tried"]) {
        EXPECT_GT(tried[0].get<std::uint32_t>(), before);  // by depth, each once
        before = tried[0].get<std::uint32_t>();
        has_24 = has_24 || (before == 24 && tried[2] == 1.0);
    }
    EXPECT_TRUE(has_24);
    EXPECT_EQ(document["parts"][1]["kind"], "sweep");
    EXPECT_EQ(document["parts"][1]["rows"].size(), result.tried.size());
}

// torus:3 from node 0: both packets go both ways, so node 1 and 2 have them in steps 1 and 2; half of the six
// links carry nothing.
TEST_F(Document, DrawsARun) {
    Experiment e = broadcast("torus:3", 2, "step");
    e.algorithm = "optimal";
    e.cycles.records.details = true;
    const std::string step = write("step.json", to_json(run_broadcast(e)));
    const Json part = report_document({step, step}, "")["parts"][1];
    EXPECT_EQ(part["name"], "broadcast on torus:3 (2)");
    EXPECT_EQ(part["wavefront"]["unit"], "step");
    EXPECT_EQ(part["wavefront"]["arrivals"][0], Json::array());
    for (const int node : {1, 2}) EXPECT_EQ(part["wavefront"]["arrivals"][node].back(), 2);
    EXPECT_EQ(part["links"]["ports"], Json({"+x", "-x"}));
    EXPECT_EQ(part["links"]["sizes"], Json({3}));
    double use = 0;
    for (const Json& port : part["links"]["utilisation"])
        for (const Json& link : port) use += link.get<double>();
    EXPECT_DOUBLE_EQ(use, 4 / 2.0);  // four sends in two steps
    EXPECT_TRUE(part["queues"].is_null());
}

// A host acts on a packet F + 4 cycles a hop after its source began (docs/node.md, section 7), and its link
// is busy for F.
TEST_F(Document, DrawsARunInCycles) {
    Experiment e = broadcast("mesh:3", 1, "native");
    e.cycles.records.details = true;
    const Json part = report_document({write("cycles.json", to_json(run_broadcast(e)))}, "")["parts"][0];
    EXPECT_EQ(part["wavefront"]["unit"], "cycle");
    EXPECT_EQ(part["wavefront"]["arrivals"], Json({Json::array(), {12}, {24}}));
    EXPECT_EQ(part["links"]["utilisation"][0], Json({0.3333, 0.3333, nullptr}));
    EXPECT_EQ(part["links"]["utilisation"][1], Json({nullptr, 0.0, 0.0}));
    double cycles = 0;
    for (const Json& queues : part["queues"]["injection"]["histogram"]) cycles += queues.get<double>();
    EXPECT_EQ(static_cast<int>(cycles) % 3, 0);  // of three nodes, alike
}

TEST_F(Document, RefusesWhatIsNoResult) {
    EXPECT_THAT(error_of([&] { report_document({in_folder("none")}, ""); }), HasSubstr("none"));
    const std::string text = write("text.json", Json("text"));
    EXPECT_THAT(error_of([&] { report_document({text}, ""); }), HasSubstr("text.json"));
    const std::string other = write("other.json", {{"schema", "simgrid/1"}});
    EXPECT_THAT(error_of([&] { report_document({other}, ""); }), HasSubstr("a file of results (SQLite)"));
}

}  // namespace
}  // namespace interlace
