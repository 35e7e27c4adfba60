// Interlace: interlace results
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "command.h"
#include "interlace/core/whole_file.h"
#include "interlace/report/table.h"
#include "interlace/results/query.h"

namespace interlace::cli {
namespace {

struct ResultsFlags {
    std::string file, sql, output;
    ResultsQuery query;
    std::vector<std::string> pivot;
    bool csv = false, json_lines = false;
};

std::string text_of(const ResultsTable& results) {
    if (results.header.empty()) return "";
    Table table(results.header);
    for (const auto& row : results.rows) {
        std::vector<std::string> cells;
        cells.reserve(row.size());
        for (const Json& cell : row) cells.push_back(cell_text(cell));
        table.add(std::move(cells));
    }
    return table.str();
}

int results(ResultsFlags& flags) {
    refuse_lost_files({{"-o", flags.output}}, {flags.file});
    ResultsFile file(flags.file, ResultsFile::Mode::read);
    if (!flags.pivot.empty()) flags.query.columns = flags.pivot;
    ResultsTable table = flags.sql.empty() ? select(file, flags.query) : run_sql(file, flags.sql);
    if (!flags.pivot.empty()) table = pivot(table);
    const std::string text = flags.csv          ? to_csv(table)
                             : flags.json_lines ? to_json_lines(table)
                                                : text_of(table);
    if (flags.output.empty())
        fmt::print("{}", text);
    else
        write_whole_file(flags.output, [&](std::ostream& out) { out << text; });
    return done;
}

}  // namespace

void add_results(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ResultsFlags>();
    CLI::App* command =
        app.add_subcommand("results", "List, filter, pivot and export the results of a sweep");
    command->add_option("FILE", flags->file, "A file of results, as interlace sweep writes")->required();
    command->add_option("--sweep", flags->query.sweep, "Name of the sweep, of a file with several");
    command
        ->add_option("--columns", flags->query.columns,
                     "Columns to show: varied values, measurements, paths of the configuration, status, "
                     "error, wall_seconds, ...")
        ->delimiter(',');
    command
        ->add_option("--where", flags->query.where,
                     "Only points that match, as in node.vc_depth>=16 (may be repeated: all must match)")
        ->allow_extra_args(false);
    CLI::Option* pivot = command->add_option("--pivot", flags->pivot, "ROWS,COLUMNS,CELLS")->delimiter(',');
    pivot->expected(3)->excludes("--columns");
    command->add_option("--sql", flags->sql, "Run a read-only SQL query (docs/sweeps.md has the schema)")
        ->excludes("--columns", "--where", "--sweep", pivot);
    CLI::Option* csv = command->add_flag("--csv", flags->csv, "Print CSV");
    command->add_flag("--jsonl", flags->json_lines, "Print JSON, one object per line")->excludes(csv);
    command->add_option("-o,--output", flags->output, "Write to this file")->type_name("FILE");
    command->footer("Example: interlace results depth.db --pivot network,node.vc_depth,cycles");
    command->callback([flags, &action] { action = [flags] { return results(*flags); }; });
}

}  // namespace interlace::cli
