// Interlace: sweeps that are killed
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace interlace {
namespace {

/// Starts a program with its arguments; what it says goes nowhere.
pid_t start(std::vector<std::string> arguments) {
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int file : {STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_WRONLY, 0);
    pid_t process = 0;
    EXPECT_EQ(posix_spawn(&process, pointers[0], &actions, nullptr, pointers.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return process;
}

int code_of(pid_t process) {
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

using Rows = std::vector<std::string>;

Rows rows(const std::string& file, const std::string& sql) {
    SQLite::Database database(file, SQLite::OPEN_READWRITE, 10'000);
    SQLite::Statement query(database, sql);
    Rows rows;
    while (query.executeStep()) {
        std::string row;
        for (int c = 0; c < query.getColumnCount(); ++c) row += query.getColumn(c).getString() + "|";
        rows.push_back(row);
    }
    return rows;
}

/// All that a file says, but for when and how fast.
Rows contents(const std::string& file) {
    Rows all;
    for (const char* sql :
         {"SELECT * FROM sweep", "SELECT * FROM member ORDER BY 1, 2", "SELECT * FROM swept ORDER BY 1, 2, 3",
          "SELECT hash, status, error, configuration, result, seed, version, git_commit FROM point ORDER BY "
          "1",
          "SELECT * FROM parameter ORDER BY 1, 2", "SELECT * FROM measurement ORDER BY 1, 2",
          "SELECT * FROM outcome", "PRAGMA integrity_check"})
        for (std::string& row : rows(file, sql)) all.push_back(std::move(row));
    return all;
}

class KilledSweep : public testing::Test {
  protected:
    KilledSweep() {
        std::filesystem::create_directories(folder_);
        // 200 points of some 20 ms; the shallowest channels do not hold a packet, so a quarter of them fail.
        std::ofstream(folder_ + "s.yaml")
            << "schema: 1\nname: s\nexperiment: {network: torus:16x16, broadcast: {}, engine: native}\n"
               "sweep: {broadcast.packets: {from: 8, to: 57}, node.vc_depth: [4, 8, 16, 32]}\n";
    }
    ~KilledSweep() override { std::filesystem::remove_all(folder_); }

    std::vector<std::string> command(const std::string& db) const {
        return {INTERLACE_COMMAND, "sweep", folder_ + "s.yaml", "-o", folder_ + db, "--jobs", "2"};
    }
    const std::string folder_ = testing::TempDir() + "killed" + std::to_string(getpid()) + "/";
};

TEST_F(KilledSweep, EndsLikeOneThatWasLeftAlone) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(code_of(start(command("quiet.db"))), 1);  // 50 points failed
    // Killed in the first tenth of the time that all of it took: at work, and every time but the first few
    // further on.
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
    std::uniform_real_distribution<double> share(0, 0.1);
    const std::string killed = folder_ + "killed.db";
    std::mt19937 random(5);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same moments each time
    std::map<std::string, std::string> seen;  // of each point: when it was stored, and how long it took
    int deaths = 0;
    for (int i = 0; i < 20; ++i) {
        const pid_t process = start(command("killed.db"));
        std::this_thread::sleep_for(all * share(random));
        kill(process, SIGKILL);
        deaths += code_of(process) == -SIGKILL ? 1 : 0;
        if (!std::filesystem::exists(killed) || std::filesystem::file_size(killed) == 0) continue;
        if (rows(killed, "SELECT name FROM sqlite_master").empty()) continue;
        for (const std::string& row :
             rows(killed, "SELECT hash, finished || ' ' || wall_seconds FROM point")) {
            const std::size_t bar = row.find('|');
            const auto known = seen.emplace(row.substr(0, bar), row.substr(bar)).first;
            EXPECT_EQ(known->second, row.substr(bar)) << "a point was computed twice";
        }
        EXPECT_EQ(rows(killed, "SELECT count(*) FROM point").front(), std::to_string(seen.size()) + "|")
            << "a point was lost";
    }
    EXPECT_GT(deaths, 10) << "most have to be killed at work";
    EXPECT_GT(seen.size(), 0U);
    EXPECT_GE(code_of(start(command("killed.db"))), 0);
    EXPECT_EQ(contents(killed), contents(folder_ + "quiet.db"));
    EXPECT_EQ(rows(killed, "SELECT count(*) FROM point").front(), "200|");
}

TEST_F(KilledSweep, AFullDiskLosesNothing) {
    EXPECT_EQ(code_of(start(command("quiet.db"))), 1);
    // Files may grow to 200 blocks of 1024 bytes here, half of what is needed or less.
    std::string limited = "trap '' XFSZ; ulimit -f 200; exec";
    for (const std::string& word : command("full.db")) limited += " '" + word + "'";
    EXPECT_EQ(code_of(start({"/bin/bash", "-c", limited})), 1);
    const std::string file = folder_ + "full.db";
    const Rows stored = rows(file, "SELECT hash, finished, wall_seconds FROM point ORDER BY 1");
    EXPECT_GT(stored.size(), 0U);
    EXPECT_LT(stored.size(), 200U);
    EXPECT_EQ(code_of(start(command("full.db"))), 1);
    EXPECT_EQ(contents(file), contents(folder_ + "quiet.db"));
    const Rows after = rows(file, "SELECT hash, finished, wall_seconds FROM point ORDER BY 1");
    EXPECT_THAT(after, testing::IsSupersetOf(stored));
}

#ifdef INTERLACE_MPIRUN
/// Two ranks that compute and one that deals and writes.
std::vector<std::string> over_ranks(std::vector<std::string> command) {
    command.erase(command.end() - 2, command.end());  // --jobs 2
    const std::vector<std::string> mpirun = {INTERLACE_MPIRUN, "--allow-run-as-root", "--oversubscribe",
                                             "-np", "3"};
    command.insert(command.begin(), mpirun.begin(), mpirun.end());
    return command;
}

TEST_F(KilledSweep, OverRanksEndsLikeOneThatWasLeftAlone) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(code_of(start(command("quiet.db"))), 1);
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
    for (int i = 0; i < 3; ++i) {
        const pid_t process = start(over_ranks(command("ranks.db")));
        std::this_thread::sleep_for(all * 0.4);
        kill(process, SIGKILL);
        code_of(process);
    }
    // Ranks outlive mpirun by a moment, and the file has one writer.
    int code = 2;
    for (int i = 0; i < 100 && code == 2; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        code = code_of(start(over_ranks(command("ranks.db"))));
    }
    EXPECT_THAT(code, testing::AnyOf(0, 1));  // 1: points have failed in this run
    EXPECT_EQ(contents(folder_ + "ranks.db"), contents(folder_ + "quiet.db"));
}

/// Names of files in a folder and those in it, some of which may go meanwhile.
std::set<std::string> files_in(const std::string& folder) {
    std::set<std::string> names;
    std::error_code gone;
    for (std::filesystem::recursive_directory_iterator file(folder, gone), end; file != end && !gone;
         file.increment(gone))
        if (file->is_regular_file(gone) && file->path().extension() != ".part")
            names.insert(file->path().filename());
    return names;
}

// Ranks that compute points that share a warm-up leave its state beside the results, where others find it.
TEST(WarmSweep, OverRanksSharesWarmUps) {
    const std::string folder = testing::TempDir() + "warm" + std::to_string(getpid()) + "/";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "s.yaml")
        << "schema: 1\nname: s\n"
           "experiment: {network: torus:8x8, traffic: {load: 0.2, warmup: 20000}, engine: native}\n"
           "sweep: {traffic.cycles: {from: 500, to: 600, step: 10}}\n";
    const auto command = [&](const std::string& db) -> std::vector<std::string> {
        return {INTERLACE_COMMAND, "sweep", folder + "s.yaml", "-o", folder + db, "--jobs", "2"};
    };
    EXPECT_EQ(code_of(start(command("one.db"))), 0);
    const pid_t process = start(over_ranks(command("ranks.db")));
    std::set<std::string> states;
    int status = 0;
    while (waitpid(process, &status, WNOHANG) == 0) {
        states.merge(files_in(folder + "ranks.db.warm"));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(status, 0);
    EXPECT_EQ(states.size(), 1U);
    EXPECT_FALSE(std::filesystem::exists(folder + "ranks.db.warm"));
    EXPECT_EQ(contents(folder + "ranks.db"), contents(folder + "one.db"));
    std::filesystem::remove_all(folder);
}
#endif

}  // namespace
}  // namespace interlace
