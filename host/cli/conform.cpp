// Interlace: interlace conform
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/conform.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.h"
#include "interlace/core/text.h"
#include "interlace/report/table.h"
#include "node_flags.h"
#include "run.h"

namespace interlace::cli {
namespace {

struct ConformFlags {
    std::string network;
    Values values;
    NodeFlags node;
    std::string only, waveforms = default_waveforms;
    bool json = false;
};

void print_text(const ConformReport& report) {
    fmt::print("network                {}\n", report.base.network);
    fmt::print("hardware               nodes {}, checked at level {}\n", report.base.cycles.shadow,
               report.level);
    Table table({"check", "shows that", "verdict", "packet-hops", "longest wait"});
    for (const ConformOutcome& outcome : report.outcomes) {
        const auto number = [&](std::uint64_t of) {
            return outcome.verdict == Verdict::passed ? std::to_string(of) : "-";
        };
        table.add({outcome.check->name, outcome.check->shows, verdict_name(outcome.verdict),
                   number(outcome.packet_hops),
                   report.level == "links" ? number(outcome.longest_wait) : "-"});
    }
    fmt::print("{}", table.str());
    for (const ConformOutcome& outcome : report.outcomes)
        if (!outcome.sentence.empty())
            fmt::print("{}: {}: {}\n", outcome.check->name, verdict_name(outcome.verdict), outcome.sentence);
    const auto count = [&](Verdict verdict) {
        return std::count_if(report.outcomes.begin(), report.outcomes.end(),
                             [&](const ConformOutcome& outcome) { return outcome.verdict == verdict; });
    };
    fmt::print("{}: {} checks passed, {} failed, {} not supported\n",
               report.conforms() ? "conforms" : "DOES NOT CONFORM", count(Verdict::passed),
               count(Verdict::failed), count(Verdict::not_built_for));
}

int run(const ConformFlags& flags) {
    ConformOptions options;
    options.base = experiment_of<BroadcastExperiment>(with_given({{"schema", 1},
                                                                  {"network", flags.network},
                                                                  {"engine", "native"},
                                                                  {"shadow_level", "links"},
                                                                  {"broadcast", Json::object()}},
                                                                 flags.values));
    options.base.cycles.device_return = flags.node.device_return;
    if (!flags.only.empty()) options.only = split(flags.only, ',');
    options.waveforms = flags.waveforms;
    std::size_t ended = 0;
    const std::size_t total = options.only.empty() ? conform_checks().size() : options.only.size();
    if (on_terminal())
        options.done = [&](const ConformOutcome& outcome) {
            show_bar(static_cast<double>(++ended) / static_cast<double>(total), outcome.check->name);
        };
    const ConformReport report = conform(options);
    if (flags.json)
        print(to_json(report));
    else
        print_text(report);
    return report.conforms() ? done : fell_short;
}

std::string list_of_checks() {
    std::string text = "Checks:\n";
    for (const ConformCheck& check : conform_checks())
        text += fmt::format("    {:<19}{}\n", check.name, check.shows);
    return text;
}

}  // namespace

void add_conform(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ConformFlags>();
    CLI::App* command = app.add_subcommand(
        "conform", "Test nodes in hardware against the router's contract by a fixed list of runs");
    command->add_option("NETWORK", flags->network, "Network of these nodes and native ones, as in torus:4x4")
        ->required();
    command->add_option("--checks", flags->only, "Run only these checks, as in forward,tight")
        ->type_name("NAMES");
    command
        ->add_option("--waveforms", flags->waveforms,
                     "File name prefix for the waveform of a check's first violation: PREFIX-CHECK.vcd")
        ->capture_default_str();
    add_value(*command, flags->values, "--packets", "broadcast.packets", "Packets of a broadcast", "32")
        ->check(whole(1, 1'000'000))
        ->type_name("UINT");
    add_value(*command, flags->values, "--seed", "seed", "Seed of traffic and hosts", "1")
        ->check(whole())
        ->type_name("UINT");
    add_set_flag(*command, flags->values);
    add_node_flags(*command, flags->values, flags->node, {.level = "links"});
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer(list_of_checks() + "\nExample: interlace conform torus:4x4 --device 5=unix:/tmp/dut");
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace interlace::cli
