// Interlace: how many mutations of rtl/ the tests find
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <stdexcept>

#include "Vil_mutants_1.h"
#include "Vil_mutants_1___024root.h"
#include "Vil_mutants_7.h"
#include "Vil_mutants_7___024root.h"
#include "interlace/engine/native/native.h"
#include "lockstep/random_configuration.h"
#include "lockstep/random_pins.h"
#include "support/real_nodes.h"
#include "verilated_region.h"

namespace interlace {
namespace {

std::uint32_t chosen = 0;  // 0: none

template <class Netlist, std::uint32_t stages>
struct Mutant : Netlist {
    static constexpr std::uint32_t pipeline = stages;
    explicit Mutant(VerilatedContext* context) : Netlist(context) {
        this->mutation = static_cast<std::uint16_t>(chosen);
    }
};
using Plain = Mutant<Vil_mutants_1, 1>;
using Pipelined = Mutant<Vil_mutants_7, 7>;

const EngineUnderTest native = {"native", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                    return native_region(fabric, nodes, &tables);
                                }};
template <class Node>
const EngineUnderTest mutant = {"mutant", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                    return std::make_unique<detail::VerilatedRegion<Node, 2>>(fabric, nodes,
                                                                                              &tables);
                                }};

/// Random configurations that mutants of a pipeline can run.
std::vector<Configuration> configurations(std::uint32_t count, std::uint32_t pipeline) {
    std::vector<Configuration> all;
    for (std::uint64_t seed = 0; all.size() < count; ++seed) {
        Configuration c = random_configuration(seed, true);
        const bool fits = c.node.pipeline == pipeline && c.node.vcs <= 2 && c.node.vc_depth <= 64 &&
                          c.node.injection_depth <= 64 && c.node.reception_depth <= 64 &&
                          Fabric(c.network, c.node, c.links).ports == 4;
        if (fits) all.push_back(std::move(c));
    }
    return all;
}

/// How random pins against a SystemC node find the chosen mutation, by episodes `first` to `end`, exclusive;
/// empty: they do not.
template <class Node>
std::string found_by_pins(std::uint64_t first, std::uint64_t end) {
    const NodeSize size{4, 2, 6, 10, 64, Node::pipeline != 1, 64};
    RtlNode<Node> rtl;
    SystemCNode<systemc::Node<4, 2>, Node::pipeline> systemc;
    for (std::uint64_t seed = first; seed < end; ++seed)
        if (const Episode episode = run_episode(rtl, systemc, size, seed); !episode.differs.empty())
            return fmt::format("random pins: seed {}, cycle {}: {}", seed, episode.cycles, episode.differs);
    return {};
}

/// The same of lockstep.
template <class Node>
std::string found_by_lockstep(const std::vector<Configuration>& all) {
    for (const Configuration& configuration : all) try {
            run_lockstep(configuration, 1000, {native, mutant<Node>});
        } catch (const LockstepError& error) {
            return fmt::format("lockstep: {}: {}", configuration.text, error.what());
        }
    return {};
}

/// A mutation: `place` is file, mode, port, source line and, in brackets, the input or sink and the bit of
/// the port; `what` is all that Yosys was asked.
struct Line {
    std::uint32_t number;
    std::string place, what;

    std::string file() const { return place.substr(0, place.find(' ')); }
};

std::vector<Line> read_mutants(const std::string& name) {
    std::ifstream in(name);
    std::vector<Line> lines;
    Line line;
    while (in >> line.number && std::getline(in >> std::ws, line.place, '\t') &&
           std::getline(in, line.what)) {
        static const std::regex instance("gen_(sink|input|reception)\\[[0-9]+\\]"), bit("-portbit ([0-9]+)");
        std::smatch in_which, which;
        line.place +=
            std::regex_search(line.what, in_which, instance) ? " [" + in_which.str() + ", bit " : " [bit ";
        line.place += (std::regex_search(line.what, which, bit) ? which.str(1) : "") + "]";
        lines.push_back(line);
    }
    return lines;
}

/// [place], why mutations there survive: survivors.txt.
std::map<std::string, std::string> read_reasons(const std::string& name) {
    std::ifstream in(name);
    if (!in) throw std::runtime_error("cannot read " + name);
    std::map<std::string, std::string> reasons;
    std::string place;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        if (line[0] == ' ')
            reasons[place] += line.substr(line.find_first_not_of(' '));
        else
            place = line;
    }
    return reasons;
}

/// What becomes of a mutant; a process of its own says so by its exit code.
enum Fate : std::uint32_t { found, proven, survives, equivalent, not_found, unexplained, fates };

struct Options {
    std::string folder, sources;
    std::uint32_t configurations = 40, jobs = 2;
    std::uint64_t episodes = 1000;
};

/// Mutants side by side, each in a process: what a mutation does to the simulator ends that process alone,
/// and is a find.
template <class Node>
class Hunt {
  public:
    Hunt(std::vector<Line> lines, const Options& options)
        : lines_(std::move(lines)),
          options_(options),
          configurations_(configurations(options.configurations, Node::pipeline)) {
        if (!prove(0)) throw std::runtime_error("equal.sh cannot read " + folder());
    }

    /// [line]: found, proven or survives.
    std::vector<Fate> run() {
        fates_.assign(lines_.size(), found);
        for (std::size_t line = 0; line < lines_.size(); ++line) {
            if (running_.size() >= options_.jobs) wait_for_one();
            start(line);
        }
        while (!running_.empty()) wait_for_one();
        return fates_;
    }

    std::string folder() const { return fmt::format("{}/{}", options_.folder, Node::pipeline); }

