// Interlace: what the launcher of this process said of it, in its environment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "launcher.h"

#include <array>
#include <cstdlib>
#include <string>

#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::array rank_variables = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
constexpr std::array size_variables = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
// Slurm's own, in a step of srun alone; SLURM_NTASKS stands in batch scripts and in salloc's shell, too.
constexpr const char* slurm_rank = "SLURM_PROCID";
constexpr const char* slurm_size = "SLURM_STEP_NUM_TASKS";

bool is_set(const char* name) {
    return std::getenv(name) != nullptr;
}

/// 0: it is not there, or no number.
std::uint32_t number_in(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? 0 : static_cast<std::uint32_t>(std::atoi(value));
}

/// The first that is there; null: none.
template <class Names>
const char* first_of(const Names& names) {
    for (const char* name : names)
        if (is_set(name)) return name;
    return nullptr;
}

/// The variable with the number of processes. mpirun, under Slurm, starts its daemons as a step, whose
/// variables its processes inherit: theirs come first.
const char* size_variable() {
    if (const char* const name = first_of(size_variables)) return name;
    return is_set(slurm_rank) && is_set(slurm_size) ? slurm_size : nullptr;
}

}  // namespace

bool started_by_mpirun() {
    return first_of(rank_variables) != nullptr;
}

std::uint32_t rank_by_launcher() {
    const char* const size = size_variable();
    if (size == nullptr || number_in(size) <= 1) return 0;
    const char* const rank = first_of(rank_variables);
    return number_in(rank == nullptr ? slurm_rank : rank);
}

void require_launched(std::uint32_t size) {
    // One launcher in another: the inner one is right.
    for (const char* name : size_variables)
        if (number_in(name) == size) return;
    const char* const name = size_variable();
    if (name == nullptr || number_in(name) <= 1 || number_in(name) == size) return;
    throw InputError(
        std::string(name) + " is " + std::getenv(name) + ", but MPI has " + std::to_string(size) +
            (size == 1 ? " rank" : " ranks"),
        std::string("the mpirun of the MPI that interlace was built with, or, for independent runs, ") +
            name + " unset");
}

}  // namespace interlace
