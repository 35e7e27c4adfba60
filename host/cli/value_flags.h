// Interlace: flags that are values of an experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "interlace/config/config_map.h"
#include "interlace/core/error.h"
#include "interlace/experiment/experiment.h"

namespace interlace::cli {

/// What the user said of an experiment, by flags and by --set: the values of its configuration, which is read
/// as a file with them would be. So a flag, its key in a file and --set mean the same, and whatever nobody
/// said gets the same default.
struct Values {
    Assignments flags;
    std::vector<std::string> set;  ///< of --set, which holds against a flag

    /// In the order in which they hold: a later one replaces an earlier one.
    Assignments all() const;
};

/// A flag for the value at `path`; `otherwise` is the default that --help shows, if any.
CLI::Option* add_value(CLI::App& command, Values& values, const std::string& flag, const std::string& path,
                       const std::string& text, const std::string& otherwise = "");
/// The same for one of `choices`.
CLI::Option* add_value_choice(CLI::App& command, Values& values, const std::string& flag,
                              const std::string& path, const Choices& choices, const std::string& text,
                              const std::string& otherwise = "");
/// A flag that may be repeated, for a list.
CLI::Option* add_values(CLI::App& command, Values& values, const std::string& flag, const std::string& path,
                        const std::string& text);

/// A flag without a value, which makes the one at `path` true.
CLI::Option* add_truth(CLI::App& command, Values& values, const std::string& flag, const std::string& path,
                       const std::string& text);
/// A flag for a list between commas, as in "3,5,7".
CLI::Option* add_list(CLI::App& command, Values& values, const std::string& flag, const std::string& path,
                      const std::string& text, const std::string& otherwise = "");

/// --set.
void add_set_flag(CLI::App& command, Values& values,
                  const std::string& examples = "node.vc_depth=16, links.latency=4");

/// The value of a flag, or `otherwise` where it was not given.
std::string given_or(const CLI::App& command, const std::string& flag, const std::string& otherwise);

/// A configuration, and the values in their places. Throws InputError.
ConfigMap with_given(const Json& base, const Values& values);

/// The experiment that a configuration describes. Throws InputError, also where it is of another kind: of
/// collectives some algorithms run on links, others between machines.
template <class OneKind>
OneKind experiment_of(const ConfigMap& config) {
    const std::unique_ptr<Experiment> experiment = read_experiment(config);
    if (const auto* of_kind = dynamic_cast<const OneKind*>(experiment.get())) return *of_kind;
    throw InputError("cannot use this algorithm here", "one that runs between machines");
}

/// Every text of a configuration, any of which may name a file.
std::vector<std::string> texts_of(ConfigMap config);

}  // namespace interlace::cli
