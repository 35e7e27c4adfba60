// Interlace: a build without MPI has one rank
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "interlace/core/error.h"
#include "interlace/mpi/world.h"

namespace interlace {

std::uint32_t rank_of_process() {
    return 0;
}

Communicator& world() {
    const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
    if (size != nullptr && std::atoi(size) > 1)
        throw InputError("cannot use several ranks of mpirun", "a build with INTERLACE_MPI");
    return no_other_ranks();
}

bool has_met_ranks() {
    return false;
}

}  // namespace interlace
