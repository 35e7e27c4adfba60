// Interlace: a program of messages as a C routine on MPI
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/codegen/mpi_routine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "routine_text.h"

namespace interlace {

namespace {

/// The operations of one machine, as its tables have them.
struct Tables {
    struct Row {
        MessageProgram::Kind kind;
        std::uint32_t peer, tag, waits;
        std::size_t first_after, afters, first_block;
        int blocks;
    };
    std::vector<Row> rows;
    std::vector<std::uint32_t> after, blocks;
};

/// The number of a block in the buffer that machine `at` has it in: in order of machines, for or from whom it
/// is.
std::uint32_t place_of(Collective collective, std::uint32_t block, bool sender, std::uint32_t machines) {
    if (collective != Collective::alltoall) return block;
    return sender ? block % machines : block / machines;
}

std::vector<Tables> make_tables(const MessageProgram& program, Collective collective) {
    using Kind = MessageProgram::Kind;
    std::vector<Tables> tables(program.machines);
    std::vector<std::uint32_t> waits(program.operations.size()), index(program.operations.size());
    std::vector<std::vector<std::uint32_t>> after(program.operations.size());
    std::vector<std::uint32_t> count(program.machines);
    for (std::size_t o = 0; o < index.size(); ++o) index[o] = count[program.operations[o].machine]++;
    for (const auto& [before, next] : program.order) {
        ++waits[next];
        after[before].push_back(index[next]);
    }
    const std::vector<std::uint32_t> tag = tags_in_pairs(program);
    for (std::size_t o = 0; o < index.size(); ++o) {
        const auto& operation = program.operations[o];
        Tables& mine = tables[operation.machine];
        Tables::Row row{operation.kind,     0, 0, waits[o], mine.after.size(), after[o].size(),
                        mine.blocks.size(), 0};
        mine.after.insert(mine.after.end(), after[o].begin(), after[o].end());
        if (operation.kind != Kind::barrier) {
            const Message& message = program.messages[operation.number];
            const bool sender = operation.kind == Kind::send;
            row.peer = sender ? message.to : message.from;
            row.tag = tag[operation.number];
            row.blocks =
                message.blocks.empty() && message.bytes > 0 ? -1 : static_cast<int>(message.blocks.size());
            for (const std::uint32_t block : message.blocks)
                mine.blocks.push_back(place_of(collective, block, sender, program.machines));
        }
        mine.rows.push_back(row);
    }
    return tables;
}

/// C has no empty arrays.
std::string numbers(const std::vector<std::uint32_t>& values) {
    return values.empty() ? "0" : fmt::format("{}", fmt::join(values, ", "));
}

std::string table_text(const std::vector<Tables>& tables) {
    constexpr const char* kinds[] = {"SEND", "RECEIVE", "BARRIER"};
    std::string text;
    std::string machines;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const Tables& t = tables[i];
        text += fmt::format("static const struct operation operations_{}[] = {{\n", i);
        for (const Tables::Row& row : t.rows)
            text +=
                fmt::format("    {{{}, {}, {}, {}, {}, {}, {}, {}}},\n", kinds[static_cast<int>(row.kind)],
                            row.peer, row.tag, row.waits, row.first_after, row.afters, row.first_block,
                            row.blocks < 0 ? "DUMMY" : std::to_string(row.blocks));
        if (t.rows.empty()) text += "    {BARRIER, 0, 0, 0, 0, 0, 0, 0},\n";
        text += fmt::format(
            "}};\nstatic const int after_{}[] = {{{}}};\nstatic const int blocks_{}[] = {{{}}};\n\n", i,
            numbers(t.after), i, numbers(t.blocks));
        machines += fmt::format("    {{operations_{}, after_{}, blocks_{}, {}}},\n", i, i, i, t.rows.size());
    }
    return text + "static const struct machine machines[MACHINES] = {\n" + machines + "};\n\n";
}

}  // namespace

std::string mpi_routine(const MessageProgram& program, const MpiRoutine& routine) {
    std::string text = routine_header(routine, {{"MACHINES", program.machines}, {"ROOT", routine.root}});
    text += runtime_text("common");
    if (routine.collective != Collective::broadcast) text += runtime_text("copy");
    text += runtime_text("operations");
    text += "/* kind, peer, tag, waits, first_after, afters, first_block, blocks */\n";
    text += table_text(make_tables(program, routine.collective));
    text += runtime_text(routine.collective == Collective::broadcast   ? "broadcast"
                         : routine.collective == Collective::allgather ? "allgather"
                                                                       : "alltoall");
    return finished(std::move(text), routine);
}

}  // namespace interlace
