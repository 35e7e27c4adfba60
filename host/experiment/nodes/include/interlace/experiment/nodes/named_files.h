// Interlace: the files that an experiment names
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

/// Regular files that values of a configuration name, whatever their keys: FILE, KIND:FILE as in
/// trace:FILE, or KIND:FILE:MORE as in graph:FILE:hosts=16. In their order; names may contain colons. Throws
/// InputError for a pipe: whoever asks reads the files more than once.
std::vector<std::string> named_files(const Json& configuration);

/// {FILE: a hash of its contents} of named_files(). Throws InputError as that does, and for a file that
/// cannot be read.
Json contents_of_named_files(const Json& configuration);

}  // namespace interlace
