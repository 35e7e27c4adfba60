// Interlace: the smallest queues that cost nothing, or little
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interlace/study/sweep.h"

namespace interlace {

/// A class of queues that a study leaves as the file has it.
struct FixedQueue {
    std::string name;
    std::uint32_t depth = 0;  ///< 0: infinite
};

/// What a file (docs/sizing.md) asks for: an experiment, what to measure, and what it may cost.
struct SizeStudy {
    /// Throws InputError; depths of the classes that are sized need not be valid in the file.
    SizeStudy(const std::string& file, const std::vector<std::string>& overrides);

    std::string name, file, text;
    std::vector<std::string> overrides;
    std::string measure;              ///< one of `measures`
    bool measure_by_default = false;  ///< the file names none
    bool random = false;              ///< runs under different seeds differ
    std::uint64_t first_seed = 1;
    std::uint32_t seeds = 1;  ///< of a point, or more where that does not decide: the file's, or 30; 1 unless
                              ///< random
    bool sampled() const { return seeds > 1; }  ///< measures are means, and slow-downs have intervals
    bool higher_is_better(const std::string& a_measure) const;
    std::vector<Measure> measures;  ///< that the experiment is known for
    double tolerance = 0.02;        ///< what the measure may lose against infinite queues, as a share of it
    std::uint32_t points = 5;       ///< depths of each class on the way to the Pareto front
    std::vector<QueueToSize> queues;
    std::vector<FixedQueue> fixed;  ///< the experiment's other queues
    /// What points are compared with, as in "infinite queues", with the depths of those that are fixed.
    std::string reference_text() const;
};

/// Depths under seeds that the search did not use.
struct Confirmation {
    bool held = false;  ///< the upper end of the interval is within the tolerance
    double slow_down = 0, half_interval = 0;
    std::size_t seeds = 0;
};

/// A depth of each class, in the order of SizeStudy::queues, 0 being infinite, and what came of it.
struct SizedPoint {
    std::vector<std::uint32_t> depths;
    double measure = 0;
    /// Against infinite queues; 1: none. Of several seeds, the mean of the slow-downs under each. Infinite
    /// for a point that failed under any: it did not run, has no such measure (a latency of a saturated
    /// load), or measured packets are missing that infinite queues deliver.
    double slow_down = 0;
    double half_interval = 0;  ///< of the slow-down, 95%; 0 of one seed
    std::size_t seeds = 1;
    double bytes = 0;  ///< of buffers in all a node, without those that are fixed
    std::optional<Confirmation> confirmation = {};  ///< of what is recommended, where there are several seeds
};

/// The smallest depth of one class, the others infinite.
struct SizedQueue {
    SizedPoint within;         ///< of a slow-down within the tolerance, as its whole interval is
    SizedPoint free;           ///< of none that is significant (95%)
    std::string not_monotone;  ///< where deeper was slower, in words; empty: nowhere that was tried
};

struct SizeResult {
    /// That points are compared by: the study's, but accepted_load where it is latency_mean by default and
    /// the network is saturated even with infinite queues.
    std::string measure;
    bool carried = true;            ///< false: saturated even with infinite queues
    double reference = 0;           ///< the measure with infinite queues
    double half_interval = 0;       ///< of it, 95%, as a share of it
    std::vector<SizedQueue> alone;  ///< of each class
    SizedPoint joint;               ///< least bytes of all that were tried within the tolerance
    std::vector<SizedPoint> tried;  ///< all, by classes alone and together, in the order of trying
    std::vector<SizedPoint> front;  ///< no other has fewer bytes and no more slow-down; by bytes
    bool every_depth = false;  ///< one class, of which every depth was tried up to the one that costs nothing
};

/// `stage`: what is searched for; `so_far`: of all points that the search has asked for until now.
using SizeListener = std::function<void(const std::string& stage, const SweepProgress& so_far)>;

/// Bisects for each class alone, then tries the combinations of `points` depths of each (of one class, every
/// depth, up to 100), from the least to the one that costs nothing alone, and from the best of these bisects
/// each class in turn until none alone can be smaller within the tolerance. All points run under the same
/// seeds; those whose interval straddles the tolerance under up to four times as many. What is recommended is
/// run under other seeds: where it does not hold there, it is made deeper until it does, six times at most.
/// All points are kept in `file` like a sweep's of the study's name, and found there when it is run again.
/// Throws InputError where the experiment cannot run with infinite queues, or measures nothing then;
/// FellShort where no depth suffices.
SizeResult run_size(const SizeStudy& study, const std::string& file, const SweepOptions& options,
                    const SizeListener& progress = {});

Json to_json(const SizeStudy& study, const SizeResult& result);

}  // namespace interlace
