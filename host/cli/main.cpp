// Interlace: the command line
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "command.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/one_line.h"

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

/// The exit code, after what went wrong has been said.
int run(int argc, char** argv) {
    const auto say = [](std::string_view text) { fmt::print(stderr, "interlace: {}\n", one_line(text)); };
    cli::Action action;
    const auto app = cli::make_app(action);
    try {
        app->parse(argc, argv);
        return action();
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app->exit(error);  // --help, --version
        say(refusal_of(*app, argc, argv, error) + " (see interlace --help)");
        return cli::wrong_input;
    } catch (const InputError& error) {
        say(error.what());
        return cli::wrong_input;
    } catch (const FellShort& error) {
        say(error.what());
    } catch (const std::bad_alloc&) {
        say("not enough memory for this network and number of packets");
    } catch (const std::exception& error) {
        // What cannot be printed is told below.
        if (std::ferror(stdout) == 0)
            say(std::string("a fault of interlace itself, please report it: ") + error.what());
    }
    return cli::fell_short;
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a write that fails
    const int code = run(argc, argv);
    std::cout.flush();
    if (std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    fmt::print(stderr, "interlace: cannot write all of it to the standard output; is a disk full?\n");
    return cli::fell_short;
}
