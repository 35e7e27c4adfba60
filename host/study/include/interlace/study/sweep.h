// Interlace: a configuration for every combination of values
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interlace/experiment/experiment.h"
#include "interlace/results/results_file.h"
#include "interlace/study/ranks.h"

namespace interlace {

/// What a sweep's file (docs/sweeps.md) asks for: every combination of the values of its axes.
class Sweep {
  public:
    /// Paths that vary together, and the values of each, as many for each.
    struct Axis {
        std::vector<std::string> paths;
        std::vector<std::vector<std::string>> values;
    };

    /// `overrides` replace values of the file, as in experiment.network=torus:8x8. Throws InputError with
    /// file, line and key.
    Sweep(const std::string& file, const std::vector<std::string>& overrides);
    /// Of a text that stands for a file, which errors call by its name; where that is empty, the text has a
    /// name for the sweep.
    Sweep(const std::string& file, std::string text, const std::vector<std::string>& overrides);

    /// Of the key `experiment` of a file's text, with axes of the caller's.
    Sweep(std::string name, const std::string& file, std::string text,
          const std::vector<std::string>& overrides, std::vector<Axis> axes);

    const std::string& name() const { return name_; }
    const std::string& text() const { return text_; }
    std::size_t size() const { return size_; }
    using Values = std::vector<std::pair<std::string, std::string>>;
    /// The values of a point, by path; the first axis varies slowest. Formulas, as in "= degree", are
    /// computed from the others, or stand as they are where that cannot be.
    Values values(std::size_t point) const;
    /// Throws InputError for values that the experiment does not take.
    std::unique_ptr<Experiment> experiment(std::size_t point) const;

  private:
    static Axis read_axis(ConfigMap& config, const std::string& path);
    static Axis read_zip(ConfigMap config);
    /// Refuses paths of the last axis that another one has, or that lie within each other: one of the two
    /// values would not be the one that ran. `config` is where the last axis stands.
    void check_last(const ConfigMap& config) const;
    void count_points();
    Values written(std::size_t point) const;  ///< with formulas
    Values computed(Values written) const;    ///< throws InputError for formulas that are wrong
    std::unique_ptr<Experiment> with(const Values& values) const;

    std::string file_, name_, text_;
    std::vector<std::string> overrides_;
    std::vector<Axis> axes_;
    std::size_t size_ = 1;
};

struct SweepOptions {
    std::uint32_t jobs = 1;        ///< points that run side by side, each in a process of its own
    bool retry_failed = false;     ///< run points again that have failed before
    const Ranks* ranks = nullptr;  ///< where there are several, they compute, and jobs is 1
};

/// Where a sweep stands. Points that several members share count once.
struct SweepProgress {
    std::size_t points = 0, known = 0, done = 0,
                failed = 0;   ///< known: found in the file; the rest in this run
    double seconds = 0;       ///< since this run began
    std::string first_error;  ///< of the first point that failed in this run
};

/// Runs the points that `file` has not yet, and stores each as it ends. A point that fails, or whose process
/// dies, is stored with its error, and the sweep goes on; killed at any time, it can be started again. Throws
/// InputError where no point can be read (nothing is written then), FellShort where the file cannot be
/// written.
SweepProgress run_sweep(const Sweep& sweep, const std::string& file, const SweepOptions& options,
                        const std::function<void(const SweepProgress&)>& progress = {});

/// What a rank does with a point that it is dealt, a JSON object, which becomes its result's: `experiment`,
/// the configuration, `files`, the contents of files that it names (contents_of_named_files), and `warm`, the
/// folder of its warm-up's state, which other ranks may see, if it shares one. Throws InputError where the
/// files differ here, and std::runtime_error of what stands behind a `!` at the task's beginning.
std::string run_point(const std::string& task);

}  // namespace interlace
