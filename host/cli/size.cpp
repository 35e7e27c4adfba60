// Interlace: interlace size
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>

#include "command.h"
#include "interlace/report/table.h"
#include "sweep.h"

namespace interlace::cli {
namespace {

struct SizeFlags {
    SweepFlags sweep;
    bool json = false;
};

std::string slow_down_text(double mean, double half_interval, bool sampled) {
    return fmt::format("{:.4f}", mean) + (sampled ? fmt::format(" +- {:.4f}", half_interval) : "");
}

std::string slow_down_text(const SizeStudy& study, const SizedPoint& point) {
    return slow_down_text(point.slow_down, point.half_interval, study.sampled());
}

/// Notes on the numbers below.
void print_notes(const SizeStudy& study, const SizeResult& result) {
    if (!result.carried)
        fmt::print("SATURATED              the network is saturated {}with {}: the metric is {}\n",
                   study.fixed.empty() ? "even " : "", study.reference_text(), result.measure);
    std::vector<std::string> fixed;
    for (const FixedQueue& queue : study.fixed)
        fixed.push_back(queue.name + " " + (queue.depth == 0 ? "infinite" : std::to_string(queue.depth)));
    if (!fixed.empty())
        fmt::print("fixed                  {}: as in the file, not counted in bytes\n",
                   fmt::join(fixed, ", "));
    if (study.random && !study.sampled())
        fmt::print("NO INTERVALS           seeds: 1; another seed may need deeper queues\n");
}

void print_alone(const SizeStudy& study, const SizeResult& result) {
    fmt::print("each class alone       depth for a slow-down of {:g}%, depth for none{}\n",
               100 * study.tolerance, study.sampled() ? " that is significant" : "");
    for (std::size_t c = 0; c < study.queues.size(); ++c) {
        const SizedQueue& queue = result.alone[c];
        const bool failed = queue.within.confirmation && !queue.within.confirmation->held;
        fmt::print("  {:<21}{} ({}{}), {}{}{}\n", study.queues[c].name, queue.within.depths[c],
                   slow_down_text(study, queue.within), failed ? ", NOT CONFIRMED" : "", queue.free.depths[c],
                   study.sampled() ? fmt::format(" ({})", slow_down_text(study, queue.free)) : "",
                   queue.not_monotone.empty() ? "" : "; not monotone: " + queue.not_monotone);
    }
}

void print_answer(const SizeStudy& study, const SizedPoint& joint) {
    std::string depths;
    for (std::size_t c = 0; c < study.queues.size(); ++c)
        depths += fmt::format("{} {}, ", study.queues[c].name, joint.depths[c]);
    fmt::print("together               {}{:g} bytes per node, slow-down {}\n", depths, joint.bytes,
               slow_down_text(study, joint));
    if (!joint.confirmation) return;
    const Confirmation& other = *joint.confirmation;
    fmt::print("{:<23}{} under {} other seeds\n", other.held ? "confirmed" : "NOT CONFIRMED",
               slow_down_text(other.slow_down, other.half_interval, true), other.seeds);
}

void print_front(const SizeStudy& study, const SizeResult& result) {
    fmt::print("Pareto front           of {} configurations{}\n", result.tried.size(),
               study.queues.size() == 1 && !result.every_depth ? ", not of every depth" : "");
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

void print_text(const SizeStudy& study, const SizeResult& result) {
    print_notes(study, result);
    fmt::print("infinite queues        {} {:g}{}\n", result.measure, result.reference,
               study.sampled()
                   ? fmt::format(" +- {:.2g}% (95%, {} seeds)", 100 * result.half_interval, study.seeds)
                   : "");
    print_alone(study, result);
    print_answer(study, result.joint);
    print_front(study, result);
}

/// Of the whole search: one line on a terminal; elsewhere a line every ten seconds.
SizeListener size_listener() {
    const bool terminal = on_terminal();
    return [terminal, next = 10.0](const std::string& stage, const SweepProgress& so_far) mutable {
        const std::string text = fmt::format("{}: {}", stage, progress_text(so_far));
        if (terminal) {
            fmt::print(stderr, "\r\033[K{}", text);
            std::fflush(stderr);
        } else if (so_far.seconds >= next) {
            next = so_far.seconds + 10;
            fmt::print(stderr, "interlace: {}\n", text);
        }
    };
}

SizeResult search(const SizeStudy& study, const SweepFlags& flags) {
    const auto clear_line = [] {
        if (on_terminal()) fmt::print(stderr, "\r\033[K");
    };
    try {
        SizeResult result = run_size(study, flags.results_of(study.name), flags.options, size_listener());
        clear_line();
        return result;
    } catch (...) {
        clear_line();
        throw;
    }
}

int size(SizeFlags& flags) {
    const Ranks ranks;
    if (!ranks.first()) return serve(ranks);
    flags.sweep.options.ranks = &ranks;
    const SizeStudy study(flags.sweep.file, flags.sweep.overrides);
    const SizeResult result = search(study, flags.sweep);
    if (flags.json)
        print(to_json(study, result));
    else
        print_text(study, result);
    return done;
}

}  // namespace

void add_size(CLI::App& app, Action& action) {
    auto flags = std::make_shared<SizeFlags>();
    CLI::App* command = app.add_subcommand(
        "size", "Find the smallest queues that keep a metric within a tolerance of infinite queues");
    add_sweep_flags(*command, flags->sweep, "A YAML file (docs/sizing.md)");
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer("Example: interlace size configs/sizing/broadcast.yaml --jobs 2");
    command->callback([flags, &action] { action = [flags] { return size(*flags); }; });
}

}  // namespace interlace::cli
