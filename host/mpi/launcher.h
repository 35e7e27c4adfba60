// Interlace: what the launcher of this process said of it, in its environment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace interlace {

/// Whether mpirun, or a launcher that MPI understands, has started this process.
bool started_by_mpirun();

/// This process's number among several that its launcher says it has started; 0 without one.
std::uint32_t rank_by_launcher();

/// Throws InputError where a launcher says that it has started another number of processes than the `size` of
/// MPI's world: each of them would run everything, and write the same files. A single process in an
/// allocation of Slurm, which knows the number of its tasks, too, is no such process.
void require_launched(std::uint32_t size);

}  // namespace interlace
