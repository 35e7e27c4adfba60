// Interlace: configurations that come with the program, by name, and others, by file
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "interlace/config/config_map.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/shipped_file.h"

namespace interlace {

/// The shipped file of that name, or a user's file; `what` is what the user asked for ("node"). Throws
/// InputError for a name that is neither.
ConfigMap shipped_or_file(const std::vector<ShippedFile>& shipped, const std::string& name_or_file,
                          const std::string& what, const std::vector<std::string>& overrides = {});

/// Their names, and FILE.
Choices shipped_choices(const std::vector<ShippedFile>& shipped);

/// What the key `base` names, or the defaults without one. Errors in it are told with its place; one of them
/// is a base that leads back to itself.
template <class Parameters>
Parameters base_of(ConfigMap& config, Parameters (*named)(const std::string&)) {
    if (!config.has("base")) return {};
    thread_local std::vector<std::string>
        open;  // the bases that are being read, each named by the one before
    const std::string base = config.text("base");
    if (std::find(open.begin(), open.end(), base) != open.end())
        throw InputError("cannot use base '" + base + "' of itself", "bases that end")
            .at(config.place("base"));
    struct Closing {
        ~Closing() { open.pop_back(); }
    };
    open.push_back(base);
    const Closing closing;
    try {
        return named(base);
    } catch (const InputError& error) {
        throw error.at(config.place("base"));
    }
}

}  // namespace interlace
