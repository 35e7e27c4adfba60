// Interlace: the command line: its subcommands, and what they share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include "command.h"

namespace interlace::cli {

std::unique_ptr<CLI::App> make_app(Action& action) {
    auto app = std::make_unique<CLI::App>(
        "Torus, interlaced-bypass-torus and cluster networks, and the collectives that run on them.");
    app->name("interlace");
    app->require_subcommand(1);
    app->set_version_flag("--version", "interlace " + version());
    app->footer(
        "Exit codes: 0 done; 1 the result fell short (a check or a reproduction failed); 2 the input was "
        "wrong.");
    add_topology(*app, action);
    add_compare(*app, action);
    add_broadcast(*app, action);
    add_allgather(*app, action);
    add_alltoall(*app, action);
    add_multicast(*app, action);
    add_generate(*app, action);
    add_replay(*app, action);
    add_traffic(*app, action);
    add_check(*app, action);
    add_run(*app, action);
    add_reproduce(*app, action);
    add_size(*app, action);
    add_sweep(*app, action);
    add_results(*app, action);
    add_report(*app, action);
    return app;
}

void print(const Json& json) {
    fmt::print("{}\n", json.dump(2));
}

void show_bar(double share, const std::string& label) {
    constexpr int width = 40;
    const int filled = static_cast<int>(share * width);
    fmt::print(stderr, "\r[{:=<{}}{:{}}] {}{}", "", filled, "", width - filled, label, share < 1 ? "" : "\n");
    std::fflush(stderr);
}

bool on_terminal() {
    return isatty(STDERR_FILENO) != 0;
}

}  // namespace interlace::cli
