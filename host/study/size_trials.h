// Interlace: runs of a search for queue depths, compared with infinite queues
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interlace/measure/sample.h"
#include "interlace/study/size.h"

namespace interlace {

/// Of each class of a study; 0: infinite.
using Depths = std::vector<std::uint32_t>;

/// Those that a search decides by, and others that confirm what it found.
enum class Seeds : std::uint8_t { searched, fresh };

/// Where the interval of a slow-down lies.
enum class TrialVerdict : std::uint8_t { within, straddles, beyond };

/// Runs combinations of depths under batches of seeds, each batch of each combination once, beside infinite
/// queues under the same seeds.
class Trials {
  public:
    /// Keeps references.
    Trials(const SizeStudy& study, const std::string& file, const SweepOptions& options,
           const SizeListener& progress)
        : s_(study), file_(file), options_(options), progress_(progress) {}

    /// What listeners hear of runs from now on.
    void begin_stage(const std::string& stage) { stage_ = stage; }
    /// From now on, and of all points so far.
    void compare_by(const std::string& measure);
    const std::string& compared_by() const { return measure_; }

    /// Under the first batch of seeds, those that have not been. A point that fails under the first seed, as
    /// where the network is saturated, has failed, and is run under no other.
    void run(const std::vector<Depths>& wanted, Seeds seeds = Seeds::searched);
    /// Likewise, and under more batches, up to four, while their slow-down straddles `most`.
    void settle(const std::vector<Depths>& wanted, double most, Seeds seeds = Seeds::searched);
    /// Under another batch; false: of those, none can be.
    bool add_seeds(const std::vector<Depths>& wanted, Seeds seeds = Seeds::searched);

    /// Of the measure under the seeds of the search so far; NaN for a point that failed under any.
    Sample measure(const Depths& depths) const;
    /// Under the same seeds as infinite queues, paired: the sample of the ratios. Infinite for a point that
    /// failed.
    Sample slow_down(const Depths& depths, Seeds seeds = Seeds::searched) const;
    TrialVerdict verdict(const Depths& depths, double most, Seeds seeds = Seeds::searched) const;
    /// Whether the first is slower than the second under the seeds that both have; significantly (95%) where
    /// there are several.
    bool slower(const Depths& depths, const Depths& than) const;
    SizedPoint point(const Depths& depths) const;

    /// Whether the load was below saturation; true without traffic, and for a point that failed.
    bool carried(const Depths& depths) const;
    const std::string& last_error() const { return last_error_; }
    /// All, in the order of trying.
    const std::vector<Depths>& tried() const { return tried_; }

  private:
    /// A point of the sweep.
    struct Trial {
        Depths depths;
        std::uint32_t batch;
        auto operator<=>(const Trial&) const = default;
    };
    struct Outcome {
        bool carried = true;
        double packets_missing = 0;
        std::vector<double> values;  ///< of the measure, of each seed; empty: it failed
    };

    Depths infinite() const { return Depths(s_.queues.size(), 0); }
    std::uint32_t seeds_of(std::uint32_t batch) const;
    std::uint64_t first_seed(std::uint32_t batch) const;
    void run_probes(const std::vector<Depths>& wanted);
    std::uint32_t batches(const Depths& depths, Seeds seeds) const;
    void run_trials(const std::vector<Trial>& wanted);
    void read(std::size_t first);
    Outcome outcome_of(const Json& result, std::size_t seeds) const;
    std::vector<double> ratios(const Trial& trial) const;
    std::vector<double> ratios(const Depths& depths, Seeds seeds) const;
    Sweep sweep() const;
    void tell(const SweepProgress& round) const;

    const SizeStudy& s_;
    const std::string& file_;
    const SweepOptions& options_;
    const SizeListener& progress_;
    std::string stage_;
    std::string measure_ = s_.measure;
    std::vector<Trial> order_;
    std::vector<Depths> tried_;
    std::map<Trial, Outcome> outcomes_;
    SweepProgress ended_;  ///< of earlier rounds: done, failed, seconds
    std::string last_error_;
};

}  // namespace interlace
