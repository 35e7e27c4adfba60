// Interlace: the choice among all algorithms of a collective over links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "collective_best.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "collective_rounds.h"
#include "interlace/core/error.h"
#include "interlace/core/value_error.h"

namespace interlace {
namespace {

constexpr double smallest = 8, largest = 1U << 30U;

/// As many parts as the algorithm that has most.
std::uint32_t most_parts(const CollectiveExperiment& e) {
    std::uint32_t most = 1;
    const Network network = about("network", [&] { return make_network(e.network); });
    for (const Choice& choice : collective_algorithms(e.collective)) {
        CollectiveExperiment one = e;
        one.algorithm = choice.name;
        try {
            most = std::max(most, parts_of(one, network));
        } catch (const InputError&) {
            continue;  // it does not run here
        }
    }
    return most;
}

CollectiveChoice summary(const CollectiveRun& run) {
    const double none = run.seconds(0);
    return {run.experiment.algorithm,
            {},
            run.experiment.chunks,
            run.report.steps,
            run.rounds,
            run.cost,
            none,
            (run.seconds(largest) - none) / largest};
}

double seconds(const CollectiveChoice& choice, double bytes) {
    return choice.start_seconds + choice.seconds_per_byte * bytes;
}

/// Faster for messages of that size; of two that are as fast the one with fewer seconds a byte.
bool faster(const CollectiveChoice& a, const CollectiveChoice& b, double bytes) {
    if (!a.refused.empty() || !b.refused.empty()) return a.refused.empty() && !b.refused.empty();
    return std::pair(seconds(a, bytes), a.seconds_per_byte) <
           std::pair(seconds(b, bytes), b.seconds_per_byte);
}

}  // namespace

double CollectiveRun::packet_bytes(double bytes) const {
    const bool vector_of_all = experiment.collective == DirectCollective::allreduce;
    return bytes / experiment.chunks / (vector_of_all ? network.node_count() : 1);
}

double CollectiveRun::seconds(double bytes) const {
    const MessageCosts& costs = experiment.costs;
    const double on_links = packet_bytes(bytes) * 8 / costs.rate_mbps;  // us a packet
    return (static_cast<double>(cost.starts) * costs.start_us +
            static_cast<double>(cost.hops) * costs.hop_us + static_cast<double>(cost.packets) * on_links) *
           1e-6;
}

std::vector<Crossover> crossovers(const std::vector<CollectiveChoice>& choices) {
    std::vector<Crossover> found;
    for (double bytes = smallest; bytes <= largest;) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < choices.size(); ++i)
            if (faster(choices[i], choices[best], bytes)) best = i;
        found.push_back({static_cast<std::uint64_t>(bytes), best});
        double next = largest + 1;
        for (const CollectiveChoice& other : choices)
            if (other.refused.empty() && other.seconds_per_byte < choices[best].seconds_per_byte)
                next = std::min(next, std::floor((other.start_seconds - choices[best].start_seconds) /
                                                 (choices[best].seconds_per_byte - other.seconds_per_byte)) +
                                          1);
        bytes = std::max(next, bytes + 1);
    }
    return found;
}

namespace {

/// 0: as many as the algorithm has parts. Of optimal, fewer start sooner, and more fill a pipeline.
std::vector<std::uint32_t> chunks_to_try(const CollectiveExperiment& e) {
    if (e.chunks != 0 || e.algorithm != "optimal") return {e.chunks};
    if (e.collective == DirectCollective::reduce) return {1, 4, 16, 64, 256};
    const std::uint32_t most = most_parts(e);
    return most == 1 ? std::vector{1U} : std::vector{1U, most};
}

class Choosing {
  public:
    explicit Choosing(const CollectiveExperiment& e) : message_(e.message) {
        if (e.collective == DirectCollective::barrier) message_ = 0;
    }

    void add(CollectiveRun run) {
        choices_.push_back(summary(run));
        if (!best_ || better(run)) best_.emplace(std::move(run));
    }
    /// Of which only the costs are known.
    void add_costs(const CollectiveRun& run) { choices_.push_back(summary(run)); }
    void add_refused(const std::string& algorithm, const std::string& why) {
        choices_.emplace_back();
        choices_.back().algorithm = algorithm;
        choices_.back().refused = why;
    }
    CollectiveRun take() {
        best_->choices = std::move(choices_);
        return *std::move(best_);
    }

  private:
    /// Without a message by steps, which compare with the same chunks alone.
    bool better(const CollectiveRun& run) const {
        if (!message_)
            return run.experiment.chunks == best_->experiment.chunks &&
                   run.report.steps < best_->report.steps;
        const auto bytes = static_cast<double>(*message_);
        return run.seconds(bytes) < best_->seconds(bytes);
    }

    std::optional<std::uint64_t> message_;
    std::vector<CollectiveChoice> choices_;
    std::optional<CollectiveRun> best_;
};

}  // namespace

CollectiveRun run_best(const CollectiveExperiment& experiment, const RunListener& listener) {
    CollectiveExperiment e = experiment;
    Choosing choosing(e);
    for (const Choice& choice : collective_algorithms(e.collective)) {
        if (choice.name == best_algorithm) continue;
        e.algorithm = choice.name;
        e.chunks = experiment.chunks;
        for (const std::uint32_t chunks : chunks_to_try(e)) try {
                e.chunks = chunks;
                choosing.add(run_collective(e, listener));
            } catch (const InputError& error) {
                if (choice.name == "optimal") throw;  // the first: the input is wrong
                if (const auto costs = cost_of_rounds(e))
                    choosing.add_costs(*costs);  // the schedule is too large
                else
                    choosing.add_refused(choice.name, error.what());
            }
    }
    CollectiveRun best = choosing.take();
    best.asked = experiment;
    return best;
}

void add_choices(Json& json, const CollectiveRun& run) {
    for (const CollectiveChoice& choice : run.choices) {
        Json one = {{"algorithm", choice.algorithm}};
        if (choice.refused.empty())
            one.update({{"chunks", choice.chunks},
                        {"steps", choice.steps == 0 ? Json() : Json(choice.steps)},
                        {"rounds", choice.rounds},
                        {"starts", choice.cost.starts},
                        {"hops", choice.cost.hops},
                        {"link_packets", choice.cost.packets},
                        {"start_seconds", choice.start_seconds},
                        {"seconds_per_byte", choice.seconds_per_byte}});
        else
            one["refused"] = choice.refused;
        json["algorithms"].push_back(one);
    }
    if (run.experiment.collective == DirectCollective::barrier) return;
    for (const Crossover& crossover : crossovers(run.choices)) {
        const CollectiveChoice& fastest = run.choices[crossover.choice];
        json["fastest"].push_back(
            {{"from_bytes", crossover.bytes}, {"algorithm", fastest.algorithm}, {"chunks", fastest.chunks}});
    }
}

}  // namespace interlace
