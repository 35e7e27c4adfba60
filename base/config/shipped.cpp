// Interlace: configurations that come with the program, by name, and others, by file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/config/shipped.h"

namespace interlace {

ConfigMap shipped_or_file(const std::vector<ShippedFile>& shipped, const std::string& name_or_file,
                          const std::string& what, const std::vector<std::string>& overrides) {
    for (const ShippedFile& file : shipped)
        if (file.name == name_or_file)
            return ConfigMap::from_text(file.text, "configs/" + file.folder + "/" + file.name + ".yaml",
                                        overrides);
    if (name_or_file.find_first_of("./") == std::string::npos) {
        Choices choices = shipped_choices(shipped);
        choices.back().name = "a file";
        throw unknown_name(what, name_or_file, choices);
    }
    return ConfigMap::from_file(name_or_file, overrides);
}

Choices shipped_choices(const std::vector<ShippedFile>& shipped) {
    Choices choices;
    for (const ShippedFile& file : shipped) choices.push_back({file.name, ""});
    choices.push_back({"FILE", ""});
    return choices;
}

}  // namespace interlace
