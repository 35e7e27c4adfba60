// Interlace: where a file has what a run found wrong
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/config/config_map.h"
#include "interlace/core/value_error.h"

namespace interlace {

/// "FILE:LINE: key" of the value at `path` ("broadcast.source"), or of the mapping where it is missing.
Place place_of(ConfigMap config, const std::string& path);

/// `error` of a run of what `config` describes, read from `file`, with the place of the value at fault: that
/// of a ValueError, or one that the file gives to a cluster (`event`, `network`), of which errors say
/// "--set".
InputError with_place(const ConfigMap& config, const std::string& file, const InputError& error);

}  // namespace interlace
