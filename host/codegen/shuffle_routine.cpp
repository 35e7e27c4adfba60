// Interlace: a shuffle exchange as a C routine on MPI
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>
#include <utility>

#include "routine_text.h"

namespace interlace {
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
    text += runtime_text("common") + runtime_text("shuffle");
    text += "static const struct partners machines[MACHINES] = {\n";
    for (std::uint32_t i = 0; i < round.machines; ++i) {
        assert(to[i].size() == round.machines - 1 && from[i].size() == to[i].size());
        text += fmt::format("    {{{{{}}}, {{{}}}}},\n", fmt::join(to[i], ", "), fmt::join(from[i], ", "));
    }
    text += "};\n\n" + runtime_text("shuffled_alltoall");
    return finished(std::move(text), routine);
}

}  // namespace interlace
