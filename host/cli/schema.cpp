// Interlace: interlace schema
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "command.h"
#include "interlace/core/error.h"
#include "interlace/core/shipped_file.h"
#include "interlace/core/whole_file.h"

namespace interlace {
const std::vector<ShippedFile>& shipped_schemas();  // configs/schema
}

namespace interlace::cli {
namespace {

Choices schema_choices() {
    return {{"experiment", "a file of interlace run"},
            {"study", "a file of interlace sweep or size"},
            {"cluster", "a cluster"},
            {"node", "node parameters"},
            {"links", "link timing"},
            {"host", "host timing"}};
}

const std::string& text_of(const std::string& name) {
    for (const ShippedFile& file : shipped_schemas())
        if (file.name == name) return file.text;
    throw unknown_name("schema", name, schema_choices());
}

/// All of them: they refer to each other by file name.
void write_all(const std::string& folder) {
    make_folder(folder);
    for (const ShippedFile& file : shipped_schemas())
        write_whole_file((std::filesystem::path(folder) / (file.name + ".json")).string(),
                         [&](std::ostream& out) { out << file.text; });
}

}  // namespace

void add_schema(CLI::App& app, Action& action) {
    struct Flags {
        std::string name = "experiment", folder;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand(
        "schema", "Print the JSON Schema of a configuration file, for editors that check and complete keys");
    CLI::Option* name = add_choice(*command, "NAME", flags->name, schema_choices(), "Kind of file");
    command
        ->add_option("-o,--output", flags->folder,
                     "Write all schemas into this folder: they refer to each other by file name")
        ->type_name("DIR")
        ->excludes(name);
    command->footer("Example: interlace schema -o schemas");
    command->callback([flags, &action] {
        action = [flags] {
            if (flags->folder.empty())
                fmt::print("{}", text_of(flags->name));
            else
                write_all(flags->folder);
            return done;
        };
    });
}

}  // namespace interlace::cli
