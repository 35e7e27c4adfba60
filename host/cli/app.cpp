// Interlace: the command line: its subcommands, and what they share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "command.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/mpi/world.h"

namespace interlace::cli {

std::unique_ptr<CLI::App> make_app(Action& action) {
    auto app = std::make_unique<CLI::App>(
        "Emulate torus, interlaced-bypass-torus and cluster networks and the collectives that run on them.");
    app->name("interlace");
    app->require_subcommand(1);
    app->set_version_flag("--version", "interlace " + version());
    app->footer(
        "Exit codes: 0 done; 1 the result fell short (a check or a reproduction failed); 2 the input was "
        "wrong.");
    add_topology(*app, action);
    add_compare(*app, action);
    add_capacity(*app, action);
    add_broadcast(*app, action);
    add_allgather(*app, action);
    add_alltoall(*app, action);
    add_collectives_on_links(*app, action);
    add_multicast(*app, action);
    add_generate(*app, action);
    add_replay(*app, action);
    add_traffic(*app, action);
    add_check(*app, action);
    add_run(*app, action);
    add_reproduce(*app, action);
    add_size(*app, action);
    add_area(*app, action);
    add_device(*app, action);
    add_conform(*app, action);
    add_sweep(*app, action);
    add_results(*app, action);
    add_report(*app, action);
    add_schema(*app, action);
    add_help(*app, action);
    return app;
}

const CLI::App* subcommand(const CLI::App& app, const std::string& name) {
    for (const CLI::App* known : app.get_subcommands({}))
        if (known->get_name() == name) return known;
    return nullptr;
}

void add_help(CLI::App& app, Action& action) {
    auto name = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("help", "Print the --help of a subcommand");
    command->add_option("SUBCOMMAND", *name, "Subcommand (default: list all)");
    command->footer("Example: interlace help traffic");
    command->callback([name, &app, &action] {
        action = [name, &app] {
            std::vector<std::string> names;
            for (const CLI::App* known : app.get_subcommands({})) names.push_back(known->get_name());
            if (name->empty()) {
                Action none;
                fmt::print("{}", make_app(none)->help());  // of one that has not parsed this subcommand
                return done;
            }
            const CLI::App* about = subcommand(app, *name);
            if (about == nullptr)
                throw InputError("there is no subcommand '" + *name + "'" + did_you_mean(*name, names),
                                 "one that interlace --help lists");
            fmt::print("{}", about->help(app.get_name()));
            return done;
        };
    });
}

void print(const Json& json) {
    // Files may have names that are no UTF-8, which JSON is.
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

namespace {

bool same_file(const std::string& output, const std::string& other) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (output.empty() || other.empty()) return false;
    if (fs::exists(output, ignored) && !fs::is_regular_file(output, ignored)) return false;
    // Of a file that is not there yet, a relative path would stay one.
    const auto whole_path = [&](const std::string& path) {
        return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
    };
    return fs::equivalent(output, other, ignored) || whole_path(output) == whole_path(other);
}

CLI::Validator check(const std::string& description, const std::function<void(const std::string&)>& read) {
    return {[read](std::string& text) {
                try {
                    read(text);
                    return std::string();
                } catch (const InputError& error) {
                    return std::string(error.what());
                }
            },
            description};
}

}  // namespace

void refuse_ranks(const std::string& what) {
    if (const std::uint32_t ranks = world().size(); ranks > 1)
        throw InputError(fmt::format("cannot divide {} among {} ranks", what, ranks),
                         "traffic, broadcasts and other collectives on a cycle engine, or one rank");
}

void refuse_lost_files(const std::vector<std::pair<std::string, std::string>>& outputs,
                       const std::vector<std::string>& inputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto& [flag, file] = outputs[i];
        const auto refuse = [&, &name = flag, &path = file](const std::string& what) {
            throw InputError(fmt::format("cannot write {} '{}', {}", name, path, what), "a file of its own");
        };
        for (std::size_t j = 0; j < i; ++j)
            if (same_file(file, outputs[j].second)) refuse("which " + outputs[j].first + " writes, too");
        for (const std::string& input : inputs)
            for (const std::string& read : file_names_in(input))
                if (same_file(file, read)) refuse("which is read");
    }
}

CLI::Validator whole(std::uint64_t low, std::uint64_t high) {
    return check(low > 0 || high < UINT32_MAX ? fmt::format("INT in [{} - {}]", low, high) : "",
                 [=](const std::string& text) { parse_integer(text, "value", low, high); });
}

CLI::Validator finite() {
    return check("", [](const std::string& text) { parse_number(text, "value"); });
}

CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& value,
                        const Choices& choices, const std::string& text) {
    CLI::Option* option = command.add_option(name, value, with_choices(text, choices));
    return option->type_name(bar_list(choices))->capture_default_str();
}

std::string with_choices(const std::string& text, const Choices& choices) {
    const std::string all = explained(choices);
    return all.empty() ? text : text + "; " + all;
}

void make_folder(const std::string& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw InputError("cannot make the folder '" + folder + "'", "one that can be written to");
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
