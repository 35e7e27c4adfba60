// Interlace: values of a sweep that are computed from others
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "computed_values.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <map>
#include <vector>

#include "interlace/config/config_map.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/network/metrics.h"
#include "interlace/results/results_file.h"

namespace interlace {
namespace {

/// The numbers that a formula may name: of the network those alone that it does, which may take long.
class Numbers {
  public:
    explicit Numbers(const Json& configuration) {
        for (const auto& [path, value] : leaves(configuration))
            if (value.is_number()) numbers_[path] = value.get<double>();
        if (configuration["network"].is_string()) network_ = configuration["network"].get<std::string>();
    }

    double of(const std::string& name) {
        if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
        if (name == "nodes") return make_network(network_).node_count();
        if (name == "hosts") return make_network(network_).endpoint_count();
        if (name == "degree") return make_network(network_).max_degree();
        if (name == "diameter") return measure_network(make_network(network_)).diameter_hosts;
        if (name == "mean_distance") return measure_network(make_network(network_)).mean_distance_hosts;
        std::vector<std::string> names = {"nodes", "hosts", "degree", "diameter", "mean_distance"};
        for (const auto& [path, number] : numbers_) names.push_back(path);
        throw InputError(
            "cannot use unknown name " + name + did_you_mean(name, names),
            "nodes, hosts, degree, diameter, mean_distance, or the path of a number, as in links.latency");
    }

  private:
    std::map<std::string, double> numbers_;
    std::string network_;
};

}  // namespace

bool is_formula(const std::string& value) {
    return value.starts_with('=');
}

std::string without_quotes_of_formula(const std::string& value) {
    if (!value.starts_with('"') && !value.starts_with('\'')) return value;
    const std::string text = ConfigMap::from_text("value: " + value, "").text("value");
    return is_formula(text) ? text : value;
}

std::string computed_value(const std::string& formula, const Experiment& experiment) {
    Numbers numbers(experiment.to_json());
    try {
        mu::Parser parser;
        parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        parser.SetExpr(formula.substr(1));
        for (const auto& [name, unused] : mu::varmap_type(parser.GetUsedVar()))
            parser.DefineConst(name, numbers.of(name));  // to which = assigns nothing
        int results = 0;
        const double result = *parser.Eval(results);
        if (results != 1) throw InputError(fmt::format("there are {} results", results), "one number");
        if (!std::isfinite(result)) throw InputError("the result is not a number", "a finite number");
        const double whole = std::round(result);
        if (std::abs(result - whole) < 1e-9) return fmt::format("{:.0f}", whole);
        return fmt::format("{:.12g}", result);
    } catch (const mu::Parser::exception_type& error) {
        throw InputError("formula '" + formula + "': " + error.GetMsg(), "as in = 2 * links.latency + 4");
    } catch (const InputError& error) {
        throw error.at("formula '" + formula + "'");
    }
}

}  // namespace interlace
