// Interlace: a build without MPI has one rank
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/error.h"
#include "interlace/mpi/world.h"
#include "launcher.h"

namespace interlace {

std::uint32_t rank_of_process() {
    return rank_by_launcher();
}

Communicator& world() {
    try {
        require_launched(1);
    } catch (const InputError&) {
        throw InputError("cannot use several ranks of mpirun", "a build with INTERLACE_MPI, or one rank");
    }
    return no_other_ranks();
}

bool has_met_ranks() {
    return false;
}

}  // namespace interlace
