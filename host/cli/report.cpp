// Interlace: interlace report
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "cluster_flags.h"
#include "command.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "interlace/report/document.h"
#include "interlace/report/figures.h"
#include "interlace/report/page.h"
#include "interlace/report/serve.h"

namespace interlace::cli {
namespace {

struct ReportFlags {
    std::vector<std::string> results;
    std::string output, figures, size, title = "Interlace report";
    FigureOptions options;
    bool json = false, serve = false;
    int port = 8642;
};

/// "760x400" as width and height of figures.
void read_size(const std::string& text, FigureOptions& options) {
    constexpr std::uint64_t least = 200;
    constexpr std::uint64_t most = 5000;
    const std::vector<std::string> sides = split(text, 'x');
    if (sides.size() != 2)
        throw InputError("cannot use --size '" + text + "'", "WIDTHxHEIGHT in pixels, as in 760x400");
    options.width = static_cast<std::uint32_t>(parse_integer(sides[0], "--size: width", least, most));
    options.height = static_cast<std::uint32_t>(parse_integer(sides[1], "--size: height", least, most));
}

/// Names and contents of files: every plot as NAME.svg, NAME.png and NAME.pdf.
std::vector<std::pair<std::string, std::string>> drawn(const std::vector<Figure>& figures) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const Figure& figure : figures) {
        files.emplace_back(figure.name + ".svg", figure.svg);
        files.emplace_back(figure.name + ".pdf", pdf_of(figure.svg));
        files.emplace_back(figure.name + ".png", png_of(figure.svg, 2));
    }
    return files;
}

/// Until Ctrl-C, or whoever ends the process as politely.
void serve(const ReportFlags& flags) {
    sigset_t ends;
    sigemptyset(&ends);
    for (const int signal : {SIGINT, SIGTERM}) sigaddset(&ends, signal);
    ReportServer server(flags.results, flags.title, flags.port);
    // Threads inherit it: the signal comes to sigwait().
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);
    std::thread answers([&server] { server.run(); });
    fmt::print("http://127.0.0.1:{}/ shows {}; Ctrl-C ends it\n", server.port(),
               fmt::join(flags.results, ", "));
    std::fflush(stdout);
    int signal = 0;
    sigwait(&ends, &signal);
    pthread_sigmask(SIG_UNBLOCK, &ends, nullptr);  // a second one does not wait for a disk
    server.stop();
    answers.join();
}

int report(const ReportFlags& flags) {
    refuse_lost_files({{"-o", flags.output}}, flags.results);
    if (flags.serve) {
        serve(flags);
        return done;
    }
    FigureOptions options = flags.options;
    if (!flags.size.empty()) read_size(flags.size, options);
    const Json document = report_document(flags.results, flags.title);
    // All is drawn before anything is written.
    const auto figures =
        drawn(flags.figures.empty() ? std::vector<Figure>() : report_figures(document, options));
    if (flags.json) print(document);
    if (!flags.output.empty()) {
        const std::string page = report_page(document);
        write_whole_file(flags.output, [&](std::ostream& out) { out << page; });
    }
    if (!flags.figures.empty()) make_folder(flags.figures);
    for (const auto& [name, text] : figures)
        write_whole_file((std::filesystem::path(flags.figures) / name).string(),
                         [&, &contents = text](std::ostream& out) { out << contents; });
    if (!flags.json && flags.output.empty() && flags.figures.empty())
        throw InputError("there is nothing to write", "-o FILE.html, --figures DIR, --serve or --json");
    return done;
}

void add_figures_flags(CLI::App& command, ReportFlags& flags) {
    const auto add = [&](const char* name, auto& value, const char* type, const char* text) {
        return command.add_option(name, value, text)->type_name(type);
    };
    add("--figures", flags.figures, "DIR", "Write every plot as SVG, PNG and PDF into this folder");
    FigureOptions& options = flags.options;
    add("--x", options.x, "COLUMN", "Column for the horizontal axis of a sweep's figures");
    add("--y", options.y, "COLUMN", "Column for the vertical axis of a sweep's figures");
    add("--filter", options.filters, "COLUMN=VALUE",
        "Only points of a sweep with this value (may be repeated)")
        ->allow_extra_args(false);
    add("--x-label", options.x_label, "TEXT",
        "Label of the horizontal axis (default: the column's label and unit)");
    add("--y-label", options.y_label, "TEXT", "Label of the vertical axis");
    add("--size", flags.size, "WIDTHxHEIGHT", "Size of every figure in pixels, as in 760x400");
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
    auto flags = std::make_shared<ReportFlags>();
    CLI::App* command =
        app.add_subcommand("report", "Show results as a page, and write them as figures for a paper");
    command
        ->add_option(
            "RESULTS", flags->results,
            "Files of results (of interlace sweep and size), and JSON that commands printed with --json")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("-o,--output", flags->output,
                     "Write one HTML file that opens from disk and loads nothing else")
        ->type_name("FILE");
    add_figures_flags(*command, *flags);
    command->add_flag("--serve", flags->serve,
                      "Show the page at http://127.0.0.1:PORT/, with the points of a running sweep as they "
                      "finish, until Ctrl-C");
    command->add_option("--port", flags->port, "Port of --serve; 0: any free one")
        ->type_name("PORT")
        ->check(whole(0, 65535))
        ->capture_default_str();
    command->add_option("--title", flags->title, "Title of the page")->capture_default_str();
    command->add_flag("--json", flags->json, "Print the content of the page as one JSON object");
    command->footer("Example: interlace report depth.db run.json -o report.html");
    command->callback([flags, command, &action] {
        action = [flags, command] {
            if (flags->figures.empty())
                refuse_flags(*command, {"--x", "--y", "--filter", "--x-label", "--y-label", "--size"},
                             "without --figures", "--figures DIR");
            if (flags->serve)
                refuse_flags(*command, {"--output", "--figures", "--json"}, "with --serve",
                             "one of them at a time");
            else
                refuse_flags(*command, {"--port"}, "without --serve", "--serve");
            return report(*flags);
        };
    });
}

}  // namespace interlace::cli
