// Interlace: runs of a search for queue depths, compared with infinite queues
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "size_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interlace/core/error.h"
#include "interlace/results/query.h"

namespace interlace {
namespace {

constexpr std::uint32_t max_batches = 4;          // of each Seeds
constexpr std::uint32_t probe = 2 * max_batches;  // the first seed alone
constexpr double infinity = std::numeric_limits<double>::infinity();

std::uint32_t first_batch(Seeds seeds) {
    return seeds == Seeds::searched ? 0 : max_batches;
}

/// 1 of equals, which may be 0.
double ratio(double one, double other) {
    return one == other ? 1 : one / other;
}

}  // namespace

void Trials::compare_by(const std::string& measure) {
    measure_ = measure;
    read(0);
}

std::uint32_t Trials::batches(const Depths& depths, Seeds seeds) const {
    const std::uint32_t first = first_batch(seeds);
    std::uint32_t count = 0;
    while (count < max_batches && outcomes_.contains({depths, first + count})) ++count;
    return count;
}

std::uint32_t Trials::seeds_of(std::uint32_t batch) const {
    return batch == probe ? 1 : s_.seeds;
}

std::uint64_t Trials::first_seed(std::uint32_t batch) const {
    return s_.first_seed + (batch == probe ? 0 : std::uint64_t{batch} * s_.seeds);
}

void Trials::run_probes(const std::vector<Depths>& wanted) {
    std::vector<Trial> probes;
    for (const Depths& depths : wanted)
        if (depths != infinite()) probes.push_back({depths, probe});
    run_trials(probes);
    for (const Trial& one : probes)
        if (outcomes_.at(one).values.empty()) outcomes_.try_emplace({one.depths, 0});
}

void Trials::run(const std::vector<Depths>& wanted, Seeds seeds) {
    if (s_.sampled()) run_probes(wanted);
    std::vector<Trial> trials;
    trials.reserve(wanted.size());
    for (const Depths& depths : wanted) trials.push_back({depths, first_batch(seeds)});
    run_trials(trials);
}

bool Trials::add_seeds(const std::vector<Depths>& wanted, Seeds seeds) {
    std::vector<Trial> trials;
    if (s_.sampled())
        for (const Depths& depths : wanted)
            if (const std::uint32_t batch = batches(depths, seeds); batch < max_batches)
                trials.push_back({depths, first_batch(seeds) + batch});
    run_trials(trials);
    return !trials.empty();
}

void Trials::settle(const std::vector<Depths>& wanted, double most, Seeds seeds) {
    run(wanted, seeds);
    for (std::vector<Depths> open = wanted;;) {
        std::erase_if(open,
                      [&](const Depths& d) { return verdict(d, most, seeds) != TrialVerdict::straddles; });
        if (open.empty() || !add_seeds(open, seeds)) return;
    }
}

void Trials::run_trials(const std::vector<Trial>& wanted) {
    const std::size_t first = order_.size();
    const auto add = [&](const Trial& trial) {
        if (outcomes_.contains(trial)) return;
        outcomes_[trial];
        order_.push_back(trial);
        if (std::find(tried_.begin(), tried_.end(), trial.depths) == tried_.end())
            tried_.push_back(trial.depths);
    };
    for (const Trial& trial : wanted) {
        if (trial.batch != probe) add({infinite(), trial.batch});
        add(trial);
    }
    if (order_.size() == first) return;
    // All so far, so that the file's sweep has them; only new ones are run.
    SweepProgress round = run_sweep(sweep(), file_, options_, [&](const SweepProgress& p) { tell(p); });
    ended_.done += round.done;
    ended_.failed += round.failed;
    ended_.seconds += round.seconds;
    read(first);
}

void Trials::tell(const SweepProgress& round) const {
    if (!progress_) return;
    SweepProgress all = round;
    all.known -= std::min(all.known, ended_.done + ended_.failed);
    all.done += ended_.done;
    all.failed += ended_.failed;
    all.seconds += ended_.seconds;
    progress_(stage_, all);
}

Sweep Trials::sweep() const {
    Sweep::Axis axis;
    for (std::size_t c = 0; c < s_.queues.size(); ++c) {
        axis.paths.push_back(s_.queues[c].path);
        axis.values.emplace_back();
        for (const Trial& trial : order_)
            axis.values.back().push_back(
                std::to_string(trial.depths[c] == 0 ? s_.queues[c].infinite : trial.depths[c]));
    }
    if (s_.sampled()) {
        axis.paths.insert(axis.paths.end(), {"seed", "seeds"});
        axis.values.resize(axis.paths.size());
        for (const Trial& trial : order_) {
            (axis.values.end() - 2)->push_back(std::to_string(first_seed(trial.batch)));
            axis.values.back().push_back(std::to_string(seeds_of(trial.batch)));
        }
    }
    return {s_.name, s_.file, s_.text, s_.overrides, {axis}};
}

/// What the file has of all points from the `first` one on.
void Trials::read(std::size_t first) {
    ResultsFile results(file_, ResultsFile::Mode::read);
    const ResultsQuery query = {
        s_.name, {"number", "status", "error", "result"}, {fmt::format("number>={}", first)}};
    for (const auto& row : select(results, query).rows) {
        if (row[1] == "failed") last_error_ = row[2].get<std::string>();
        if (row[1] == "done") {
            const Trial& trial = order_[row[0].get<std::size_t>()];
            outcomes_[trial] = outcome_of(Json::parse(row[3].get<std::string>()), seeds_of(trial.batch));
        }
    }
}

Trials::Outcome Trials::outcome_of(const Json& result, std::size_t seeds) const {
    Outcome outcome;
    outcome.carried = result.value("carried", true);
    outcome.packets_missing = result.value("packets_missing", 0.0);
    const std::string of_runs = measure_ + "_of_runs";
    if (seeds > 1 && result.contains(of_runs)) {
        if (!result[of_runs].contains("values"))
            throw InputError("'" + file_ + "' has points of an earlier version of interlace",
                             "another file (--output)");
        outcome.values = result[of_runs]["values"].get<std::vector<double>>();
    } else if (seeds == 1 && result.contains(measure_) && result[measure_].is_number()) {
        outcome.values = {result[measure_].get<double>()};
    }
    // Seeds under which nothing was measured (no packet arrived) have no value.
    if (outcome.values.size() != seeds) outcome.values.clear();
    return outcome;
}

bool Trials::carried(const Depths& depths) const {
    return outcomes_.at({depths, 0}).carried;
}

Sample Trials::measure(const Depths& depths) const {
    std::vector<double> values;
    for (std::uint32_t batch = 0; batch < batches(depths, Seeds::searched); ++batch) {
        const std::vector<double>& those = outcomes_.at({depths, batch}).values;
        if (those.empty()) return sample_of({std::numeric_limits<double>::quiet_NaN()});
        values.insert(values.end(), those.begin(), those.end());
    }
    return sample_of(values);
}

std::vector<double> Trials::ratios(const Trial& trial) const {
    const Outcome& outcome = outcomes_.at(trial);
    const Outcome& reference = outcomes_.at({infinite(), trial.batch});
    if (reference.values.empty())
        throw FellShort(
            fmt::format("under seeds from {}, {} measure no {}{}",
                        s_.first_seed + std::uint64_t{trial.batch} * s_.seeds, s_.reference_text(), measure_,
                        reference.carried ? " under each: measure longer" : ": the network is saturated"));
    if (outcome.values.empty() || (outcome.packets_missing > 0 && reference.packets_missing == 0))
        return {infinity};
    std::vector<double> ratios(s_.seeds);
    for (std::size_t i = 0; i < ratios.size(); ++i)
        ratios[i] = s_.higher_is_better(measure_) ? ratio(reference.values[i], outcome.values[i])
                                                  : ratio(outcome.values[i], reference.values[i]);
    return ratios;
}

std::vector<double> Trials::ratios(const Depths& depths, Seeds seeds) const {
    std::vector<double> all;
    for (std::uint32_t batch = 0; batch < batches(depths, seeds); ++batch) {
        const std::vector<double> those = ratios({depths, first_batch(seeds) + batch});
        all.insert(all.end(), those.begin(), those.end());
    }
    return all;
}

Sample Trials::slow_down(const Depths& depths, Seeds seeds) const {
    const std::vector<double> all = ratios(depths, seeds);
    const bool finite = std::all_of(all.begin(), all.end(), [](double r) { return std::isfinite(r); });
    if (finite) return sample_of(all);
    Sample failed{all.size()};
    failed.mean = failed.min = failed.max = infinity;
    return failed;
}

TrialVerdict Trials::verdict(const Depths& depths, double most, Seeds seeds) const {
    const Sample sample = slow_down(depths, seeds);
    if (sample.mean + sample.half_interval <= most) return TrialVerdict::within;
    return sample.mean - sample.half_interval > most ? TrialVerdict::beyond : TrialVerdict::straddles;
}

bool Trials::slower(const Depths& depths, const Depths& than) const {
    const std::vector<double> one = ratios(depths, Seeds::searched);
    const std::vector<double> other = ratios(than, Seeds::searched);
    std::vector<double> differences;
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
        if (!std::isfinite(one[i]) || !std::isfinite(other[i])) return std::isfinite(other[i]);
        differences.push_back(one[i] - other[i]);
    }
    const Sample sample = sample_of(differences);
    return sample.mean - sample.half_interval > 0;
}

SizedPoint Trials::point(const Depths& depths) const {
    const Sample slowed = slow_down(depths);
    SizedPoint point;
    point.depths = depths;
    point.measure = measure(depths).mean;
    point.slow_down = slowed.mean;
    point.half_interval = slowed.half_interval;
    point.seeds = slowed.count;
    for (std::size_t c = 0; c < depths.size(); ++c) point.bytes += depths[c] * s_.queues[c].bytes;
    return point;
}

}  // namespace interlace
