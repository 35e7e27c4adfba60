// Interlace: interlace sweep
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

#include <fmt/format.h>

#include <memory>

#include "cluster_flags.h"

namespace interlace::cli {
namespace {

/// As in "12 of 40 points, 1 failed, 3.2 a second, 9 s to go".
std::string text_of(const SweepProgress& p) {
    const std::size_t ended = p.done + p.failed;
    const std::size_t left = p.points - p.known - ended;
    const bool told = left > 0 && ended > 0 && p.seconds > 0;
    return progress_text(p) + (told ? fmt::format(", {:.0f} s to go", static_cast<double>(left) * p.seconds /
                                                                          static_cast<double>(ended))
                                    : "");
}

int sweep(SweepFlags& flags) {
    const Ranks ranks;
    if (!ranks.first()) return serve(ranks);
    flags.options.ranks = &ranks;
    const Sweep sweep(flags.file, flags.overrides);
    const std::string file = flags.results_of(sweep.name());
    const SweepProgress p = run_sweep(sweep, file, flags.options, sweep_listener());
    fmt::print("{}: {} points, {} computed, {} failed, {} already there\n", file, p.points, p.done, p.failed,
               p.known);
    if (p.failed > 0)
        warn(fmt::format("the first point that failed: {}; all: interlace results {} --columns status,error",
                         p.first_error, file));
    return p.failed > 0 ? fell_short : done;
}

}  // namespace

std::string progress_text(const SweepProgress& p) {
    const std::size_t ended = p.done + p.failed;
    std::string text = fmt::format("{} of {} points", p.known + ended, p.points);
    if (p.failed > 0) text += fmt::format(", {} failed", p.failed);
    if (ended > 0 && p.seconds > 0)
        text += fmt::format(", {:.3g} a second", static_cast<double>(ended) / p.seconds);
    return text;
}

int serve(const Ranks& ranks) {
    ranks.serve(run_point);
    return done;
}

std::function<void(const SweepProgress&)> sweep_listener() {
    if (on_terminal())
        return [ended = false](const SweepProgress& p) mutable {
            if (ended) return;
            ended = p.known + p.done + p.failed == p.points;
            const double share =
                static_cast<double>(p.known + p.done + p.failed) / static_cast<double>(p.points);
            show_bar(share, text_of(p) + "   ");
        };
    return [next = 10.0](const SweepProgress& p) mutable {
        if (p.seconds < next) return;
        next = p.seconds + 10;
        fmt::print(stderr, "interlace: {}\n", text_of(p));
    };
}

void add_sweep_flags(CLI::App& command, SweepFlags& flags, const std::string& text) {
    command.add_option("FILE", flags.file, text)->required();
    command
        .add_option("-o,--output", flags.results,
                    "File of results; points already in it are not run again (default: NAME.db)")
        ->type_name("FILE");
    command.add_option("--jobs", flags.options.jobs, "Points that run in parallel")
        ->check(whole(1, 1024))
        ->capture_default_str();
    command.add_flag("--retry-failed", flags.options.retry_failed, "Run failed points again");
    command
        .add_option("--set", flags.overrides,
                    "Replace a value of the file: experiment.network=torus:8x8 (may be repeated)")
        ->allow_extra_args(false);
}

void add_sweep(CLI::App& app, Action& action) {
    auto flags = std::make_shared<SweepFlags>();
    CLI::App* command = app.add_subcommand("sweep", "Run an experiment for every combination of values");
    add_sweep_flags(*command, *flags, "A YAML file (docs/sweeps.md)");
    command->footer(
        "Example: interlace sweep configs/sizing/depth.yaml --jobs 2, then interlace results depth.db");
    command->callback([flags, &action] { action = [flags] { return sweep(*flags); }; });
}

}  // namespace interlace::cli
