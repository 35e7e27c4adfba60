// Interlace: the command line
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <iostream>

#include "command.h"
#include "interlace/core/error.h"
#include "interlace/core/one_line.h"

namespace {

using namespace interlace;

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
        say(std::string(error.what()) + " (see interlace --help)");
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
