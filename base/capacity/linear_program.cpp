// Interlace: a linear program that grows by columns, solved by CLP, which it loads
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "linear_program.h"

#include <limits>
#include <stdexcept>
#include <string>

#include "interlace/core/loaded_symbol.h"

namespace interlace {
namespace {

LoadedSymbol symbol(const char* name) {
    return loaded_symbol("libClp.so.1", name, "solve a linear program", "Debian's coinor-libclp1");
}

}  // namespace

/// The functions of CLP 1.17 that are needed, as Clp_C_Interface.h declares them. CLP and the six libraries
/// that it loads (LAPACK among them) are neither needed to build nor linked: they would take time whenever
/// any command starts.
struct LinearProgram::Clp {
    void* (*new_model)() = symbol("Clp_newModel");
    void (*delete_model)(void*) = symbol("Clp_deleteModel");
    void (*set_log_level)(void*, int) = symbol("Clp_setLogLevel");
    void (*add_rows)(void*, int number, const double* lower, const double* upper, const int* starts,
                     const int* columns, const double* elements) = symbol("Clp_addRows");
    void (*add_columns)(void*, int number, const double* lower, const double* upper, const double* objective,
                        const int* starts, const int* rows,
                        const double* elements) = symbol("Clp_addColumns");
    int (*primal)(void*, int if_values_pass) = symbol("Clp_primal");
    int (*status)(void*) = symbol("Clp_status");
    double (*objective_value)(void*) = symbol("Clp_objectiveValue");
    int (*number_rows)(void*) = symbol("Clp_numberRows");
    int (*number_columns)(void*) = symbol("Clp_numberColumns");
    const double* (*column_solution)(void*) = symbol("Clp_getColSolution");
    const double* (*row_price)(void*) = symbol("Clp_getRowPrice");

    static const Clp& loaded() {
        static const Clp clp;
        return clp;
    }
};

LinearProgram::LinearProgram(const std::vector<Row>& rows) : clp_(Clp::loaded()), model_(clp_.new_model()) {
    clp_.set_log_level(model_, 0);
    std::vector<double> least, most;
    for (const Row& row : rows) {
        least.push_back(row.least);
        most.push_back(row.most);
    }
    const std::vector<int> starts(rows.size() + 1, 0);
    const int no_column = 0;
    const double no_element = 0;
    clp_.add_rows(model_, static_cast<int>(rows.size()), least.data(), most.data(), starts.data(), &no_column,
                  &no_element);
}

LinearProgram::~LinearProgram() {
    clp_.delete_model(model_);
}

void LinearProgram::add(const std::vector<Variable>& variables) {
    std::vector<int> starts = {0}, rows;
    std::vector<double> elements, costs;
    for (const Variable& variable : variables) {
        for (const Term& term : variable.terms) {
            rows.push_back(term.row);
            elements.push_back(term.coefficient);
        }
        starts.push_back(static_cast<int>(rows.size()));
        costs.push_back(variable.cost);
    }
    const std::vector<double> least(variables.size(), 0),
        most(variables.size(), std::numeric_limits<double>::max());
    clp_.add_columns(model_, static_cast<int>(variables.size()), least.data(), most.data(), costs.data(),
                     starts.data(), rows.data(), elements.data());
}

void LinearProgram::solve() {
    clp_.primal(model_, 0);
    if (clp_.status(model_) != 0) throw std::logic_error("CLP found no optimum of a linear program");
}

double LinearProgram::cost() const {
    return clp_.objective_value(model_);
}

std::vector<double> LinearProgram::values() const {
    const double* const values = clp_.column_solution(model_);
    return {values, values + clp_.number_columns(model_)};
}

std::vector<double> LinearProgram::prices() const {
    const double* const prices = clp_.row_price(model_);
    return {prices, prices + clp_.number_rows(model_)};
}

}  // namespace interlace
