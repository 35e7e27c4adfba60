// Interlace: a real report in a browser, against the database that it shows
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace interlace {
namespace {

using Json = nlohmann::json;

class Report : public testing::Test {
  protected:
    ~Report() override { std::filesystem::remove_all(folder_); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ + name) << text;
    }
    /// The exit code of a line of shell in the folder.
    int run(const std::string& line) const {
        const int status = std::system(("cd '" + folder_ + "' && " + line).c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    std::string text(const std::string& name) const {
        std::ifstream in(folder_ + name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// As the page's tables have them: numbers, and nothing where there is none.
    Json rows(const std::string& file, const std::string& sql) const {
        SQLite::Database database(folder_ + file, SQLite::OPEN_READWRITE);
        SQLite::Statement query(database, sql);
        Json rows = Json::array();
        while (query.executeStep()) {
            Json row = Json::array();
            for (int c = 0; c < query.getColumnCount(); ++c) {
                const SQLite::Column cell = query.getColumn(c);
                if (cell.isInteger())
                    row.push_back(cell.getInt64());
                else if (cell.isFloat())
                    row.push_back(cell.getDouble());
                else
                    row.push_back(cell.getString());
            }
            rows.push_back(row);
        }
        return rows;
    }

    const std::string command_ = INTERLACE_COMMAND;
    const std::string folder_ = testing::TempDir() + "report" + std::to_string(::getpid()) + "/";
    bool made_ = std::filesystem::create_directories(folder_);
};

std::string measured(const std::string& name) {
    return "(SELECT value FROM measurement x WHERE x.hash = m.hash AND x.name = '" + name + "')";
}

std::string swept(const std::string& path) {
    return "(SELECT value FROM swept s WHERE s.number = m.number AND s.path = '" + path + "')";
}

TEST_F(Report, ShowsWhatTheDatabaseHas) {
    write(
        "depth.yaml",
        "schema: 1\nname: depth\nexperiment: {network: torus:4x4, broadcast: {packets: 32}, engine: native,\n"
        "  forwarding: table, node: {switching: virtual_cut_through, vcs: 1}}\n"
        "sweep: {links.latency: [1, 9], node.vc_depth: [4, 8, 16, 32]}\n");  // 4: too small for a packet
    write("line.yaml",
          "schema: 1\nname: line\nexperiment: {network: mesh:4, broadcast: {packets: 16}, engine: native,\n"
          "  forwarding: table, links: {latency: 4}, node: {switching: virtual_cut_through, vcs: 1}}\n"
          "size: {queues: [reception, virtual_channel], points: 3}\n");
    EXPECT_EQ(run(command_ + " sweep depth.yaml > out.txt"), 1);  // some points fail
    EXPECT_EQ(run(command_ + " size line.yaml > out.txt"), 0);
    EXPECT_EQ(run(command_ + " broadcast ibt:8x8:b=4 --engine native --details --json > run.json"), 0);
    const int reported = run(command_ + " report depth.db line.db run.json -o report.html 2> said.txt");
    const std::string said = text("said.txt");
    if (said.find("expected a build with") != std::string::npos) GTEST_SKIP() << said;
    ASSERT_EQ(reported, 0) << said;
    const Json depth = {
        {"part", "depth"},
        {"caption", "Points"},
        {"rows",
         rows("depth.db", "SELECT " + swept("links.latency") + "," + swept("node.vc_depth") + "," +
                              measured("cycles") + "," + measured("lower_bound") + "," + measured("steps") +
                              ", coalesce(p.error, '') FROM member m JOIN point p USING (hash) "
                              "ORDER BY m.number")}};
    const Json front = {
        {"part", "line"},
        {"caption", "Pareto front"},
        {"rows",
         rows("line.db",
              "SELECT value ->> '$.depths.reception', value ->> '$.depths.virtual_channel', value ->> "
              "'$.slow_down', value ->> '$.measure', value ->> '$.bytes' FROM outcome, "
              "json_each(outcome.result, '$.front')")}};
    ASSERT_EQ(depth["rows"].size(), 8U);
    ASSERT_GT(front["rows"].size(), 1U);
    write("expected.json", Json::array({depth, front}).dump());
    const int code =
        run(INTERLACE_BROWSER_TEST " browser page_test.mjs report.html expected.json > said.txt");
    if (code == 77) GTEST_SKIP() << "no npm, no Chromium or no way to install what drives it";
    EXPECT_EQ(code, 0) << std::ifstream(folder_ + "said.txt").rdbuf();
}

// A page that is served shows points as they come, and keeps what its reader has chosen.
TEST_F(Report, LooksOnAsASweepRuns) {
    write("slow.yaml",
          "schema: 1\nname: slow\nexperiment: {network: torus:32x32, broadcast: {}, engine: native}\n"
          "sweep: {broadcast.packets: {from: 200, to: 216, step: 2}}\n");
    const int code = run(std::string(INTERLACE_BROWSER_TEST) + " browser live_test.mjs '" + command_ +
                         "' slow.yaml > said.txt 2>&1");
    const std::string said = text("said.txt");
    if (code == 77 || said.find("expected a build with") != std::string::npos) GTEST_SKIP() << said;
    EXPECT_EQ(code, 0) << said;
}

TEST_F(Report, IsServedUntilCtrlC) {
    EXPECT_EQ(run(command_ + " topology torus:4x4 --json > run.json"), 0);
    const std::string serve = command_ + " report --serve run.json --port ";
    // A server that runs while `meanwhile` does, from the line with its address to Ctrl-C; its exit code.
    const auto served = [&](const std::string& meanwhile) {
        return run("rm -f out.txt; (" + serve +
                   "0 > out.txt 2> said.txt & server=$!; "
                   "while [ ! -s out.txt ] && kill -0 $server 2>/dev/null; do sleep 0.02; done; " +
                   meanwhile + "kill -INT $server 2>/dev/null; wait $server)");
    };
    const int code = served("");
    if (text("said.txt").find("expected a build with") != std::string::npos) GTEST_SKIP() << text("said.txt");
    EXPECT_EQ(code, 0) << text("said.txt");
    EXPECT_EQ(text("out.txt").find("http://127.0.0.1:"), 0U);
    // Of two servers the second one has no port.
    EXPECT_EQ(served("port=$(sed 's/.*1:\\([0-9]*\\).*/\\1/' out.txt); " + serve +
                     "$port 2> said.txt; echo $? > code.txt; "),
              0);
    EXPECT_EQ(text("code.txt"), "2\n");
    const std::string said = text("said.txt");
    EXPECT_NE(said.find(" of 127.0.0.1 is in use"), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), said.size() - 1);
    for (const char* wrong :
         {"--serve -o x.html", "--serve --json", "--port 8080 --json", "--serve --port 65536"})
        EXPECT_EQ(run(command_ + " report run.json " + wrong + " 2> said.txt > out.txt"), 2) << wrong;
    EXPECT_FALSE(std::filesystem::exists(folder_ + "x.html"));
}

// What each command prints with --json is a part of a report, with its figures and its page.
TEST_F(Report, TakesEveryKindOfResult) {
    write("g.goal", "num_ranks 2\nrank 0 { a: send 8b to 1 }\nrank 1 { a: recv 8b from 0 }\n");
    write("e.yaml", "schema: 1\nnetwork: torus:3x3\nbroadcast: {packets: 2}\n");
    write("s.yaml",
          "schema: 1\nname: line\nexperiment: {network: mesh:3, broadcast: {packets: 8}, engine: native,\n"
          "  forwarding: table, node: {switching: virtual_cut_through, vcs: 1}}\n"
          "size: {queues: virtual_channel, points: 2}\n");
    ASSERT_EQ(run(command_ + " broadcast torus:3x3 --packets 2 --write-schedule c.csv > out.txt"), 0);
    std::string all;
    for (const auto& [line, kind] : std::vector<std::pair<std::string, std::string>>{
             {"topology torus:4x4", "topology"},
             {"compare ibt:8x8:b=4 torus:8x8 --packets 2", "compare"},
             {"broadcast torus:3x3 --packets 2", "broadcast"},
             {"broadcast torus:3x3 --packets 2 --engine native", "broadcast"},
             {"broadcast cluster:hnow --algorithm fnf", "multicast"},
             {"allgather cluster:figure1 --message 1000", "allgather"},
             {"alltoall cluster:figure1 --message 1000", "alltoall"},
             {"alltoall cluster:figure1 --plan", "alltoall"},
             {"multicast cluster:hnow --sources 0,1", "multicast"},
             {"replay cluster:figure1 --goal g.goal", "replay"},
             {"traffic torus:4x4 --cycles 500", "traffic"},
             {"check torus:3x3 --packets 2 --schedule c.csv", "check"},
             {"check torus:3x3 --packets 2 --schedule c.csv --details", "check"},
             {"run e.yaml", "broadcast"},
             {"reproduce hnow table2", "published"},
             {"size s.yaml", "size"}}) {
        ASSERT_EQ(run(command_ + " " + line + " --json > r.json"), 0) << line;
        ASSERT_EQ(run(command_ + " report r.json --json > d.json"), 0) << line;
        const Json part = Json::parse(std::ifstream(folder_ + "d.json"))["parts"][0];
        EXPECT_EQ(part["kind"], kind == "published" || kind == "size" ? kind : "run") << line;
        if (part["kind"] == "run") {
            EXPECT_EQ(part["name"].get<std::string>().find(kind), 0U) << line << part["name"];
            EXPECT_FALSE(part["facts"].empty()) << line;
        }
        if (kind == "topology") {  // four ways out of each node
            bool links = false;
            for (const Json& fact : part["facts"]) links = links || fact == Json({"links", 4 * 4 * 4});
            EXPECT_TRUE(links);
        }
        const std::string file = std::to_string(all.size()) + ".json ";
        all += file;
        run("cp r.json " + file);
    }
    const int code = run(command_ + " report " + all + "-o r.html --figures figures 2> said.txt");
    std::ostringstream said;
    said << std::ifstream(folder_ + "said.txt").rdbuf();
    if (said.str().find("expected a build with") != std::string::npos) GTEST_SKIP() << said.str();
    EXPECT_EQ(code, 0) << said.str();
}

TEST_F(Report, AndFiguresAppearOrNothingDoes) {
    EXPECT_EQ(run(command_ + " broadcast torus:4x4 --packets 4 --details --json > run.json"), 0);
    const int code = run(command_ + " report run.json --figures figures 2> said.txt");
    std::ostringstream said;
    said << std::ifstream(folder_ + "said.txt").rdbuf();
    if (said.str().find("expected a build with") != std::string::npos) GTEST_SKIP() << said.str();
    ASSERT_EQ(code, 0) << said.str();
    for (const char* kind : {"wavefront", "links", "links-over-time"})
        for (const char* ending : {".svg", ".png", ".pdf"})
            EXPECT_GT(std::filesystem::file_size(folder_ + "figures/broadcast-on-torus-4x4-" + kind + ending),
                      500U);
    std::filesystem::remove_all(folder_ + "figures");
    for (const char* wrong : {"--size 100x100", "--size 600", "--size 600x", "--x load", "--filter a"}) {
        EXPECT_EQ(run(command_ + " report run.json --figures figures " + wrong + " 2> said.txt"), 2) << wrong;
        EXPECT_FALSE(std::filesystem::exists(folder_ + "figures")) << wrong;
    }
    EXPECT_EQ(run(command_ + " report run.json -o x.html --y cycles 2> said.txt"), 2);  // of no figure
    EXPECT_FALSE(std::filesystem::exists(folder_ + "x.html"));
    EXPECT_EQ(run(command_ + " report none.db -o none.html 2> said.txt"), 2);
    EXPECT_FALSE(std::filesystem::exists(folder_ + "none.html"));
    EXPECT_EQ(run(command_ + " report run.json 2> said.txt"), 2);  // nothing to write
}

}  // namespace
}  // namespace interlace
