// Interlace: what a report shows, against the runs themselves
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/report/document.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/results/query.h"
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

BroadcastExperiment broadcast(const std::string& network, std::uint32_t packets, const std::string& engine) {
    BroadcastExperiment e;
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
    EXPECT_EQ(part["study"], "broadcast");
    EXPECT_EQ(part["swept"], Json({"network", "broadcast.packets"}));
    const auto& columns = part["columns"];
    const auto steps = static_cast<std::size_t>(
        std::find_if(columns.begin(), columns.end(), [](const Json& one) { return one["name"] == "steps"; }) -
        columns.begin());
    ASSERT_LT(steps, columns.size());
    EXPECT_EQ(columns[steps], Json({{"name", "steps"}, {"label", "Steps"}, {"unit", "steps"}}));
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

// Of what is random, intervals and the confirmation are those of the search.
TEST_F(Document, HasTheIntervalsOfASize) {
    const TemporaryFile file(
        "schema: 1\nname: jitter\nexperiment: {network: torus:3, host: {jitter_cycles: 20},\n"
        "  traffic: {load: 0.3, cycles: 300, warmup: 50}}\nsize: {tolerance: 0.2, queues: reception}\n");
    const SizeStudy study(file.path(), {});
    const SizeResult result = run_size(study, in_folder("jitter.db"), {});
    const Json size = report_document({in_folder("jitter.db")}, "")["parts"][0];
    ASSERT_TRUE(result.joint.confirmation);
    EXPECT_EQ(size["seeds"], 30);
    EXPECT_EQ(size["fixed"].size(), 2U);
    EXPECT_EQ(size["joint"]["half_interval"], result.joint.half_interval);
    EXPECT_EQ(size["joint"]["confirmed"]["half_interval"], result.joint.confirmation->half_interval);
    EXPECT_EQ(size["alone"][0]["half_interval"], result.alone[0].within.half_interval);
    for (std::size_t i = 0; i < result.front.size(); ++i)
        EXPECT_EQ(size["front"][i]["half_interval"], result.front[i].half_interval);
    for (const Json& tried : size["alone"][0]["tried"]) EXPECT_EQ(tried.size(), 4U);
}

// torus:3 from node 0: both packets go both ways, so node 1 and 2 have them in steps 1 and 2; half of the six
// links carry nothing.
TEST_F(Document, DrawsARun) {
    BroadcastExperiment e = broadcast("torus:3", 2, "step");
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
    EXPECT_EQ(part["links"]["to"], Json({{1, 2, 0}, {2, 0, 1}}));
    double use = 0;
    for (const Json& port : part["links"]["utilisation"])
        for (const Json& link : port) use += link.get<double>();
    EXPECT_DOUBLE_EQ(use, 4 / 2.0);  // four sends in two steps
    EXPECT_TRUE(part["queues"].is_null());
}

// A host acts on a packet F + 4 cycles a hop after its source began (docs/node.md, section 7), and its link
// is busy for F.
TEST_F(Document, DrawsARunInCycles) {
    BroadcastExperiment e = broadcast("mesh:3", 1, "native");
    e.cycles.records.details = true;
    const Json part = report_document({write("cycles.json", to_json(run_broadcast(e)))}, "")["parts"][0];
    EXPECT_EQ(part["wavefront"]["unit"], "cycle");
    EXPECT_EQ(part["wavefront"]["arrivals"], Json({Json::array(), {12}, {24}}));
    EXPECT_EQ(part["links"]["utilisation"][0], Json({0.3333, 0.3333, nullptr}));
    EXPECT_EQ(part["links"]["utilisation"][1], Json({nullptr, 0.0, 0.0}));
    EXPECT_EQ(part["links"]["to"], Json({{1, 2, nullptr}, {nullptr, 0, 1}}));
    double cycles = 0;
    for (const Json& queues : part["queues"]["injection"]["histogram"]) cycles += queues.get<double>();
    EXPECT_EQ(static_cast<int>(cycles) % 3, 0);  // of three nodes, alike
}

TEST_F(Document, RefusesLinksToNodesThatAreNone) {
    BroadcastExperiment e = broadcast("mesh:3", 1, "native");
    e.cycles.records.details = true;
    Json result = to_json(run_broadcast(e));
    for (const Json& node : Json({3, -1, 0.5, 1u << 31})) {
        result["links"]["to"][0][0] = node;
        const std::string file = write("to.json", result);
        EXPECT_EQ(error_of([&] { report_document({file}, ""); }),
                  "'" + file + "': links: to is " + node.dump() + "; expected one of the nodes");
    }
    result["links"].erase("to");  // as files of earlier versions have it
    EXPECT_EQ(report_document({write("to.json", result)}, "")["parts"].size(), 1U);
}

TEST_F(Document, RefusesWhatIsNoResult) {
    EXPECT_THAT(error_of([&] { report_document({in_folder("none")}, ""); }), HasSubstr("none"));
    const std::string text = write("text.json", Json("text"));
    EXPECT_THAT(error_of([&] { report_document({text}, ""); }), HasSubstr("text.json"));
    const std::string other = write("other.json", {{"schema", "simgrid/1"}});
    EXPECT_THAT(error_of([&] { report_document({other}, ""); }), HasSubstr("a file of results (SQLite)"));
}

// Each member of a size, a run and a reproduction, one after another, gone or of another type: a document as
// if nothing had been there, or one sentence that names the file. Lists of lists are tried at both ends.
class TouchedResult : public Document {
  protected:
    static void touch(const Json& json, const Json::json_pointer& at, std::vector<Json>& touched,
                      const Json& whole) {
        std::vector<std::string> keys;
        if (!json.is_structured()) return;
        for (const auto& [key, value] : json.items()) keys.push_back(key);
        if (json.is_array() && keys.size() > 2) keys = {keys.front(), keys.back()};
        for (const std::string& key : keys) {
            const auto inner = json.is_array() ? at / static_cast<std::size_t>(std::stoul(key)) : at / key;
            for (const Json& other :
                 {Json(nullptr), Json(-1), Json(1e300), Json("text"), Json::array(), Json::object()}) {
                touched.push_back(whole);
                touched.back()[inner] = other;
            }
            touched.push_back(whole);
            if (json.is_array())
                touched.back()[at].erase(static_cast<std::size_t>(std::stoul(key)));
            else
                touched.back()[at].erase(key);
            touch(whole[inner], inner, touched, whole);
        }
    }
    /// What `files` must not end in.
    void expect_document_or_sentence(const std::string& file, const std::string& what) const {
        try {
            const Json document = report_document({file}, "");
            EXPECT_EQ(Json::parse(document.dump()), document);
            ++shown_;
        } catch (const InputError& error) {
            ++refused_;
            EXPECT_THAT(error.what(), testing::AllOf(HasSubstr(file), HasSubstr("; expected "))) << what;
            EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n"))) << what;
        } catch (const std::exception& error) {
            ADD_FAILURE() << what << ": " << error.what();
        }
    }
    mutable int shown_ = 0, refused_ = 0;
};

TEST_F(TouchedResult, IsADocumentOrOneSentence) {
    const TemporaryFile file(
        "schema: 1\nname: line\nexperiment: {network: mesh:4, broadcast: {packets: 64}, engine: native,\n"
        "  forwarding: table, node: {switching: virtual_cut_through, vcs: 1}}\n"
        "size: {tolerance: 0, points: 2, queues: [reception, virtual_channel]}\n");
    const SizeStudy study(file.path(), {});
    BroadcastExperiment e = broadcast("torus:3", 2, "native");
    e.cycles.records.details = true;
    const Json row = {{"quantity", "lambda"}, {"network", "torus:3"}, {"source", ""},
                      {"published", "1"},     {"computed", "1"},      {"optimal", ""},
                      {"lower_bound", ""},    {"verdict", "differs"}, {"why", "?"}};
    const Json reproduced = {{"schema", "interlace.reproduce/1"},
                             {"experiment", {{"paper", "ibt"}}},
                             {"holds", true},
                             {"tables", {{{"name", "t"}, {"title", "T"}, {"rows", {row}}}}}};
    for (const Json& result :
         {to_json(study, run_size(study, in_folder("line.db"), {})), to_json(run_broadcast(e)), reproduced}) {
        std::vector<Json> touched = {result};
        touch(result, Json::json_pointer(), touched, result);
        for (const Json& one : touched)
            expect_document_or_sentence(write("touched.json", one), one.dump().substr(0, 1000));
    }
    EXPECT_GT(shown_, 3);
    EXPECT_GT(refused_, 500);
}

TEST_F(TouchedResult, OfTextsThatAreNoResult) {
    for (const std::string& text :
         {std::string(100'000, '['), R"({"a":)" + std::string(100'000, '['), std::string("{\"schema\": 1}"),
          std::string("{\"schema\": \"interlace.reproduce/1\", \"experiment\": {}}"),
          std::string("{\"schema\": \"interlace.run/1\", \"x\": \"\xff\"}"),
          std::string("{\"schema\": \"interlace.run/1\", \"x\": 1e999}"), std::string("[]"), std::string()}) {
        const TemporaryFile file(text);
        expect_document_or_sentence(file.path(), text.substr(0, 100));
    }
    EXPECT_EQ(shown_, 0);
    EXPECT_THAT(error_of([&] { report_document({folder_}, ""); }), HasSubstr("is a directory"));
    EXPECT_THAT(error_of([&] { report_document({}, "\xff"); }), HasSubstr("the title; expected UTF-8"));
}

// Deep results would be walked by functions that call themselves.
TEST_F(TouchedResult, IsNoDeeperThanResultsAre) {
    for (const int depth : {90, 110}) {
        std::string text = R"({"schema": "interlace.run/1", "a": )";
        for (int i = 1; i < depth; ++i) text += R"({"a": )";
        const TemporaryFile file(text + "1" + std::string(static_cast<std::size_t>(depth), '}'));
        expect_document_or_sentence(file.path(), std::to_string(depth));
    }
    EXPECT_EQ(shown_, 1);
    EXPECT_EQ(refused_, 1);
}

/// A small sweep and a size, one file; then SQL of another hand.
class TouchedFile : public TouchedResult {
  protected:
    TouchedFile() {
        const TemporaryFile sweep(
            "schema: 1\nname: s\nexperiment: {network: torus:3, broadcast: {packets: 2}, engine: native}\n"
            "sweep: {broadcast.packets: [2, 3], node.vc_depth: [4, 8]}\n");
        run_sweep(Sweep(sweep.path(), {}), in_folder("k.db"), {});
        const TemporaryFile size(
            "schema: 1\nname: line\nexperiment: {network: mesh:3, broadcast: {packets: 8}, engine: native,\n"
            "  forwarding: table, node: {switching: virtual_cut_through, vcs: 1}}\n"
            "size: {tolerance: 0, points: 2, queues: virtual_channel}\n");
        run_size(SizeStudy(size.path(), {}), in_folder("k.db"), {});
        // One file: no log beside it.
        SQLite::Database(in_folder("k.db"), SQLite::OPEN_READWRITE).exec("PRAGMA journal_mode = DELETE");
    }
    /// A copy that `sql` has changed.
    std::string touched(const std::string& sql) const {
        std::filesystem::copy_file(in_folder("k.db"), in_folder("t.db"),
                                   std::filesystem::copy_options::overwrite_existing);
        SQLite::Database database(in_folder("t.db"), SQLite::OPEN_READWRITE);
        database.exec("PRAGMA ignore_check_constraints = 1; PRAGMA writable_schema = 1");
        database.exec(sql);
        return in_folder("t.db");
    }
    /// Everything that a reader asks of a file.
    void read_all(const std::string& file, const std::string& what) const {
        expect_document_or_sentence(file, what);
        try {
            ResultsFile results(file, ResultsFile::Mode::read);
            for (const std::string& sweep : results.sweeps()) {
                to_json_lines(select(results, {sweep, {}, {"status=done"}}));
                results.outcome(sweep);
            }
            results.known(true);
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), HasSubstr(file)) << what;
        } catch (const std::exception& error) {
            ADD_FAILURE() << what << ": " << error.what();
        }
    }
};

