// Interlace: the command line
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "command.h"
#include "interlace/core/error.h"

int main(int argc, char** argv) {
    using namespace interlace;
    cli::Action action;
    const auto app = cli::make_app(action);
    try {
        app->parse(argc, argv);
        return action();
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app->exit(error);  // --help, --version
        fmt::print(stderr, "interlace: {} (see interlace --help)\n", error.what());
        return cli::wrong_input;
    } catch (const InputError& error) {
        fmt::print(stderr, "interlace: {}\n", error.what());
        return cli::wrong_input;
    } catch (const FellShort& error) {
        fmt::print(stderr, "interlace: {}\n", error.what());
        return cli::fell_short;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "interlace: not enough memory for this network and number of packets\n");
        return cli::fell_short;
    } catch (const std::exception& error) {
        fmt::print(stderr, "interlace: a fault of interlace itself, please report it: {}\n", error.what());
        return cli::fell_short;
    }
}
