// Interlace: interlace reproduce
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.h"
#include "interlace/report/table.h"
#include "interlace/study/reproduce.h"

namespace interlace::cli {
namespace {

struct Flags {
    std::string paper;
    ReproduceOptions options;
    bool json = false;
};

void show_progress(std::size_t done, std::size_t total) {
    show_bar(static_cast<double>(done) / static_cast<double>(total), fmt::format("{}/{}", done, total));
}

void print_table(const ReproducedTable& reproduced) {
    fmt::print("{}: {}\n", reproduced.name, reproduced.title);
    Table table({"quantity", "network", "s", "published", "computed", "optimal", "bound", "verdict"});
    std::vector<std::string> reasons;
    for (const ReproducedRow& row : reproduced.rows) {
        std::string verdict = row.verdict;
        if (verdict == "differs") {
            auto known = std::find(reasons.begin(), reasons.end(), row.why);
            if (known == reasons.end()) known = reasons.insert(reasons.end(), row.why);
            verdict += fmt::format(" [{}]", known - reasons.begin() + 1);
        }
        table.add({row.quantity, row.network, row.source, row.published.empty() ? "-" : row.published,
                   row.computed, row.optimal, row.lower_bound, verdict});
    }
    fmt::print("{}", table.str());
    for (std::size_t i = 0; i < reasons.size(); ++i) fmt::print("[{}] {}\n", i + 1, reasons[i]);
    fmt::print("\n");
}

int run(Flags& flags) {
    if (on_terminal()) flags.options.progress = show_progress;
    const auto tables = reproduce(flags.paper, flags.options);
    if (flags.json)
        print(to_json(tables, flags.paper, flags.options));
    else
        for (const ReproducedTable& table : tables) print_table(table);
    return std::all_of(tables.begin(), tables.end(), [](const auto& table) { return table.holds(); })
               ? done
               : fell_short;
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand(
        "reproduce", "Published tables and figures beside computed values, optimum and lower bound");
    command->add_option("PAPER", flags->paper, "Whose tables and figures")
        ->type_name("ibt|allgather|alltoall|hnow|exchange")
        ->required();
    command->add_option("NAME", flags->options.name, "One table or figure: table1, fig2, ... (default: all)");
    command->add_flag("--large", flags->options.large, "With the networks of a million nodes");
    command->add_option("--seed", flags->options.seed, "Seed of the optimal scheduler's ties")
        ->capture_default_str();
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer("Example: interlace reproduce ibt table1");
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace interlace::cli
