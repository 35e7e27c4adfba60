// Interlace: the manual page, the command reference and bash's completion, from the options of --help
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <utility>

#include "command.h"
#include "interlace/core/text.h"
#include "interlace/experiment/kinds/alltoall.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/experiment/kinds/traffic.h"
#include "interlace/network/cluster.h"
#include "interlace/results/results_file.h"

namespace interlace::cli {
namespace {

/// A subcommand's footer ends with "Example: COMMAND".
constexpr std::string_view example_label = "Example: ";

std::string example_of(const CLI::App& command) {
    const std::string footer = command.get_footer();
    return footer.substr(footer.rfind(example_label) + example_label.size());
}

/// The lines in front of the example; conform lists its checks there.
std::string list_of(const CLI::App& command) {
    const std::string footer = command.get_footer();
    return footer.substr(0, footer.rfind(example_label));
}

std::string exit_codes(const CLI::App& app) {
    const std::string footer = app.get_footer();
    return footer.substr(footer.find(": ") + 2);
}

bool has_value(const CLI::Option& option) {
    return option.get_items_expected_max() > 0;
}

/// "UINT:INT in [1 - 1024]", as whole() says it, is UINT and the range.
struct Value {
    std::string type, range;
};

Value value_of(const CLI::Option& option) {
    const std::string text = option.get_type_name();
    const std::size_t in = text.find(" in [");
    if (in == std::string::npos) return {text, ""};
    return {text.substr(0, text.rfind(':', in)), text.substr(in + 1)};
}

/// Text that roff prints as it is: no escapes, hyphens that can be copied, no request at the line's start.
std::string roff(const std::string& text) {
    std::string result = text.starts_with('.') ? "\\&" : "";
    for (const char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else if (c == '\'')
            result += "\\(aq";
        else if (c == '|')
            result += "|\\:";  // a line may end here
        else
            result += c;
    }
    return result;
}

std::string bold(const std::string& text) {
    return "\\fB" + roff(text) + "\\fR";
}

std::string italic(const std::string& text) {
    return "\\fI" + roff(text) + "\\fR";
}

std::string usage(const CLI::App& command) {
    std::string text = bold("interlace " + command.get_name()) + " [" + italic("OPTIONS") + "]";
    for (const CLI::Option* option : command.get_options())
        if (option->get_positional())
            text += option->get_required() ? " " + italic(option->get_name(true))
                                           : " [" + italic(option->get_name(true)) + "]";
    return text;
}

/// An option as the manual shows it: "--load", "saturation|FLITS", and its description with default, range
/// and conflicts.
struct OptionText {
    std::string name, value, description;
    bool repeats = false;  // the value
};

OptionText text_of(const CLI::Option& option) {
    OptionText text{option.get_name(option.get_positional(), true), "", option.get_description(),
                    option.get_expected_max() == CLI::detail::expected_max_vector_size};
    std::vector<std::string> notes;
    if (has_value(option)) {
        const Value value = value_of(option);
        text.value = value.type;
        if (!value.range.empty()) notes.push_back(value.range);
        if (!option.get_default_str().empty()) notes.push_back("default: " + option.get_default_str());
    }
    if (option.get_required()) notes.emplace_back("required");
    std::set<std::string> others;  // in an order that is not that of addresses
    for (const CLI::Option* other : option.get_excludes()) others.insert(other->get_name());
    if (!others.empty()) notes.push_back(fmt::format("not with {}", fmt::join(others, ", ")));
    if (!notes.empty()) text.description += fmt::format(" ({})", fmt::join(notes, "; "));
    return text;
}

/// Positional arguments first, then each group of options, whose name is "Options" for the first.
template <typename Group, typename Print>
void for_each_option(const CLI::App& command, const Group& group, const Print& print) {
    for (const CLI::Option* option :
         command.get_options([](const CLI::Option* o) { return o->get_positional(); }))
        print(text_of(*option));
    for (const std::string& name : command.get_groups()) {
        group(name);
        for (const CLI::Option* option : command.get_options(
                 [&](const CLI::Option* o) { return !o->get_positional() && o->get_group() == name; }))
            print(text_of(*option));
    }
}

void print_options(const CLI::App& command) {
    for_each_option(
        command,
        [](const std::string& group) {
            if (group != "Options") fmt::print(".PP\n{}\n", italic(group));
        },
        [](const OptionText& option) {
            const std::string value = option.value.empty() ? "" : " " + italic(option.value);
            fmt::print(".TP\n{}{}{}\n{}\n", bold(option.name), value, option.repeats ? " ..." : "",
                       roff(option.description));
        });
}

void print_man_page(const CLI::App& app, const std::string& date) {
    const std::vector<const CLI::App*> commands = app.get_subcommands({});
    fmt::print(".TH INTERLACE 1 {} \"{}\" \"User Commands\"\n.ad l\n.nh\n", date, app.version());
    const std::string what = app.get_description();
    fmt::print(".SH NAME\ninterlace \\- {}\n.SH SYNOPSIS\n", roff(what.substr(0, what.size() - 1)));
    for (const CLI::App* command : commands) fmt::print("{}\n.br\n", usage(*command));
    fmt::print("{} {}|{}\n", bold("interlace"), bold("--help"), bold("--version"));
    fmt::print(".SH DESCRIPTION\n{}", R"(Measures networks, runs and proves collective operations on them, and
reproduces published results.
Each subcommand has options of its own.
The value of an option is one of the words listed with it, or what a word in
capitals stands for.
)");
    for (const CLI::App* command : commands) {
        fmt::print(".SS {}\n{}.\n", usage(*command), roff(command->get_description()));
        print_options(*command);
        if (const std::string list = list_of(*command); !list.empty())
            fmt::print(".PP\n.nf\n{}.fi\n", roff(list));
    }
    fmt::print(".SH EXIT STATUS\n{}\n.SH FILES\n{}", roff(exit_codes(app)),
               R"(Files of docs/ and configs/ that are named here are installed in
share/doc/interlace.
)");
    fmt::print(".SH EXAMPLES\n");
    for (const CLI::App* command : commands)
        fmt::print(".TP\n{}\n{}.\n", bold(example_of(*command)), roff(command->get_description()));
}

/// Text in a cell of a table in Markdown.
std::string cell(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '|' ? "\\|" : std::string(1, c);
    return result;
}

std::string code(const std::string& text) {
    return text.empty() ? "" : "`" + cell(text) + "`";
}

/// docs/commands.md: a section for each subcommand, with a table of its options for each group of them.
void print_markdown(const CLI::App& app) {
    fmt::print(
        "# Command reference\n\nGenerated by `scripts/reference` from the options that `--help` "
        "prints.\n\n{}\n",
        app.get_footer());
    const auto table = [](const std::string& title) {
        fmt::print("\n| {} | value | meaning |\n|---|---|---|\n", title);
    };
    for (const CLI::App* command : app.get_subcommands({})) {
        fmt::print("\n## {}\n{}.\n", command->get_name(), command->get_description());
        fmt::print("\n    {}\n", example_of(*command));
        table("option");
        for_each_option(
            *command,
            [&](const std::string& group) {
                if (group != "Options") table(cell(group));
            },
            [](const OptionText& option) {
                if (option.name == "-h,--help") return;  // every subcommand has it
                const std::string value = code(option.value) + (option.repeats ? " ..." : "");
                fmt::print("| {} | {} | {} |\n", code(option.name), value, cell(option.description));
            });
        if (const std::string list = list_of(*command); !list.empty())
            fmt::print("\n```\n{}```\n", list.substr(0, list.size() - 1));
    }
}

/// "torus: mesh: ...": what specifications of networks begin with.
std::string network_offers() {
    std::string words = "FILE";
    for (const Choice& family : network_families()) {
        const std::string word = std::string(before_colon(family.name)) + ":";
        if (words.find(word) == std::string::npos) words += " " + word;
    }
    return words;
}

/// "node.vc_depth= ...": the values of experiments that --set replaces.
std::string set_offers(const CLI::App& command) {
    TrafficExperiment traffic;
    BroadcastExperiment broadcast;
    broadcast.engine = "native";
    AllToAllExperiment cluster;
    cluster.cluster.network = "cluster:figure1";
    const std::string& name = command.get_name();
    std::vector<Json> configurations;
    if (name != "broadcast" && name != "conform") configurations.push_back(traffic.to_json());
    if (name != "traffic") configurations.push_back(broadcast.to_json());
    if (name != "traffic" && name != "conform") configurations.push_back(cluster.to_json());
    std::set<std::string> paths;
    for (const Json& configuration : configurations)
        for (const auto& [path, value] : leaves(configuration)) paths.insert(path + "=");
    return fmt::format("{}", fmt::join(paths, " "));
}

/// The words that a shell offers for a value, FILE among them if it may be a file.
std::string offers(const CLI::App& command, const CLI::Option& option) {
    if (option.get_name() == "NETWORK" || option.get_name() == "BASELINE") return network_offers();
    if (option.get_name() == "--set") return set_offers(command);
    std::istringstream type(value_of(option).type);
    std::string words;
    for (std::string word; std::getline(type, word, '|');)
        if (word == "FILE" || word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ :[]") == std::string::npos)
            words += (words.empty() ? "" : " ") + word;
    return words;
}

/// What is offered behind each option that has a value, for a first argument that is one of some words, and
/// for a word that begins as an option.
void print_cases(const CLI::App& command) {
    const std::string& name = command.get_name();
    std::string options, first;
    for (const CLI::Option* option : command.get_options()) {
        const std::string words = offers(command, *option);
        if (option->get_positional()) {
            if (first.empty()) first = words;
            continue;
        }
        std::vector<std::string> patterns;
        for (const std::string& flag : CLI::detail::split(option->get_name(false, true), ',')) {
            options += " " + flag;
            patterns.push_back(fmt::format("'{} {} '*", name, flag));
        }
        if (has_value(*option)) fmt::print("        {}) offers='{}' ;;\n", fmt::join(patterns, " | "), words);
    }
    fmt::print("        '{} '*' -'*) offers='{}' ;;\n", name, options.substr(1));
    if (!first.empty()) fmt::print("        '{0} {0} '*) offers='{1}' ;;\n", name, first);
}

void print_completion(const CLI::App& app) {
    std::string commands = "--help --version";
    for (const CLI::App* command : app.get_subcommands({})) commands += " " + command->get_name();
    fmt::print("{}",
               R"(# Completes interlace's command line in bash. Written from the options that --help prints.
_interlace() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} offers=FILE
    [[ $before != '=' ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $word != '=' ]] || word=
    local at="${COMP_WORDS[1]} $before"
    ((COMP_CWORD > 1)) || at=
    case "$at $word" in
)");
    fmt::print("        ' '*) offers='{}' ;;\n", commands);
    for (const CLI::App* command : app.get_subcommands({})) print_cases(*command);
    fmt::print("        'help help '*) offers='{}' ;;\n", commands.substr(commands.rfind("--version") + 10));
    std::string clusters;
    for (const Choice& cluster : cluster_choices()) clusters += " " + cluster.name;
    fmt::print(R"(    esac
    # A colon is a word of its own: cluster : NAME.
    [[ $before != ':' ]] || offers=FILE
    [[ $before != ':' || ${{COMP_WORDS[COMP_CWORD - 2]}} != cluster ]] || offers='{}'
    [[ $offers != *= ]] || compopt -o nospace
    mapfile -t COMPREPLY < <(compgen -W "${{offers/FILE/}}" -- "$word")
    # Where nothing matches, bash offers files, unless it is told not to.
    [[ $offers == *FILE* ]] || compopt +o default
}}
complete -o default -F _interlace interlace
)",
               clusters.substr(1));
}

}  // namespace
}  // namespace interlace::cli

int main(int argc, char** argv) {
    using namespace interlace::cli;
    Action action;
    const auto app = make_app(action);
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "man" && argc == 3)
        print_man_page(*app, argv[2]);
    else if (what == "bash" && argc == 2)
        print_completion(*app);
    else if (what == "markdown" && argc == 2)
        print_markdown(*app);
    else {
        fmt::print(stderr,
                   "usage: interlace_manual man DATE | interlace_manual bash | interlace_manual markdown\n");
        return wrong_input;
    }
    return done;
}
