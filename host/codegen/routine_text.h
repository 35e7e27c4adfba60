// Interlace: the pieces that C routines are put together from
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interlace/codegen/mpi_routine.h"

namespace interlace {

/// The comment at the top, the headers, and an enumeration of `constants`.
std::string routine_header(const MpiRoutine& routine,
                           const std::vector<std::pair<std::string, std::uint64_t>>& constants);

/// A file of runtime/, by its name.
std::string runtime_text(const std::string& name);

/// `text`, whose function `collective` does the work, and the routine that calls it and reports its errors.
/// Throws InputError if `text` has the routine's name for something of its own.
std::string finished(std::string text, const MpiRoutine& routine);

}  // namespace interlace
