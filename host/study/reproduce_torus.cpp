// Interlace: published values of tori and iBTs beside computed ones
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "interlace/broadcast/analysis/formulas.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/network/metrics.h"
#include "once.h"
#include "row_job.h"

namespace interlace {

class TorusSteps {
  public:
    /// Of a broadcast, and of the best schedule known beside it unless the source's pattern is given.
    struct Steps {
        std::uint32_t steps = 0;
        std::string optimal = {}, lower_bound = {};
    };

    Steps of(const BroadcastExperiment& e) {
        return once_.of({e.network, e.group, e.source, e.algorithm, e.pattern, e.seed},
                        [e] { return compute(e); });
    }

  private:
    using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, std::uint64_t>;

    static Steps compute(const BroadcastExperiment& e) {
        Steps steps{run_broadcast(e).run.steps};
        if (e.pattern != "best") return steps;
        BroadcastExperiment optimal = e;
        optimal.algorithm = "optimal";
        const BroadcastResult best = run_broadcast(optimal);
        steps.optimal = std::to_string(best.run.steps);
        steps.lower_bound = std::to_string(best.bound.steps);
        return steps;
    }

    Once<Key, Steps> once_;
};

std::shared_ptr<TorusSteps> make_torus_steps() {
    return std::make_shared<TorusSteps>();
}

namespace {

enum class Against { nothing, alpha, beta };

/// One row to compute, as its file describes it.
struct RowPlan {
    ReproducedRow row;
    std::string quantity;  // of `row`, without what is compared and the pattern
    StandIn stand_in;
    std::shared_ptr<TorusSteps> steps;
    BroadcastExperiment experiment;
    bool has_fit = false;  // the published value is that of the paper's fit
    std::string equation;  // "4", "5", "6": the published value is the formula's
    Against against = Against::nothing;
    std::string held;  // the value that has to be computed; empty where the published one has to be
    std::string place;
};

const std::string use_of_links = "use of links, ";

const std::vector<std::pair<std::string, std::string>> groups = {
    {"T_x", "line"}, {"T_xy", "rectangle"}, {"T_all", "global"}};

std::string group_of(const std::string& quantity) {
    for (const auto& [name, group] : groups)
        if (name == quantity || use_of_links + name == quantity) return group;
    return "";
}

/// As the table shows it.
std::string label_of(const RowPlan& plan) {
    const std::string against = plan.against == Against::alpha  ? "alpha "
                                : plan.against == Against::beta ? "beta "
                                                                : "";
    const std::string& pattern = plan.experiment.pattern;
    return against + plan.quantity + (pattern == "best" ? "" : " pn=" + pattern);
}

const Choices torus_verdicts = {{"reproduced", ""}, {"differs", ""}, {"unpublished", ""}};

void read_published(ConfigMap& config, RowPlan& plan) {
    plan.row.published = config.text("published", "");
    plan.equation = config.text("equation", "");
    plan.row.verdict = config.text("verdict", "unpublished");
    plan.row.why = config.text("why", "");
    if (!has_name(torus_verdicts, plan.row.verdict))
        throw InputError("cannot use verdict '" + plan.row.verdict + "'", or_list(torus_verdicts))
            .at(plan.place);
    const std::string against = config.text("against", "");
    if (against == "alpha") plan.against = Against::alpha;
    if (against == "beta") plan.against = Against::beta;
    if (!against.empty() && plan.against == Against::nothing)
        throw InputError("cannot use against '" + against + "'", "alpha or beta").at(plan.place);
    const std::string fit = config.text("fit", "");
    if (!fit.empty() && fit != "published")
        throw InputError("cannot use fit '" + fit + "'", "published").at(plan.place);
    plan.has_fit = !fit.empty();
    if (plan.has_fit && plan.row.verdict == "unpublished") plan.row.verdict = "fit";
}

/// What the rows compute, each with its reason.
std::vector<std::string> read_held(ConfigMap& config, const RowPlan& plan) {
    if (plan.row.verdict == "reproduced") return {};
    if (plan.row.why.empty())
        throw InputError("cannot use a row of verdict '" + plan.row.verdict + "' without a reason",
                         "the key why")
            .at(plan.place);
    return read_held(config, plan.place, plan.row);
}

/// The product of a row's lists, one plan each.
std::vector<RowPlan> read_rows(ConfigMap& config, const ReproduceOptions& options) {
    RowPlan plan;
    plan.place = config.place();
    const bool large = config.truth("large", false);
    const auto quantities = config.texts("quantity");
    const auto networks = config.texts("network");
    const auto sources = texts_or(config, "source", "0");
    const auto patterns = texts_or(config, "pattern", "best");
    plan.experiment.algorithm = config.text("algorithm", "");
    plan.experiment.seed = options.seed;
    plan.stand_in = options.stand_in;
    read_published(config, plan);
    const std::vector<std::string> held = read_held(config, plan);
    config.finish();
    std::vector<RowPlan> plans;
    for (const std::string& quantity : quantities)
        for (const std::string& network : networks)
            for (const std::string& source : sources)
                for (const std::string& pattern : patterns) {
                    plan.quantity = quantity;
                    plan.row.network = plan.experiment.network = network;
                    plan.experiment.group = group_of(quantity);
                    plan.row.source = plan.experiment.group.empty() ? "" : source;
                    plan.experiment.source = source;
                    plan.experiment.pattern = pattern;
                    plan.row.quantity = label_of(plan);
                    plans.push_back(plan);
                }
    distribute(held, plans);
    if (large && !options.large) plans.clear();
    return plans;
}

/// The torus that eqs. 2 and 3 compare with, by its closed formulas.
double torus_value(const RowPlan& plan, const Lattice& lattice, double nodes) {
    const std::uint32_t d = lattice.dimensions() + (plan.against == Against::beta ? 1 : 0);
    const double n = std::pow(nodes, 1.0 / d);
    const std::uint32_t k = plan.experiment.packets;
    if (plan.quantity == "lambda") return torus_diameter(n, d);
    if (plan.quantity == "mu") return torus_mean_distance(n, d);
    if (plan.quantity == "T_x") return ring_steps(n, k);
    if (plan.quantity == "T_xy") return torus_rectangle_steps(n, k);
    return torus_global_steps(n, d, k);
}

double equation_value(const RowPlan& plan, const Lattice& lattice) {
    const double n = lattice.sizes().front();
    if (plan.equation == "4") return ring_steps(n, plan.experiment.packets);
    if (plan.equation == "5") return torus_global_steps(n, lattice.dimensions(), plan.experiment.packets);
    if (plan.equation == "6") return torus_rectangle_steps(n, plan.experiment.packets);
    throw InputError("cannot use equation '" + plan.equation + "'", "4, 5 or 6").at(plan.place);
}

double fit_value(const RowPlan& plan, const Lattice& lattice) {
    const auto fit = published_fit(plan.quantity, lattice.dimensions(), lattice.bypass());
    if (!fit)
        throw InputError("there is no fit of " + plan.quantity + " for " + plan.row.network,
                         "a published one")
            .at(plan.place);
    return (*fit)(lattice.node_count());
}

/// The computed distance, with Moore's bound.
double distance(RowPlan& plan, const Network& network) {
    const Metrics metrics = measure_network(network);
    if (plan.quantity == "lambda") {
        plan.row.lower_bound = std::to_string(moore_diameter(metrics.nodes, metrics.degree));
        return metrics.diameter;
    }
    plan.row.lower_bound = like("0.000", moore_mean_distance(metrics.nodes, metrics.degree));
    return metrics.mean_distance;
}

/// The computed value; fills in optimum and bound.
double compute(RowPlan& plan, const Network& network) {
    if (plan.quantity == "lambda" || plan.quantity == "mu") return distance(plan, network);
    if (plan.experiment.group.empty())
        throw InputError("cannot use quantity '" + plan.quantity + "'",
                         "lambda, mu, T_x, T_xy or T_all, or 'use of links, ' and one of the last three")
            .at(plan.place);
    const TorusSteps::Steps steps = plan.steps->of(plan.experiment);
    plan.row.optimal = steps.optimal;
    plan.row.lower_bound = steps.lower_bound;
    return steps.steps;
}

/// How fast and how high a broadcast brings its links to use: "50% from step 8, max 93%, mean 61%" of the
/// directed links of its group.
std::string compute_use(const RowPlan& plan) {
    if (plan.stand_in) return fmt::format("50% from step {0}, max {0}%, mean {0}%", plan.stand_in(plan.row));
    const BroadcastResult result = run_broadcast(plan.experiment);
    const auto& sends = result.run.sends_in_step;
    const auto percent = [&](double count) { return 100 * count / static_cast<double>(result.usable_links); };
    const auto most = static_cast<double>(*std::max_element(sends.begin(), sends.end()));
    const auto half = std::find_if(sends.begin(), sends.end(),
                                   [&](std::uint64_t count) { return 2 * count >= result.usable_links; });
    const std::string from =
        half == sends.end() ? "never 50%" : fmt::format("50% from step {}", half - sends.begin() + 1);
    return fmt::format("{}, max {:.1f}%, mean {:.1f}%", from, percent(most),
                       100 * result.run.link_utilisation);
}

/// A fit's value is approximate, unless the row says that it has to be met: then it is a whole number of
/// steps. A fit can also ask for what nothing can do.
void show_fit(RowPlan& plan, double published, double value) {
    ReproducedRow& row = plan.row;
    const bool ratio = plan.against != Against::nothing;
    if (row.verdict == "reproduced")
        row.published = fmt::format("{:g}", published);
    else
        row.published = "~" + like(ratio ? "0.000" : "0.0", published);
    row.deviation = ratio ? fmt::format("{:+.3f}", value - published)
                          : fmt::format("{:+.1f}%", 100 * (value / published - 1));
    if (row.verdict == "fit" && !row.lower_bound.empty() && published < std::stod(row.lower_bound))
        row.verdict += ", below the bound";
}

/// alpha or beta instead of the value itself.
void compare(RowPlan& plan, const Network& network, double& value, double& published) {
    const double torus = torus_value(plan, *network.lattice(), network.node_count());
    value = improvement(value, torus);
    published = improvement(published, torus);
    if (!plan.row.optimal.empty())
        plan.row.optimal = like("0.000", improvement(std::stod(plan.row.optimal), torus));
    plan.row.lower_bound.clear();
}

void finish_row(RowPlan& plan) {
    judge(plan.row);
    if (!plan.held.empty()) hold(plan.row, plan.held);
}

ReproducedRow run_row(RowPlan plan) {
    const Network network = make_network(plan.experiment.network);
    const Lattice& lattice = network.lattice_for("a row of a reproduction");
    if (plan.quantity.starts_with(use_of_links)) {
        plan.row.computed = compute_use(plan);
        finish_row(plan);
        return plan.row;
    }
    double value = plan.stand_in ? plan.stand_in(plan.row) : compute(plan, network);
    double published = plan.has_fit ? fit_value(plan, lattice) : 0;
    std::string model = plan.row.published;
    if (model.empty()) model = plan.quantity == "mu" || plan.against != Against::nothing ? "0.000" : "0";
    if (!plan.equation.empty()) plan.row.published = like("0", equation_value(plan, lattice));
    if (plan.against != Against::nothing) compare(plan, network, value, published);
    plan.row.computed = like(model, value);
    if (plan.has_fit) show_fit(plan, published, value);
    finish_row(plan);
    return plan.row;
}

}  // namespace

std::vector<RowJob> torus_rows(ConfigMap config, const ReproduceOptions& options,
                               const std::shared_ptr<TorusSteps>& steps) {
    std::vector<RowJob> jobs;
    for (RowPlan& plan : read_rows(config, options)) {
        plan.steps = steps;
        jobs.emplace_back([plan] { return run_row(plan); });
    }
    return jobs;
}

}  // namespace interlace
