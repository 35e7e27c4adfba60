// Interlace: a build without MPI has one rank
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "interlace/core/error.h"
#include "interlace/study/ranks.h"

namespace interlace {

Ranks::Ranks() {
    const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
    if (size != nullptr && std::atoi(size) > 1)
        throw InputError("cannot use several ranks of mpirun", "a build with INTERLACE_MPI");
}
Ranks::~Ranks() = default;

void Ranks::serve(const std::function<std::string(const std::string&)>& /*compute*/) const {}

void Ranks::deal(std::size_t /*tasks*/, const std::function<std::string(std::size_t)>& /*text*/,
                 const std::function<void(std::size_t, const TaskOutcome&)>& /*finished*/,
                 const std::function<void()>& /*waiting*/) const {}

}  // namespace interlace
