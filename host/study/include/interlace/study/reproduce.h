// Interlace: published tables and figures beside what is computed here
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

/// One published value beside its computed one: steps, hops, (alpha, beta) a ratio, or a statement and of how
/// many of the networks that it is about it holds ("21 of 23").
struct ReproducedRow {
    std::string
        quantity;  ///< lambda, mu, T_x, T_xy, T_all; "alpha T_x" and so on; "use of links, T_x"; a statement
    std::string network;
    std::string source;     ///< empty where there is none
    std::string published;  ///< as printed; "~21.4" is a fit's value; empty: not published as a number
    std::string computed;
    std::string deviation;    ///< of a fit: "+9.3%" of it; where both are ratios, their difference
    std::string optimal;      ///< steps of the best schedule found; empty where there is none
    std::string lower_bound;  ///< that no schedule can beat
    /// reproduced, differs, fit, unpublished; agrees (a mean of random cases within four standard errors, a
    /// value that rounds to "about" the published one, or one "above" or "below" it, of several seeds with
    /// its whole 95% interval); BROKEN (marked as one of these, but is not)
    std::string verdict;
    std::string
        why;  ///< why it differs, or why the computed value is right; of a BROKEN one what was expected
};

struct ReproducedTable {
    std::string name, title;
    std::vector<ReproducedRow> rows;
    bool holds() const;  ///< no row is BROKEN
};

/// A number for a row, whose value has not been computed. Called from any thread.
using StandIn = std::function<double(const ReproducedRow&)>;

struct ReproduceOptions {
    std::string name;    ///< of one table or figure; empty: all
    bool large = false;  ///< with the rows that are marked large
    std::uint64_t seed =
        1;  ///< of the optimal scheduler's ties, of random cases, and the first of thirty runs
    std::function<void(std::size_t done, std::size_t total)>
        progress;           ///< called from any thread, one at a time
    StandIn stand_in = {};  ///< if set, rows take their numbers from it and compute none: it shows which
                            ///< values their verdicts depend on
};

/// Runs one file of the form of configs/papers/ibt/table1.yaml: `text` is its contents, `name` what errors
/// call it.
ReproducedTable reproduce_text(const std::string& text, const std::string& name,
                               const ReproduceOptions& options);

/// Runs the shipped files of configs/papers/PAPER (part of the program). Throws InputError for a paper or
/// name that is not there. The result does not depend on the number of threads.
std::vector<ReproducedTable> reproduce(const std::string& paper, const ReproduceOptions& options);

Json to_json(const std::vector<ReproducedTable>& tables, const std::string& paper,
             const ReproduceOptions& options);

}  // namespace interlace
