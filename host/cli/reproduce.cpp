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

struct ReproduceFlags {
    std::string paper;
    ReproduceOptions options;
    bool json = false;
};

void show_progress(std::size_t done, std::size_t total) {
    show_bar(static_cast<double>(done) / static_cast<double>(total), fmt::format("{}/{}", done, total));
}

void print_table(const ReproducedTable& reproduced) {
    fmt::print("{}: {}\n", reproduced.name, reproduced.title);
    const bool fits = std::any_of(reproduced.rows.begin(), reproduced.rows.end(),
                                  [](const ReproducedRow& row) { return !row.deviation.empty(); });
    std::vector<std::string> header = {"quantity", "network", "s", "published", "computed"};
    if (fits) header.emplace_back("deviation");
    header.insert(header.end(), {"optimal", "bound", "verdict"});
    Table table(header);
    std::vector<std::string> reasons;
    for (const ReproducedRow& row : reproduced.rows) {
        std::string verdict = row.verdict;
        if (!row.why.empty()) {
            auto known = std::find(reasons.begin(), reasons.end(), row.why);
            if (known == reasons.end()) known = reasons.insert(reasons.end(), row.why);
            verdict += fmt::format(" [{}]", known - reasons.begin() + 1);
        }
        std::vector<std::string> cells = {row.quantity, row.network, row.source,
                                          row.published.empty() ? "-" : row.published, row.computed};
        if (fits) cells.push_back(row.deviation);
        cells.insert(cells.end(), {row.optimal, row.lower_bound, verdict});
        table.add(cells);
    }
    fmt::print("{}", table.str());
    for (std::size_t i = 0; i < reasons.size(); ++i) fmt::print("[{}] {}\n", i + 1, reasons[i]);
    fmt::print("\n");
}

int run(ReproduceFlags& flags) {
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
    auto flags = std::make_shared<ReproduceFlags>();
    CLI::App* command = app.add_subcommand(
        "reproduce", "Reproduce published tables and figures: computed values, optimum, lower bound");
    command->add_option("PAPER", flags->paper, "Paper")
        ->type_name("ibt|allgather|alltoall|hnow|exchange")
        ->required();
    command->add_option("NAME", flags->options.name, "One table or figure: table1, fig2, ... (default: all)");
    command->add_flag("--large", flags->options.large, "Include the networks of a million nodes");
    command
        ->add_option("--seed", flags->options.seed,
                     "Seed of the optimal scheduler's ties, of random cases, and the first of thirty runs")
        ->check(whole())
        ->capture_default_str();
    command->add_flag("--json", flags->json, "Print one JSON object");
    command->footer("Example: interlace reproduce ibt table1");
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace interlace::cli
