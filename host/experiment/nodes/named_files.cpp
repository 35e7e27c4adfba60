// Interlace: the files that an experiment names
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/named_files.h"

#include <filesystem>

#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"

namespace interlace {

std::vector<std::string> named_files(const Json& configuration) {
    std::vector<std::string> files;
    if (configuration.is_structured())
        for (const Json& item : configuration)
            for (std::string& file : named_files(item)) files.push_back(std::move(file));
    if (!configuration.is_string()) return files;
    const auto text = configuration.get<std::string>();
    const auto add = [&](std::string file) {
        refuse_pipe(file);
        std::error_code ignored;
        if (std::filesystem::is_regular_file(file, ignored)) files.push_back(std::move(file));
    };
    for (std::string& file : file_names_in(text)) add(std::move(file));
    return files;
}

Json contents_of_named_files(const Json& configuration) {
    Json contents = Json::object();
    for (const std::string& file : named_files(configuration))
        contents[file] = fingerprint(read_whole_file(file, "a file"));
    return contents;
}

}  // namespace interlace
