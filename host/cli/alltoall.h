// Interlace: the flags of a complete exchange
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"
#include "value_flags.h"

namespace interlace::cli {

/// --sync, --block, --permutation, --window and --reorder.
void add_exchange_flags(CLI::App& command, Values& values);

/// Those of another algorithm than `algorithm`.
void refuse_exchange_flags_of_others(const CLI::App& command, const std::string& algorithm);

}  // namespace interlace::cli
