// Interlace: configurations that come with the program, by name, and others, by file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/config/config_map.h"
#include "interlace/core/error.h"
#include "interlace/core/shipped_file.h"

namespace interlace {

/// The shipped file of that name, or a user's file; `what` is what the user asked for ("node"). Throws
/// InputError for a name that is neither.
ConfigMap shipped_or_file(const std::vector<ShippedFile>& shipped, const std::string& name_or_file,
                          const std::string& what, const std::vector<std::string>& overrides = {});

/// What the key `base` names, or the defaults without one. Errors in it are told with its place.
template <class Parameters>
Parameters base_of(ConfigMap& config, Parameters (*named)(const std::string&)) {
    if (!config.has("base")) return {};
    try {
        return named(config.text("base"));
    } catch (const InputError& error) {
        throw error.at(config.place("base"));
    }
}

}  // namespace interlace
