// Interlace: a program of messages as a C routine on MPI
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/program/messages.h"

namespace interlace {

enum class Collective { allgather, alltoall, broadcast };

struct MpiRoutine {
    Collective collective = Collective::allgather;
    std::string function;    ///< the routine's name; it has the signature of the MPI routine it stands for
    std::string title;       ///< what it is, for the comment at the top; any text, which is escaped there
    std::uint32_t root = 0;  ///< of a broadcast: the only root that the routine accepts
};

/// Throws InputError unless a function can have this name in C and in C++, beside their libraries and MPI.
void require_function_name(const std::string& name);

/// Source, C11 and C++17 alike, that needs MPI 3 and nothing else. Rank i runs machine i's operations of
/// `program`, whose blocks are as Message says: each when those before it are complete. A communicator of
/// another size or of two groups is an MPI error (MPI_ERR_COMM), another root too (MPI_ERR_ROOT). Throws
/// InputError if the function's name is not one of its own (require_function_name).
std::string mpi_routine(const MessageProgram& program, const MpiRoutine& routine);

struct MpiShuffle {
    std::uint64_t packet_bytes = 1492;
    std::uint32_t window = 0;  ///< packets sent and not yet matched by one received, at most; 0: no limit
};

/// The same for a shuffle exchange (broadcast/shuffle.h) of messages of any length, packet by packet.
/// `round`: its program for one packet from each machine to each other one, whose order all rounds have.
std::string mpi_shuffle_routine(const MessageProgram& round, const MpiShuffle& shuffle,
                                const MpiRoutine& routine);

/// Declares the routine, for C and C++. Throws InputError as mpi_routine does.
std::string mpi_header(const MpiRoutine& routine);

/// Whether `text` is what mpi_header makes.
bool is_mpi_header(const std::string& text);

}  // namespace interlace
