// Interlace: interlace topology --list, interlace topology search
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"

namespace interlace::cli {

struct ListFlags {
    std::string kind;    // empty: no list
    std::string twists;  // empty: as many nodes have by default
    std::uint32_t nodes = 0, dimensions = 0, lengths = 0;
};

struct SearchFlags {
    std::uint32_t degree = 0, jobs = 1;
    std::string objective = "uniform";
};

/// --list, the flags that go with it, and those of a search.
void add_list_flags(CLI::App& command, ListFlags& flags, SearchFlags& search);

/// Measures every network of the list and prints them, as JSON or as a table: within a degree those of the
/// smallest diameter and mean distance first.
int print_list(const ListFlags& flags, std::uint64_t seed, bool json);

/// Ranks every torus, twisted torus and iBT of so many nodes, dimensions and lengths and prints them.
int print_search(const ListFlags& list, const SearchFlags& flags, bool json);

}  // namespace interlace::cli
