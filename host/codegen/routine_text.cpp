// Interlace: the pieces that C routines are put together from
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "routine_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/shipped_file.h"

namespace interlace {

const std::vector<ShippedFile>& mpi_runtime();

std::string routine_header(const MpiRoutine& routine,
                           const std::vector<std::pair<std::string, std::uint64_t>>& constants) {
    std::string values;
    for (const auto& [name, value] : constants)
        values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, value);
    return fmt::format(
        "/* {}.\n   Made by interlace. Rank i is machine i. Needs MPI 3. */\n#include <mpi.h>\n#include "
        "<stdlib.h>\n\nenum {{ {} }};\n\n",
        routine.title, values);
}

std::string runtime_text(const std::string& name) {
    const auto& files = mpi_runtime();
    return std::find_if(files.begin(), files.end(),
                        [&](const ShippedFile& file) { return file.name == name; })
               ->text +
           std::string("\n");
}

std::string gathering_text() {
    return R"(int NAME(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
         MPI_Datatype recvtype, MPI_Comm comm) {
    int rank = 0, size = 0;
    TRY(MPI_Comm_rank(comm, &rank));
    TRY(MPI_Comm_size(comm, &size));
    if (size != MACHINES) return report(comm, MPI_ERR_COMM);
)";
}

std::string routine_text(std::string body, const std::string& function) {
    const std::string name = "NAME";
    for (std::size_t at = body.find(name); at != std::string::npos;
         at = body.find(name, at + function.size()))
        body.replace(at, name.size(), function);
    return body.substr(0, body.find(" {\n")) + ";\n\n" + body;
}

}  // namespace interlace
