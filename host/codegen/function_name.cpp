// Interlace: what a C function on MPI can be called
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "interlace/codegen/mpi_routine.h"
#include "interlace/core/error.h"
#include "interlace/core/shipped_file.h"

namespace interlace {

/// names/: the keywords of C23 and C++23, C's standard library, and what GNU's <stdlib.h> and compilers add.
const std::vector<ShippedFile>& names_taken();

namespace {

constexpr std::array<std::string_view, 5> of_mpi = {"MPI_", "PMPI_", "MPIX_", "OMPI_", "ompi_"};

bool is_identifier(const std::string& name) {
    const auto in_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
           std::all_of(name.begin(), name.end(), in_word);
}

/// What C, C++, POSIX and MPI keep for themselves and for macros.
bool is_reserved(const std::string& name) {
    const auto is_lower = [](unsigned char c) { return std::islower(c) != 0; };
    const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    return name.starts_with('_') || name.ends_with("_t") || name.find("__") != std::string::npos ||
           std::none_of(name.begin(), name.end(), is_lower) ||
           std::any_of(of_mpi.begin(), of_mpi.end(), begins);
}

bool is_taken(const std::string& name) {
    const auto has_name = [&](const ShippedFile& file) {
        std::istringstream text(file.text);
        const std::istream_iterator<std::string> words(text), end;
        return std::find(words, end, name) != end;
    };
    return std::any_of(names_taken().begin(), names_taken().end(), has_name);
}

}  // namespace

void require_function_name(const std::string& name) {
    const auto refuse = [&](const char* expected) {
        throw InputError("cannot use function '" + name + "'", expected);
    };
    if (!is_identifier(name)) refuse("a name as C has them: letters, digits and _");
    if (is_taken(name)) refuse("a name that C, C++ and their libraries have not taken");
    if (is_reserved(name))
        refuse(
            "a name that nobody reserves: with a small letter, no __, not _x, x_t, MPI_x, PMPI_x or OMPI_x");
}

}  // namespace interlace
