// Interlace: configurations that come with the program, by name, and others, by file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/config/shipped.h"

namespace interlace {

ConfigMap shipped_or_file(const std::vector<ShippedFile>& shipped, const std::string& name_or_file,
                          const std::string& what, const std::vector<std::string>& overrides) {
    std::string names;
    for (const ShippedFile& file : shipped) {
        if (file.name == name_or_file)
            return ConfigMap::from_text(file.text, "configs/" + file.folder + "/" + file.name + ".yaml",
                                        overrides);
        names += file.name + ", ";
    }
    if (name_or_file.find_first_of("./") == std::string::npos)
        throw InputError(what + " '" + name_or_file + "'", names + "or a file");
    return ConfigMap::from_file(name_or_file, overrides);
}

}  // namespace interlace
