// Interlace: the command line
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include "command.h"
#include "interlace/core/error.h"

int main(int argc, char** argv) {
    using namespace interlace;
    CLI::App app{
        "Torus, interlaced-bypass-torus and cluster networks, and the collectives that run on them."};
    app.name("interlace");
    app.require_subcommand(1);
    app.set_version_flag("--version", "interlace " + version());
    app.footer(
        "Exit codes: 0 done; 1 the result fell short (a check or a reproduction failed); 2 the input was "
        "wrong.");
    cli::Action action;
    cli::add_topology(app, action);
    cli::add_compare(app, action);
    cli::add_broadcast(app, action);
    cli::add_allgather(app, action);
    cli::add_alltoall(app, action);
    cli::add_multicast(app, action);
    cli::add_generate(app, action);
    cli::add_replay(app, action);
    cli::add_traffic(app, action);
    cli::add_check(app, action);
    cli::add_run(app, action);
    cli::add_reproduce(app, action);
    cli::add_size(app, action);
    cli::add_sweep(app, action);
    cli::add_results(app, action);
    try {
        app.parse(argc, argv);
        return action();
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
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

void interlace::cli::print(const Json& json) {
    fmt::print("{}\n", json.dump(2));
}

void interlace::cli::show_bar(double share, const std::string& label) {
    constexpr int width = 40;
    const int filled = static_cast<int>(share * width);
    fmt::print(stderr, "\r[{:=<{}}{:{}}] {}{}", "", filled, "", width - filled, label, share < 1 ? "" : "\n");
    std::fflush(stderr);
}

bool interlace::cli::on_terminal() {
    return isatty(STDERR_FILENO) != 0;
}