TEST_F(TouchedFile, HasTheTablesThatInterlaceMakes) {
    for (const char* table : {"sweep", "member", "swept", "point", "parameter", "measurement"})
        EXPECT_THAT(error_of([&] { report_document({touched(std::string("DROP TABLE ") + table)}, ""); }),
                    HasSubstr(std::string("' has no table '") + table + "'"));
    for (const char* sql :
         {"ALTER TABLE point RENAME COLUMN result TO answer", "ALTER TABLE member DROP COLUMN hash",
          "ALTER TABLE measurement RENAME TO m",
          // Would never end.
          "DROP TABLE sweep; CREATE VIEW sweep AS WITH RECURSIVE r(name) AS (SELECT 'a' UNION ALL SELECT "
          "name || 'a' FROM r) SELECT name, name AS text FROM r"})
        EXPECT_THAT(error_of([&] { report_document({touched(sql)}, ""); }),
                    HasSubstr("expected the tables that interlace sweep makes"))
            << sql;
    // What else another hand has put there is nobody's business.
    EXPECT_EQ(error_of([&] {
                  report_document({touched("CREATE INDEX i ON point(seed); CREATE TABLE mine(x)")}, "");
              }),
              "no error");
    // A file of before there were outcomes.
    EXPECT_EQ(error_of([&] { report_document({touched("DROP TABLE outcome")}, ""); }), "no error");
}

