// Interlace: how many mutations of rtl/ the tests find
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <map>

#include "Vil_mutants.h"
#include "Vil_mutants___024root.h"
#include "interlace/engine/native.h"
#include "lockstep/random_configuration.h"
#include "lockstep/random_pins.h"
#include "support/real_nodes.h"
#include "verilated_region.h"

namespace interlace {
namespace {

std::uint32_t chosen = 0;  // 0: none

struct Mutant : Vil_mutants {
    explicit Mutant(VerilatedContext* context) : Vil_mutants(context) {
        mutation = static_cast<std::uint16_t>(chosen);
    }
};

const EngineUnderTest native = {"native", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                    return native_region(fabric, nodes, &tables);
                                }};
const EngineUnderTest mutant = {"mutant", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                    return std::make_unique<detail::VerilatedRegion<Mutant, 2>>(fabric, nodes,
                                                                                                &tables);
                                }};

/// Random configurations that the mutants' sizes can run.
std::vector<Configuration> configurations(std::uint32_t count) {
    std::vector<Configuration> all;
    for (std::uint64_t seed = 0; all.size() < count; ++seed) {
        Configuration c = random_configuration(seed);
        const bool fits = c.node.vcs <= 2 && c.node.vc_depth <= 64 && c.node.injection_depth <= 64 &&
                          c.node.reception_depth <= 64 && Fabric(c.network, c.node, c.links).ports == 4;
        if (fits) all.push_back(std::move(c));
    }
    return all;
}

/// Which test finds the chosen mutation; empty: none. `episodes` of random pins against a SystemC node.
std::string found_by(const std::vector<Configuration>& all, std::uint64_t episodes) {
    const NodeSize size{4, 2, 6, 10, 64};
    RtlNode<Mutant> rtl;
    SystemCNode<systemc::Node<4, 2>> systemc;
    for (std::uint64_t seed = 0; seed < episodes; ++seed)
        if (const Episode episode = run_episode(rtl, systemc, size, seed); !episode.differs.empty())
            return fmt::format("random pins: seed {}, cycle {}: {}", seed, episode.cycles, episode.differs);
    for (const Configuration& configuration : all) try {
            run_lockstep(configuration, 1000, {native, mutant});
        } catch (const LockstepError& error) {
            return fmt::format("lockstep: {}: {}", configuration.text, error.what());
        }
    return {};
}

struct Line {
    std::uint32_t number;
    std::string file, what;
};

std::vector<Line> read_mutants(const std::string& name) {
    std::ifstream in(name);
    std::vector<Line> lines;
    Line line;
    while (in >> line.number >> line.file && std::getline(in >> std::ws, line.what)) lines.push_back(line);
    return lines;
}

/// Mutants side by side, each in a process: what a mutation does to the simulator ends that process alone.
class Hunt {
  public:
    Hunt(std::vector<Line> lines, std::vector<Configuration> configurations, std::uint64_t episodes,
         std::uint32_t jobs)
        : lines_(std::move(lines)),
          configurations_(std::move(configurations)),
          episodes_(episodes),
          jobs_(jobs) {}

    /// Survivors.
    std::vector<Line> run() {
        for (const Line& line : lines_) {
            if (running_.size() >= jobs_) wait_for_one();
            start(line);
        }
        while (!running_.empty()) wait_for_one();
        return survivors_;
    }

  private:
    void start(const Line& line) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child != 0) {
            running_[child] = &line;
            return;
        }
        chosen = line.number;
        const std::string by = found_by(configurations_, episodes_);
        if (!by.empty()) fmt::print("{} {}: {}\n", line.number, line.file, by);
        std::fflush(stdout);
        _exit(by.empty() ? 0 : 1);
    }

    void wait_for_one() {
        int status = 0;
        const pid_t child = wait(&status);
        const Line& line = *running_.at(child);
        running_.erase(child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) survivors_.push_back(line);
        ++done_;
        if (isatty(2) != 0) fmt::print(stderr, "\r{} of {} mutants", done_, lines_.size());
    }

    std::vector<Line> lines_;
    std::vector<Configuration> configurations_;
    std::uint64_t episodes_;
    std::uint32_t jobs_;
    std::map<pid_t, const Line*> running_;
    std::vector<Line> survivors_;
    std::size_t done_ = 0;
};

int score(const std::string& mutants, std::uint32_t count, std::uint64_t episodes, std::uint32_t jobs) {
    detail::reserve<systemc::Node<4, 2>>(1, {64, 64});
    const std::vector<Line> lines = read_mutants(mutants);
    const std::vector<Configuration> all = configurations(count);
    // In a process of its own, as each mutant: a process has one SystemC kernel.
    if (!Hunt({{0, "none", ""}}, all, episodes, 1).run().empty())
        fmt::print("the netlist without a mutation is the RTL\n");
    else
        return 1;
    const std::vector<Line> survivors = Hunt(lines, all, episodes, jobs).run();
    std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> files;  // survivors, all
    for (const Line& line : lines) ++files[line.file].second;
    for (const Line& line : survivors) ++files[line.file].first;
    for (const Line& line : survivors) fmt::print("survives: {} {} {}\n", line.number, line.file, line.what);
    for (const auto& [file, count] : files)
        fmt::print("{:16} {:3} of {:3} found\n", file, count.second - count.first, count.second);
    const double share = 1 - static_cast<double>(survivors.size()) / static_cast<double>(lines.size());
    fmt::print("all              {:3} of {:3} found: {:.1f}%\n", lines.size() - survivors.size(),
               lines.size(), 100 * share);
    return share >= 0.95 ? 0 : 1;
}

}  // namespace
}  // namespace interlace

/// libsystemc asks for it.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

int main(int argc, char** argv) {
    CLI::App app("Runs every mutation of a netlist against the tests");
    std::string mutants;
    std::uint32_t configurations = 40;
    std::uint64_t episodes = 300;
    std::uint32_t jobs = 2;
    app.add_option("MUTANTS", mutants, "mutants.txt, as mutants.sh makes it")->required();
    app.add_option("--configurations", configurations, "Random networks in lockstep with native nodes")
        ->capture_default_str();
    app.add_option("--episodes", episodes, "Random pins of a node beside a SystemC node")
        ->capture_default_str();
    app.add_option("--jobs", jobs, "Mutants side by side")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return interlace::score(mutants, configurations, episodes, jobs);
}
