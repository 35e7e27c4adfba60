// Interlace: the pieces that C routines are put together from
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// What allgather and alltoall begin with: the function NAME, its rank, and the check of the communicator.
std::string gathering_text();

/// A declaration of NAME's function and the function itself, called `function`.
std::string routine_text(std::string body, const std::string& function);

}  // namespace interlace
