// Interlace: a shuffle exchange as a C routine on MPI
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>

#include "routine_text.h"

namespace interlace {
namespace {

constexpr auto shuffle_text =
    R"(    int type_bytes = 0, position = 0;
    TRY(MPI_Type_size(recvtype, &type_bytes));
    if (recvcount > 0 && type_bytes > INT_MAX / MACHINES / recvcount) return report(comm, MPI_ERR_COUNT);
    const int bytes = type_bytes * recvcount, all = MACHINES * bytes;
    char *const out = malloc(2 * (size_t)all + 1);
    if (out == NULL) return report(comm, MPI_ERR_NO_MEM);
    char *const in = out + all;
    MPI_Comm own = MPI_COMM_NULL;
    /* Packets are cut from the bytes of all blocks (all machines have to be of one kind). */
    int error = own_communicator(comm, &own);
    if (error == MPI_SUCCESS)
        error = sendbuf == MPI_IN_PLACE
                    ? MPI_Pack(recvbuf, MACHINES * recvcount, recvtype, out, all, &position, comm)
                    : MPI_Pack(sendbuf, MACHINES * sendcount, sendtype, out, all, &position, comm);
    if (error == MPI_SUCCESS) error = run_shuffle(&machines[rank], out, in, bytes, own);
    memcpy(in + rank * bytes, out + rank * bytes, (size_t)bytes);
    position = 0;
    if (error == MPI_SUCCESS)
        error = MPI_Unpack(in, all, &position, recvbuf, MACHINES * recvcount, recvtype, comm);
    free(out);
    return report(comm, error);
}
)";

}  // namespace

std::string mpi_shuffle_routine(const MessageProgram& round, const MpiShuffle& shuffle,
                                const MpiRoutine& routine) {
    using Kind = MessageProgram::Kind;
    std::vector<std::vector<std::uint32_t>> to(round.machines), from(round.machines);
    for (const auto& operation : round.operations) {
        const Message& message = round.messages[operation.number];
        (operation.kind == Kind::send ? to : from)[operation.machine].push_back(
            operation.kind == Kind::send ? message.to : message.from);
    }
    std::string text = routine_header(routine, {{"MACHINES", round.machines},
                                                {"STEPS", round.machines - 1},
                                                {"PACKET", shuffle.packet_bytes},
                                                {"WINDOW", shuffle.window}});
    text.insert(text.find("#include <mpi.h>"), "#include <limits.h>\n");
    text.insert(text.find("#include <stdlib.h>\n") + 20, "#include <string.h>\n");
    text += runtime_text("common") + runtime_text("shuffle");
    text += "static const struct partners machines[MACHINES] = {\n";
    for (std::uint32_t i = 0; i < round.machines; ++i) {
        assert(to[i].size() == round.machines - 1 && from[i].size() == to[i].size());
        text += fmt::format("    {{{{{}}}, {{{}}}}},\n", fmt::join(to[i], ", "), fmt::join(from[i], ", "));
    }
    return text + "};\n\n" + routine_text(gathering_text() + shuffle_text, routine.function);
}

}  // namespace interlace
