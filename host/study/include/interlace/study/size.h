// Interlace: the smallest queues that cost nothing, or little
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interlace/study/sweep.h"

namespace interlace {

/// What a file (docs/sizing.md) asks for: an experiment, what to measure, and what it may cost.
struct SizeStudy {
    SizeStudy(const std::string& file, const std::vector<std::string>& overrides);

    std::string name, file, text;
    std::vector<std::string> overrides;
    std::string measure;              ///< a number of the result: cycles, seconds, latency_mean, ...
    bool measure_by_default = false;  ///< the file names none
    bool sampled = false;  ///< every point is several seeds (Experiment::runs), the measure their mean
    bool higher_is_better(const std::string& a_measure) const;
    std::vector<Measure> measures;  ///< that the experiment is known for
    double tolerance = 0.02;        ///< what the measure may lose against infinite queues, as a share of it
    std::uint32_t points = 5;       ///< depths of each class on the way to the Pareto front
    std::vector<QueueToSize> queues;
};

/// A depth of each class, in the order of SizeStudy::queues, 0 being infinite, and what came of it.
struct SizedPoint {
    std::vector<std::uint32_t> depths;
    double measure = 0;
    /// Against infinite queues; 1: none. Infinite for a point that failed: it did not run, has no such
    /// measure (a latency where the load was not carried), or measured packets are missing that infinite
    /// queues deliver.
    double slow_down = 0;
    double half_interval = 0;  ///< of the slow-down, 95%, where the measure is a mean of several seeds
    double bytes = 0;          ///< of buffers in all a node
};

/// The smallest depth of one class, the others infinite.
struct SizedQueue {
    SizedPoint within;         ///< of a slow-down within the tolerance
    SizedPoint free;           ///< of none, or none that the interval of infinite queues would show
    std::string not_monotone;  ///< where deeper was slower, in words; empty: nowhere that was tried
};

struct SizeResult {
    /// That points are compared by: the study's, but accepted_load where it is latency_mean by default and
    /// the load is not carried even with infinite queues.
    std::string measure;
    bool carried = true;            ///< false: of traffic whose load infinite queues do not carry
    double reference = 0;           ///< the measure with infinite queues
    double half_interval = 0;       ///< of it, 95%, as a share of it
    std::vector<SizedQueue> alone;  ///< of each class
    SizedPoint joint;               ///< least bytes of all that were tried within the tolerance
    std::vector<SizedPoint> tried;  ///< all, by classes alone and together, in the order of trying
    std::vector<SizedPoint> front;  ///< no other has fewer bytes and no more slow-down; by bytes
};

/// Bisects for each class alone, then tries the combinations of `points` depths of each, from the least to
/// the one that costs nothing alone, and from the best of these bisects each class in turn until none alone
/// can be smaller within the tolerance. All points are kept in `file` like a sweep's of the study's name, and
/// found there when it is run again. Throws InputError where the experiment cannot run with infinite queues,
/// or measures nothing then; FellShort where no depth suffices.
SizeResult run_size(const SizeStudy& study, const std::string& file, const SweepOptions& options,
                    const std::function<void(const SweepProgress&)>& progress = {});

Json to_json(const SizeStudy& study, const SizeResult& result);

}  // namespace interlace
