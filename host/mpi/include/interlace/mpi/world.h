// Interlace: the processes that mpirun has started
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/ranks/communicator.h"

namespace interlace {

/// This process's number among several that mpirun says it has started, before world() has met them; 0
/// without mpirun.
std::uint32_t rank_of_process();

/// All processes that mpirun started; no_other_ranks() where it did not start this one. Throws InputError
/// where it started several and the build has no MPI (INTERLACE_MPI), and where another launcher (that of
/// another MPI, srun) did, so that MPI knows of one process alone. The first call waits for the others.
Communicator& world();

/// Whether world() has met others, who then wait for this process at its end.
bool has_met_ranks();

}  // namespace interlace
