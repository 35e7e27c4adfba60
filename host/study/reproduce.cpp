// Interlace: published tables and figures beside what is computed here
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "interlace/analysis/formulas.h"
#include "interlace/config/config_map.h"
#include "interlace/core/error.h"
#include "interlace/experiment/experiment.h"
#include "interlace/network/metrics.h"
#include "row_job.h"
#include "shipped_papers.h"

namespace interlace {
namespace {

enum class Against { nothing, alpha, beta };

/// One row to compute, as its file describes it.
struct RowPlan {
    ReproducedRow row;
    Experiment experiment;
    bool has_fit = false;  // the published value is that of the paper's fit
    std::string equation;  // "4", "5", "6": the published value is the formula's
    Against against = Against::nothing;
    std::string place;
};

const std::vector<std::pair<std::string, std::string>> groups = {
    {"T_x", "line"}, {"T_xy", "rectangle"}, {"T_all", "global"}};

std::string group_of(const std::string& quantity) {
    for (const auto& [name, group] : groups)
        if (name == quantity) return group;
    return "";
}

void read_published(ConfigMap& config, RowPlan& plan) {
    plan.row.published = config.text("published", "");
    plan.equation = config.text("equation", "");
    plan.row.verdict = config.text("verdict", "unpublished");
    plan.row.why = config.text("why", "");
    const std::string against = config.text("against", "");
    if (against == "alpha") plan.against = Against::alpha;
    if (against == "beta") plan.against = Against::beta;
    if (!against.empty() && plan.against == Against::nothing)
        throw InputError("against '" + against + "'", "alpha or beta").at(plan.place);
    const std::string fit = config.text("fit", "");
    if (!fit.empty() && fit != "published") throw InputError("fit '" + fit + "'", "published").at(plan.place);
    plan.has_fit = !fit.empty();
    if (plan.has_fit && plan.row.verdict == "unpublished") plan.row.verdict = "fit";
    if (plan.row.verdict == "differs" && plan.row.why.empty())
        throw InputError("a row that differs without saying why", "the key why").at(plan.place);
}

/// The product of a row's lists, one plan each.
std::vector<RowPlan> read_rows(ConfigMap config, const ReproduceOptions& options) {
    RowPlan plan;
    plan.place = config.place();
    const bool large = config.text("large", "false") == "true";
    const auto quantities = config.texts("quantity");
    const auto networks = config.texts("network");
    const auto sources = texts_or(config, "source", "0");
    const auto patterns = texts_or(config, "pattern", "best");
    plan.experiment.algorithm = config.text("algorithm", "");
    plan.experiment.seed = options.seed;
    read_published(config, plan);
    config.finish();
    std::vector<RowPlan> plans;
    if (large && !options.large) return plans;
    for (const std::string& quantity : quantities)
        for (const std::string& network : networks)
            for (const std::string& source : sources)
                for (const std::string& pattern : patterns) {
                    plan.row.quantity = quantity;
                    plan.row.network = plan.experiment.network = network;
                    plan.experiment.group = group_of(quantity);
                    plan.row.source = plan.experiment.group.empty() ? "" : source;
                    plan.experiment.source = source;
                    plan.experiment.pattern = pattern;
                    plans.push_back(plan);
                }
    return plans;
}

/// The torus that eqs. 2 and 3 compare with, by its closed formulas.
double torus_value(const RowPlan& plan, const Lattice& lattice, double nodes) {
    const std::uint32_t d = lattice.dimensions() + (plan.against == Against::beta ? 1 : 0);
    const double n = std::pow(nodes, 1.0 / d);
    const std::uint32_t k = plan.experiment.packets;
    if (plan.row.quantity == "lambda") return torus_diameter(n, d);
    if (plan.row.quantity == "mu") return torus_mean_distance(n, d);
    if (plan.row.quantity == "T_x") return ring_steps(n, k);
    if (plan.row.quantity == "T_xy") return torus_rectangle_steps(n, k);
    return torus_global_steps(n, d, k);
}

double equation_value(const RowPlan& plan, const Lattice& lattice) {
    const double n = lattice.sizes().front();
    if (plan.equation == "4") return ring_steps(n, plan.experiment.packets);
    if (plan.equation == "5") return torus_global_steps(n, lattice.dimensions(), plan.experiment.packets);
    if (plan.equation == "6") return torus_rectangle_steps(n, plan.experiment.packets);
    throw InputError("equation '" + plan.equation + "'", "4, 5 or 6").at(plan.place);
}

double fit_value(const RowPlan& plan, const Lattice& lattice) {
    const auto fit = published_fit(plan.row.quantity, lattice.dimensions(), lattice.bypass());
    if (!fit)
        throw InputError("no fit of " + plan.row.quantity + " for " + plan.row.network, "a published one")
            .at(plan.place);
    return (*fit)(lattice.node_count());
}

/// The computed value; fills in optimum and bound of a broadcast.
double compute(RowPlan& plan, const Network& network) {
    if (plan.row.quantity == "lambda") return measure_network(network).diameter;
    if (plan.row.quantity == "mu") return measure_network(network).mean_distance;
    if (plan.experiment.group.empty())
        throw InputError("quantity '" + plan.row.quantity + "'", "lambda, mu, T_x, T_xy or T_all")
            .at(plan.place);
    if (plan.experiment.pattern == "best") {
        Experiment optimal = plan.experiment;
        optimal.algorithm = "optimal";
        const BroadcastResult best = run_broadcast(optimal);
        plan.row.optimal = std::to_string(best.run.steps);
        plan.row.lower_bound = std::to_string(best.bound.steps);
    }
    return run_broadcast(plan.experiment).run.steps;
}

/// A fit's value is approximate, unless the row says that it has to be met: then it is a whole number of
/// steps. A fit can also ask for what no schedule can do.
void show_fit(RowPlan& plan, double published) {
    ReproducedRow& row = plan.row;
    if (row.verdict == "reproduced")
        row.published = fmt::format("{:g}", published);
    else
        row.published = "~" + like(plan.against == Against::nothing ? "0.0" : "0.000", published);
    if (row.verdict == "fit" && !row.lower_bound.empty() && published < std::stod(row.lower_bound))
        row.verdict += ", below the bound";
}

ReproducedRow run_row(RowPlan plan) {
    const Network network = make_network(plan.experiment.network);
    const Lattice& lattice = network.lattice_for("a row of a reproduction");
    double value = compute(plan, network);
    double published = plan.has_fit ? fit_value(plan, lattice) : 0;
    std::string model = plan.row.published;
    if (model.empty()) model = plan.row.quantity == "mu" ? "0.000" : "0";
    if (!plan.equation.empty()) plan.row.published = like("0", equation_value(plan, lattice));
    if (plan.against != Against::nothing) {
        const double torus = torus_value(plan, lattice, network.node_count());
        value = improvement(value, torus);
        published = improvement(published, torus);
        if (!plan.row.optimal.empty())
            plan.row.optimal = like("0.000", improvement(std::stod(plan.row.optimal), torus));
        plan.row.lower_bound.clear();
        plan.row.quantity = (plan.against == Against::alpha ? "alpha " : "beta ") + plan.row.quantity;
        model = "0.000";
    }
    plan.row.computed = like(model, value);
    if (plan.has_fit) show_fit(plan, published);
    if (plan.experiment.pattern != "best") plan.row.quantity += " pn=" + plan.experiment.pattern;
    judge(plan.row);
    return plan.row;
}

struct TablePlan {
    ReproducedTable table;
    std::vector<RowJob> rows;
};

TablePlan read_table(const std::string& text, const std::string& name, const std::string& place,
                     const ReproduceOptions& options) {
    ConfigMap config = ConfigMap::from_text(text, place);
    TablePlan plan{{name, config.text("title"), {}}, {}};
    const std::string kind = config.text("kind", "torus");
    if (kind != "torus" && kind != "cluster")
        throw InputError("kind '" + kind + "'", "torus or cluster").at(config.place("kind"));
    for (const ConfigMap& row : config.maps("rows")) {
        if (kind == "cluster")
            for (RowJob& job : cluster_rows(row, options.seed)) plan.rows.push_back(std::move(job));
        else
            for (const RowPlan& one : read_rows(row, options))
                plan.rows.emplace_back([one] { return run_row(one); });
    }
    config.finish();
    return plan;
}

std::vector<TablePlan> read_tables(const std::string& paper, const ReproduceOptions& options) {
    std::vector<TablePlan> plans;
    std::string names;
    for (const auto& file : shipped_papers()) {
        if (file.folder != paper) continue;
        names += (names.empty() ? "" : ", ") + file.name;
        if (!options.name.empty() && options.name != file.name) continue;
        plans.push_back(read_table(file.text, file.name,
                                   "configs/papers/" + file.folder + "/" + file.name + ".yaml", options));
    }
    if (names.empty())
        throw InputError("paper '" + paper + "'", "ibt, allgather, alltoall, hnow or exchange");
    if (plans.empty()) throw InputError("'" + options.name + "' of the paper '" + paper + "'", names);
    return plans;
}

/// Calls work(0) .. work(count - 1) on all cores; the first exception ends it.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto worker = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            next = count;
        }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t) threads.emplace_back(worker);
    worker();
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
}

