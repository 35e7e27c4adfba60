// Interlace: the command line
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <system_error>
#include <thread>

#include "command.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/one_line.h"
#include "interlace/core/system_refusal.h"
#include "interlace/mpi/world.h"

namespace {

using namespace interlace;

/// What CLI11 says of an argument that nobody expected, and what may have been meant.
std::string refusal_of(const CLI::App& app, int argc, char** argv, const CLI::ParseError& error) {
    std::vector<std::string> names;
    const std::string first = argc > 1 ? argv[1] : "";
    const CLI::App* command = cli::subcommand(app, first);
    if (command == nullptr) {
        for (const CLI::App* known : app.get_subcommands({})) names.push_back(known->get_name());
        if (first.empty() || first.starts_with('-')) return error.what();
        return "no subcommand '" + first + "'" + did_you_mean(first, names);
    }
    for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    std::string text = error.what();
    for (int i = 2; i < argc; ++i) {
        const std::string argument = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
        if (argument.starts_with("--") && std::find(names.begin(), names.end(), argument) == names.end())
            text += did_you_mean(argument, names);
    }
    return text;
}

/// A limit or a disk of this machine, where it is one; everything else that nobody expected is our fault.
std::string explanation_of(const std::exception& error) {
    const auto* by_system = dynamic_cast<const std::system_error*>(&error);
    const std::string remedy = by_system == nullptr ? "" : remedy_of(by_system->code());
    if (!remedy.empty()) return std::string(error.what()) + "; expected " + remedy;
    return std::string("a fault of interlace itself, please report it: ") + error.what();
}

/// Where mpirun has started several processes the first one speaks, and the others say only what went wrong
/// with them alone: where all have failed, the first one ends them before they can.
class Voice {
  public:
    explicit Voice(std::uint32_t rank) : rank_(rank) {
        if (rank_ == 0) return;
        errors_ = ::fdopen(::dup(STDERR_FILENO), "w");
        if (errors_ == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr ||
            std::freopen("/dev/null", "w", stderr) == nullptr)
            std::perror("interlace");
    }
    /// What went wrong.
    void say(std::string_view text) const {
        if (rank_ == 0) {
            fmt::print(stderr, "interlace: {}\n", one_line(text));
            return;
        }
        std::this_thread::sleep_for(std::chrono::seconds(2));
        fmt::print(errors_, "interlace: rank {}: {}\n", rank_, one_line(text));
        std::fflush(errors_);
    }
    /// A rank that has failed does not wait for others, which may wait for it: mpirun ends them.
    int end(int code) const {
        if (rank_ == 0 && !has_met_ranks()) return code;
        std::fflush(nullptr);
        ::_exit(code);
    }

  private:
    std::uint32_t rank_;
    std::FILE* errors_ = nullptr;
};

/// The exit code, after what went wrong has been said.
int run(int argc, char** argv, const Voice& voice) {
    const auto say = [&](std::string_view text) { voice.say(text); };
    cli::Action action;
    const auto app = cli::make_app(action);
    try {
        app->parse(argc, argv);
        const std::string command = app->get_subcommands().front()->get_name();
        constexpr std::array on_ranks = {"allreduce", "reducescatter", "reduce",    "scatter",   "gather",
                                         "allgather", "alltoall",      "broadcast", "multicast", "replay",
                                         "run",       "size",          "sweep",     "traffic"};
        if (std::find(on_ranks.begin(), on_ranks.end(), command) == on_ranks.end())
            cli::refuse_ranks("interlace " + command);
        // Whatever it is in: a rank that does something else would wait for ever, or write something else.
        require_same_arguments(world(), {argv + 1, argv + argc});
        return action();
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app->exit(error);  // --help, --version
        say(refusal_of(*app, argc, argv, error) + " (see interlace --help)");
        return voice.end(cli::wrong_input);
    } catch (const InputError& error) {
        say(error.what());
        return voice.end(cli::wrong_input);
    } catch (const FellShort& error) {
        say(error.what());
    } catch (const std::bad_alloc&) {
        say("not enough memory for this network and number of packets");
    } catch (const std::exception& error) {
        // What cannot be printed is told below.
        if (std::ferror(stdout) == 0) say(explanation_of(error));
    }
    return voice.end(cli::fell_short);
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a write that fails
    const std::uint32_t rank = rank_of_process();
    int code = run(argc, argv, Voice(rank));
    if (rank != 0) code = cli::done;  // the first one's counts
    std::cout.flush();
    if (std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    fmt::print(stderr,
               "interlace: cannot write all of it to the standard output; is a disk full, or the size of "
               "files limited?\n");
    return cli::fell_short;
}
