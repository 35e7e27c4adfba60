// Interlace: the pieces that C routines are put together from
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "routine_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "interlace/core/error.h"
#include "interlace/core/shipped_file.h"

namespace interlace {

const std::vector<ShippedFile>& mpi_runtime();

namespace {

constexpr auto made_by_interlace = "Made by interlace.";

/// What MPI's own routine takes, and its names in their order.
struct Parameters {
    const char *declared, *names;
};

Parameters parameters_of(Collective collective) {
    if (collective == Collective::broadcast)
        return {"void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm",
                "buffer, count, datatype, root, comm"};
    return {
        "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,\n"
        "    MPI_Datatype recvtype, MPI_Comm comm",
        "sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm"};
}

/// Text of others in a comment: one line of printable ASCII that neither ends the comment nor begins one.
std::string in_comment(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool beside = (c == '/' && escaped.ends_with('*')) || (c == '*' && escaped.ends_with('/'));
        if (byte < 0x20 || byte > 0x7e)
            escaped += fmt::format("\\x{:02x}", byte);
        else
            escaped += fmt::format("{}{}", beside || c == '\\' ? "\\" : "", c);
    }
    return escaped;
}

/// One line, whatever the title is made of.
std::string description(const MpiRoutine& routine) {
    return fmt::format("/* {}.\n   {}", in_comment(routine.title), made_by_interlace);
}

std::string prototype(const MpiRoutine& routine) {
    return fmt::format("int {}({})", routine.function, parameters_of(routine.collective).declared);
}

/// For C++ a function of C.
std::string declaration(const MpiRoutine& routine) {
    return fmt::format("#ifdef __cplusplus\nextern \"C\" {{\n#endif\n{};\n#ifdef __cplusplus\n}}\n#endif\n",
                       prototype(routine));
}

/// Whether `name` is a word of `code`, comments left out.
bool has_word(std::string_view code, std::string_view name) {
    const auto in_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    for (std::size_t i = 0; i < code.size();) {
        if (code.substr(i, 2) == "/*") {
            i = code.find("*/", i + 2) + 2;
            continue;
        }
        std::size_t end = i;
        while (end < code.size() && in_word(code[end])) ++end;
        if (code.substr(i, end - i) == name) return true;
        i = std::max(end, i + 1);
    }
    return false;
}

}  // namespace

std::string routine_header(const MpiRoutine& routine,
                           const std::vector<std::pair<std::string, std::uint64_t>>& constants) {
    std::string values;
    for (const auto& [name, value] : constants)
        values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, value);
    return fmt::format(
        "{} Rank i is machine i. Needs MPI 3. */\n#include <limits.h>\n#include <mpi.h>\n#include "
        "<stdlib.h>\n\nenum {{ {} }};\n\n",
        description(routine), values);
}

std::string runtime_text(const std::string& name) {
    const auto& files = mpi_runtime();
    return std::find_if(files.begin(), files.end(),
                        [&](const ShippedFile& file) { return file.name == name; })
               ->text +
           std::string("\n");
}

std::string finished(std::string text, const MpiRoutine& routine) {
    require_function_name(routine.function);
    if (has_word(text, routine.function))
        throw InputError("cannot use function '" + routine.function + "'",
                         "a name that the routine has for nothing else");
    text += fmt::format("{}\n{} {{\n    return report(comm, collective({}));\n}}\n", declaration(routine),
                        prototype(routine), parameters_of(routine.collective).names);
    return text;
}

bool is_mpi_header(const std::string& text) {
    return text.starts_with("/* ") &&
           text.find(std::string("\n   ") + made_by_interlace + " */\n#ifndef ") != std::string::npos;
}

std::string mpi_header(const MpiRoutine& routine) {
    require_function_name(routine.function);
    const std::string guard = "INTERLACE_GENERATED_" + routine.function + "_H";
    return fmt::format("{} */\n#ifndef {}\n#define {}\n\n#include <mpi.h>\n\n{}\n#endif\n",
                       description(routine), guard, guard, declaration(routine));
}

}  // namespace interlace