  private:
    static constexpr int fate_code =
        100;  // exit codes from here on are fates; a simulator that exits has others
    static constexpr std::uint64_t first_episodes = 100;  // most mutants are found by these

    bool prove(std::uint32_t number) const {
        return std::system(
                   fmt::format("'{}/equal.sh' {} '{}'", options_.sources, number, folder()).c_str()) == 0;
    }

    /// What is cheap comes first.
    Fate fate_of(const Line& line) const {
        chosen = line.number;
        const std::uint64_t first = std::min(first_episodes, options_.episodes);
        std::string by = found_by_pins<Node>(0, first);
        if (by.empty() && chosen != 0 && prove(chosen)) return proven;
        if (by.empty()) by = found_by_pins<Node>(first, options_.episodes);
        if (by.empty()) by = found_by_lockstep<Node>(configurations_);
        if (by.empty()) return survives;
        fmt::print("{} {}: {}\n", line.number, line.file(), by);
        return found;
    }

    void start(std::size_t line) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child != 0) {
            running_[child] = line;
            return;
        }
        const Fate fate = fate_of(lines_[line]);
        std::fflush(stdout);
        _exit(fate_code + static_cast<int>(fate));
    }

    void wait_for_one() {
        int status = 0;
        const pid_t child = wait(&status);
        if (WIFEXITED(status) && WEXITSTATUS(status) >= fate_code)
            fates_[running_.at(child)] = static_cast<Fate>(WEXITSTATUS(status) - fate_code);
        running_.erase(child);
        ++done_;
        if (isatty(2) != 0) fmt::print(stderr, "\r{} of {} mutants", done_, lines_.size());
    }

    std::vector<Line> lines_;
    const Options& options_;
    std::vector<Configuration> configurations_;
    std::map<pid_t, std::size_t> running_;  // [process]: its line
    std::vector<Fate> fates_;
    std::size_t done_ = 0;
};

/// What `reasons` say of a survivor.
Fate explained(const Line& line, const std::map<std::string, std::string>& reasons) {
    const auto reason = reasons.find(line.place);
    if (reason == reasons.end()) return unexplained;
    return reason->second.starts_with("equivalent: ") ? equivalent : not_found;
}

using Scores = std::map<std::string, std::array<std::uint32_t, fates>>;  // [file][fate]

/// The mutants of one pipeline. False where the netlist without a mutation is not the RTL.
template <class Node>
bool score(const Options& options, Scores& files) {
    static constexpr const char* names[fates] = {"",           "equivalent, proven", "",
                                                 "equivalent", "not found",          "UNEXPLAINED"};
    // In a process of its own, as each mutant: a process has one SystemC kernel.
    if (Hunt<Node>({{0, "none", ""}}, options).run().front() != survives) return false;
    fmt::print("pipeline {}: the netlist without a mutation is the RTL\n", Node::pipeline);
    const std::vector<Line> lines =
        read_mutants(fmt::format("{}/{}/mutants.txt", options.folder, Node::pipeline));
    const std::map<std::string, std::string> reasons = read_reasons(options.sources + "/survivors.txt");
    const std::vector<Fate> all = Hunt<Node>(lines, options).run();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Fate fate = all[i] == survives ? explained(lines[i], reasons) : all[i];
        ++files[lines[i].file()][fate];
        if (fate != found) fmt::print("survives, {}: {} {}\n", names[fate], lines[i].number, lines[i].place);
        if (fate == unexplained) fmt::print("    {}\n", lines[i].what);
    }
    std::fflush(stdout);
    return true;
}

int score(const Options& options) {
    for (const std::uint32_t pipeline : {1U, 7U}) detail::reserve<systemc::Node<4, 2>>(1, {64, 64, pipeline});
    Scores files;
    if (!score<Plain>(options, files) || !score<Pipelined>(options, files)) return 1;
    std::array<std::uint32_t, fates> sum{};
    fmt::print("{:16} {:>8} {:>8} {:>10} {:>9} {:>11}\n", "file", "found", "proven", "equivalent",
               "not found", "unexplained");
    const auto print = [](const std::string& name, const auto& of) {
        fmt::print("{:16} {:8} {:8} {:10} {:9} {:11}\n", name, of[found], of[proven], of[equivalent],
                   of[not_found], of[unexplained]);
    };
    for (const auto& [file, of] : files) {
        print(file, of);
        for (std::uint32_t fate = 0; fate < fates; ++fate) sum[fate] += of[fate];
    }
    print("all", sum);
    const double share = sum[found] / static_cast<double>(sum[found] + sum[not_found] + sum[unexplained]);
    fmt::print("found of those that are not equivalent: {:.1f}%\n", 100 * share);
    return share >= 0.95 && sum[unexplained] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace interlace

/// libsystemc asks for it.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

int main(int argc, char** argv) {
    CLI::App app("Runs every mutation of a netlist against the tests");
    app.option_defaults()->multi_option_policy(
        CLI::MultiOptionPolicy::TakeLast);  // a user's after the script's
    interlace::Options options;
    app.add_option("FOLDER", options.folder, "That mutants.sh made")->required();
    app.add_option("SOURCES", options.sources, "tests/mutation: survivors.txt, equal.sh")->required();
    app.add_option("--configurations", options.configurations,
                   "Random networks in lockstep with native nodes")
        ->capture_default_str();
    app.add_option("--episodes", options.episodes, "Random pins of a node beside a SystemC node")
        ->capture_default_str();
    app.add_option("--jobs", options.jobs, "Mutants side by side")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return interlace::score(options);
}
