// Interlace: interlace size
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/size.h"

#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "interlace/report/table.h"
#include "sweep.h"

namespace interlace::cli {
namespace {

struct Flags {
    SweepFlags sweep;
    bool json = false;
};

std::string slow_down_text(const SizeStudy& study, const SizedPoint& point) {
    return fmt::format("{:.4f}", point.slow_down) +
           (study.sampled ? fmt::format(" +- {:.4f}", point.half_interval) : "");
}

void print_text(const SizeStudy& study, const SizeResult& result) {
    if (!result.carried)
        fmt::print("NOT CARRIED            not even infinite queues carry the load: the measure is the {}\n",
                   result.measure);
    fmt::print("infinite queues        {} {:g}{}\n", result.measure, result.reference,
               study.sampled ? fmt::format(" +- {:.2g}% (95% of seeds)", 100 * result.half_interval) : "");
    fmt::print("each class alone       depth for a slow-down of {:g}%, depth for none\n",
               100 * study.tolerance);
    for (std::size_t c = 0; c < study.queues.size(); ++c) {
        const SizedQueue& queue = result.alone[c];
        fmt::print("  {:<21}{} ({}), {}{}\n", study.queues[c].name, queue.within.depths[c],
                   slow_down_text(study, queue.within), queue.free.depths[c],
                   queue.not_monotone.empty() ? "" : "; not monotone: " + queue.not_monotone);
    }
    std::string joint;
    for (std::size_t c = 0; c < study.queues.size(); ++c)
        joint += fmt::format("{} {}, ", study.queues[c].name, result.joint.depths[c]);
    fmt::print("together               {}{:g} bytes per node, slow-down {}\n", joint, result.joint.bytes,
               slow_down_text(study, result.joint));
    fmt::print("Pareto front           of {} configurations\n", result.tried.size());
    std::vector<std::string> header = {"bytes per node", "slow-down", result.measure};
    for (const QueueToSize& queue : study.queues) header.push_back(queue.name);
    Table table(header);
    for (const SizedPoint& point : result.front) {
        std::vector<std::string> row = {fmt::format("{:g}", point.bytes), slow_down_text(study, point),
                                        fmt::format("{:g}", point.measure)};
        for (const std::uint32_t depth : point.depths) row.push_back(std::to_string(depth));
        table.add(std::move(row));
    }
    fmt::print("{}", table.str());
}

int size(Flags& flags) {
    const Ranks ranks;
    if (!ranks.first()) return serve(ranks);
    flags.sweep.options.ranks = &ranks;
    const SizeStudy study(flags.sweep.file, flags.sweep.overrides);
    const SizeResult result =
        run_size(study, flags.sweep.results_of(study.name), flags.sweep.options, sweep_listener());
    if (flags.json)
        print(to_json(study, result));
    else
        print_text(study, result);
    return done;
}

}  // namespace

void add_size(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand(
        "size", "Find the smallest queues that keep a measure within a tolerance of infinite queues");
    add_sweep_flags(*command, flags->sweep, "A YAML file (docs/sizing.md)");
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer("Example: interlace size configs/sizing/broadcast.yaml --jobs 2");
    command->callback([flags, &action] { action = [flags] { return size(*flags); }; });
}

}  // namespace interlace::cli