std::vector<ReproducedTable> run_tables(std::vector<TablePlan> plans, const ReproduceOptions& options) {
    std::vector<std::pair<const RowJob*, ReproducedRow*>> work;
    for (TablePlan& plan : plans) {
        plan.table.rows.resize(plan.rows.size());
        for (std::size_t i = 0; i < plan.rows.size(); ++i)
            work.emplace_back(&plan.rows[i], &plan.table.rows[i]);
    }
    std::mutex mutex;
    std::size_t done = 0;
    in_parallel(work.size(), [&](std::size_t i) {
        *work[i].second = (*work[i].first)();
        const std::lock_guard lock(mutex);
        if (options.progress) options.progress(++done, work.size());
    });
    std::vector<ReproducedTable> tables;
    tables.reserve(plans.size());
    for (TablePlan& plan : plans) tables.push_back(std::move(plan.table));
    return tables;
}

}  // namespace

bool ReproducedTable::holds() const {
    return std::none_of(rows.begin(), rows.end(),
                        [](const ReproducedRow& row) { return row.verdict == "BROKEN"; });
}

ReproducedTable reproduce_text(const std::string& text, const std::string& name,
                               const ReproduceOptions& options) {
    return run_tables({read_table(text, name, name, options)}, options).front();
}

std::vector<ReproducedTable> reproduce(const std::string& paper, const ReproduceOptions& options) {
    return run_tables(read_tables(paper, options), options);
}

Json to_json(const std::vector<ReproducedTable>& tables, const std::string& paper,
             const ReproduceOptions& options) {
    Json json = json_result("reproduce", options.seed);
    json["experiment"] = {{"paper", paper}, {"name", options.name}, {"large", options.large}};
    json["holds"] =
        std::all_of(tables.begin(), tables.end(), [](const auto& table) { return table.holds(); });
    for (const ReproducedTable& table : tables) {
        Json rows = Json::array();
        for (const ReproducedRow& row : table.rows)
            rows.push_back({{"quantity", row.quantity},
                            {"network", row.network},
                            {"source", row.source},
                            {"published", row.published},
                            {"computed", row.computed},
                            {"optimal", row.optimal},
                            {"lower_bound", row.lower_bound},
                            {"verdict", row.verdict},
                            {"why", row.why}});
        json["tables"].push_back({{"name", table.name}, {"title", table.title}, {"rows", rows}});
    }
    return json;
}

}  // namespace interlace
