// Interlace: a linear program that grows by columns, solved by CLP, which it loads
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

namespace interlace {

/// Minimizes the sum of costs times variables, all of them 0 or more, where each row's sum of coefficients
/// times variables lies between its bounds (infinity for none).
class LinearProgram {
  public:
    struct Row {
        double least, most;
    };
    struct Term {
        int row;
        double coefficient;
    };

    /// Throws InputError where CLP (Debian's coinor-libclp1) is not there.
    explicit LinearProgram(const std::vector<Row>& rows);
    ~LinearProgram();
    LinearProgram(const LinearProgram&) = delete;
    LinearProgram& operator=(const LinearProgram&) = delete;

    struct Variable {
        double cost;
        std::vector<Term> terms;
    };
    /// They are numbered from 0. (CLP copies all that it has for each call.)
    void add(const std::vector<Variable>& variables);

    /// From the last solution on. Throws std::logic_error where there is no optimum.
    void solve();
    double cost() const;
    std::vector<double> values() const;  ///< of the variables
    std::vector<double> prices() const;  ///< of the rows: how the cost grows with a row's binding bound

  private:
    struct Clp;
    const Clp& clp_;
    void* model_;
};

}  // namespace interlace
