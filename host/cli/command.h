// Interlace: the command line: what every subcommand shares
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interlace/core/names.h"
#include "interlace/measure/json_result.h"

namespace interlace::cli {

/// Exit codes of the command.
enum Exit { done = 0, fell_short = 1, wrong_input = 2 };

/// Adds one subcommand; its action runs after parsing and returns the exit code. The callback is left in
/// `action`.
using Action = std::function<int()>;

void add_topology(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_capacity(CLI::App& app, Action& action);
void add_broadcast(CLI::App& app, Action& action);
void add_allgather(CLI::App& app, Action& action);
void add_collectives_on_links(CLI::App& app, Action& action);
void add_alltoall(CLI::App& app, Action& action);
void add_multicast(CLI::App& app, Action& action);
void add_generate(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_traffic(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_size(CLI::App& app, Action& action);
void add_area(CLI::App& app, Action& action);
void add_device(CLI::App& app, Action& action);
void add_conform(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_results(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_schema(CLI::App& app, Action& action);
/// The subcommand of that name; null: there is none.
const CLI::App* subcommand(const CLI::App& app, const std::string& name);
void add_help(CLI::App& app, Action& action);

/// The command with all of them. The one source of parsing, of --help and of the manual.
///
/// The type name of an option says what its value is, as in "bgl|bgl_ten|minimal|wide|FILE": words in small
/// letters stand for themselves, FILE for a file's name. Shells complete them.
std::unique_ptr<CLI::App> make_app(Action& action);

/// Checks of what CLI11 reads as another number: 010 as eight, -1 and what is too large as 2^64 - 1, nothing
/// as 0; infinities.
CLI::Validator whole(std::uint64_t low = 0, std::uint64_t high = UINT64_MAX);
CLI::Validator finite();

/// An option whose value is one of `choices`: help and the manual say what each is, shells complete them.
CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& value,
                        const Choices& choices, const std::string& text);

/// The text of an option, followed by what each of its choices is.
std::string with_choices(const std::string& text, const Choices& choices);

/// Refuses to run `what` on several ranks of mpirun, each of which would run all of it.
void refuse_ranks(const std::string& what);

/// Refuses outputs (flag, file) that would lose something: two on one file, or one on a file that `inputs`
/// name, with or without a prefix as in graph:FILE. Empty names are none; devices lose nothing.
void refuse_lost_files(const std::vector<std::pair<std::string, std::string>>& outputs,
                       const std::vector<std::string>& inputs);

/// Makes a folder for output, and those that it is in, where they are not there. Throws InputError.
void make_folder(const std::string& folder);

/// A bar on stderr for `share` (0 to 1) of the work, with `label` behind it; the caller checks that it is a
/// terminal.
void show_bar(double share, const std::string& label);

/// Is stderr a terminal?
bool on_terminal();

/// Prints one JSON object on stdout.
void print(const Json& json);

}  // namespace interlace::cli
