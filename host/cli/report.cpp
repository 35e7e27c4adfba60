// Interlace: interlace report
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "command.h"
#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/report/document.h"
#include "interlace/report/figures.h"
#include "interlace/report/page.h"

namespace interlace::cli {
namespace {

struct Flags {
    std::vector<std::string> results;
    std::string output, figures, title = "Interlace report";
    bool json = false;
};

/// Every plot as NAME.svg and NAME.png.
void write_figures(const std::string& folder, const Json& document) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw InputError("cannot make the folder '" + folder + "'", "one that can be written to");
    for (const Figure& figure : report_figures(document)) {
        const std::string path = (std::filesystem::path(folder) / figure.name).string();
        write_whole_file(path + ".svg", [&](std::ostream& out) { out << figure.svg; });
        const std::string png = png_of(figure.svg, 2);
        write_whole_file(path + ".png", [&](std::ostream& out) { out << png; });
    }
}

int report(const Flags& flags) {
    refuse_lost_files({{"-o", flags.output}}, flags.results);
    const Json document = report_document(flags.results, flags.title);
    if (flags.json) print(document);
    if (!flags.output.empty()) {
        const std::string page = report_page(document);
        write_whole_file(flags.output, [&](std::ostream& out) { out << page; });
    }
    if (!flags.figures.empty()) write_figures(flags.figures, document);
    if (!flags.json && flags.output.empty() && flags.figures.empty())
        throw InputError("nothing to write", "-o FILE.html, --figures DIR or --json");
    return done;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command =
        app.add_subcommand("report", "Results as a page to look at, and as figures for a paper");
    command
        ->add_option(
            "RESULTS", flags->results,
            "Files of results (of interlace sweep and size), and JSON that commands printed with --json")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("-o,--output", flags->output,
                     "Write one HTML file that opens from disk and asks for nothing else")
        ->type_name("FILE");
    command->add_option("--figures", flags->figures, "Write every plot as SVG and PNG into this folder")
        ->type_name("DIR");
    command->add_option("--title", flags->title, "Of the page")->capture_default_str();
    command->add_flag("--json", flags->json, "Print what the page shows as one JSON object");
    command->footer("Example: interlace report depth.db run.json -o report.html");
    command->callback([flags, &action] { action = [flags] { return report(*flags); }; });
}

}  // namespace interlace::cli
