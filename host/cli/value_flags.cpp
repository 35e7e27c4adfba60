// Interlace: flags that are values of an experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "value_flags.h"

namespace interlace::cli {

Assignments Values::all() const {
    Assignments all = flags;
    for (const std::string& text : set) all.push_back(parse_assignment(text));
    return all;
}

CLI::Option* add_value(CLI::App& command, Values& values, const std::string& flag, const std::string& path,
                       const std::string& text, const std::string& otherwise) {
    return command
        .add_option_function<std::string>(
            flag,
            [&values, flag, path](const std::string& value) {
                values.flags.push_back({path, YAML::Node(value), flag});
            },
            text)
        ->default_str(otherwise);
}

CLI::Option* add_value_choice(CLI::App& command, Values& values, const std::string& flag,
                              const std::string& path, const Choices& choices, const std::string& text,
                              const std::string& otherwise) {
    return add_value(command, values, flag, path, with_choices(text, choices), otherwise)
        ->type_name(bar_list(choices));
}

CLI::Option* add_values(CLI::App& command, Values& values, const std::string& flag, const std::string& path,
                        const std::string& text) {
    return command
        .add_option_function<std::vector<std::string>>(
            flag,
            [&values, flag, path](const std::vector<std::string>& list) {
                values.flags.push_back({path, YAML::Node(list), flag});
            },
            text)
        ->allow_extra_args(false);
}

CLI::Option* add_truth(CLI::App& command, Values& values, const std::string& flag, const std::string& path,
                       const std::string& text) {
    return command.add_flag_callback(
        flag,
        [&values, flag, path] {
            values.flags.push_back({path, YAML::Node(true), flag});
        },
        text);
}

CLI::Option* add_list(CLI::App& command, Values& values, const std::string& flag, const std::string& path,
                      const std::string& text, const std::string& otherwise) {
    return add_values(command, values, flag, path, text)->delimiter(',')->default_str(otherwise);
}

std::string given_or(const CLI::App& command, const std::string& flag, const std::string& otherwise) {
    const CLI::Option* option = command.get_option(flag);
    return option->count() > 0 ? option->as<std::string>() : otherwise;
}

ConfigMap with_given(const Json& base, const Values& values) {
    return ConfigMap::from_text(base.dump(), "--set", values.all());
}

std::vector<std::string> texts_of(ConfigMap config) {
    std::vector<std::string> texts;
    for (const auto& [path, value] : config.rest()) texts.push_back(value);
    return texts;
}

void add_set_flag(CLI::App& command, Values& values, const std::string& examples) {
    command
        .add_option(
            "--set", values.set,
            "Replace a value of the experiment (docs/configuration.md): " + examples + " (may be repeated)")
        ->allow_extra_args(false);
}

}  // namespace interlace::cli