TEST_F(TouchedFile, HasNumbersAndTexts) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> columns = {
        {"sweep", {"name", "text"}},
        {"member", {"sweep", "number", "hash"}},
        {"swept", {"sweep", "number", "position", "path", "value"}},
        {"point", {"hash", "status", "error", "configuration", "result", "seed", "finished", "wall_seconds"}},
        {"parameter", {"hash", "path", "value"}},
        {"measurement", {"hash", "name", "value"}},
        {"outcome", {"sweep", "result"}}};
    for (const auto& [table, names] : columns)
        for (const std::string& name : names)
            for (const char* value : {"x'fffe'", "CAST(x'fffe' AS TEXT)", "9e999", "'text'", "-1", "''",
                                      "'[]'", "'{\"queues\": 1}'", "'{\"queues\": {\"injection\": {}}}'"}) {
                const std::string sql =
                    "UPDATE OR REPLACE " + table + " SET " + name + " = " + value;  // of all rows
                read_all(touched(sql), sql);
            }
    EXPECT_GT(shown_, 10);
    EXPECT_GT(refused_, 20);
}

// Bytes that a disk or a hand has changed: the header and pages of every table.
TEST_F(TouchedFile, MayBeDamaged) {
    const std::string whole = read_whole_file(in_folder("k.db"), "a file");
    for (std::size_t at = 0; at < whole.size(); at += at < 200 ? 3 : whole.size() / 100) {
        std::string damaged = whole;
        for (std::size_t i = at; i < std::min(at + 16, whole.size()); ++i) damaged[i] ^= '\x5a';
        write_whole_file(in_folder("t.db"), [&](std::ostream& out) { out << damaged; });
        read_all(in_folder("t.db"), "from byte " + std::to_string(at));
    }
    for (const std::size_t size : {std::size_t{16}, std::size_t{100}, std::size_t{4096}, whole.size() / 2}) {
        write_whole_file(in_folder("t.db"), [&](std::ostream& out) { out << whole.substr(0, size); });
        read_all(in_folder("t.db"), std::to_string(size) + " bytes");
    }
    EXPECT_GT(shown_ + refused_, 150);
}

}  // namespace
}  // namespace interlace
