// Interlace: an experiment of any kind: what a configuration file holds and every flag is sugar for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interlace/config/config_map.h"
#include "interlace/core/run_listener.h"
#include "interlace/experiment/nodes/cycles.h"
#include "interlace/experiment/nodes/queues_to_size.h"
#include "interlace/measure/json_result.h"

namespace interlace {

/// A number of a result, by its key there, that points of a study are compared by: the mean of its runs.
struct Measure {
    const char* key;
    bool higher_is_better = false;
};

/// What experiments of equal preparation_key() have in common and need to make only once, as a program.
class Preparation {
  public:
    Preparation() = default;
    Preparation(const Preparation&) = delete;
    Preparation& operator=(const Preparation&) = delete;
    virtual ~Preparation() = default;
};

/// Studies know experiments by this alone. Each kind of them is a struct of its own (kinds/), whose members
/// are what its section of a configuration file says.
class Experiment {
  public:
    virtual ~Experiment() = default;

    /// Everything that it names or leaves to a default, as a configuration that reads back as the same one.
    /// Throws InputError where a file that it names is not there.
    virtual Json to_json() const = 0;
    /// Runs with different seeds that it is (runs_of). Throws InputError as run() does.
    virtual std::uint32_t runs() const = 0;
    /// What results can be compared by; by the first one unless a study names another.
    virtual std::vector<Measure> measures() const = 0;
    /// None: it has no queues that could be sized.
    virtual std::vector<QueueToSize> queues() const { return {}; }

    /// How its nodes run: a caller may choose what is no part of an experiment, its records and its ranks.
    /// Null: it leaves nothing but its result, and has one rank.
    virtual CycleOptions* cycle_options() { return nullptr; }

    /// What the state at the end of its warm-up depends on, which experiments with the same may share
    /// (CheckpointOptions::warm); null: nothing that could be shared.
    virtual Json warm_up() const { return nullptr; }

    /// Empty: there is nothing to prepare.
    virtual std::string preparation_key() const { return {}; }
    /// Throws like run(); null if there is nothing to prepare.
    virtual std::shared_ptr<const Preparation> prepare() const { return nullptr; }
    /// Its result, as commands print it with --json, but for the speed of this machine. `prepared` is of
    /// an experiment of the same preparation_key(), or null. Throws InputError for what the user can mend,
    /// FellShort for a run that does not end, std::logic_error where an independent checker finds a fault.
    virtual Json run(const Preparation* prepared = nullptr, const RunListener& listener = {}) const = 0;

  protected:
    Experiment() = default;
    Experiment(const Experiment&) = default;
    Experiment& operator=(const Experiment&) = default;
};

/// One kind of experiment: how its section of a configuration file is called and read.
struct Kind {
    const char* name;
    const char* text;  ///< what it is, in a phrase
    std::unique_ptr<Experiment> (*read)(ConfigMap&);
};

/// All of them: who adds one adds it here.
const std::vector<Kind>& kinds();

/// The file (docs/configuration.md) has the section of one kind, which says what it is. Throws InputError
/// with file, line and key.
std::unique_ptr<Experiment> read_experiment(ConfigMap config);

/// The experiment with values of its configuration replaced, each as in "node.vc_depth=16". Throws InputError
/// that calls the configuration `name`.
template <class OneKind>
OneKind with_values(const OneKind& experiment, const std::vector<std::string>& values,
                    const std::string& name) {
    if (values.empty()) return experiment;
    const ConfigMap config = ConfigMap::from_text(experiment.to_json().dump(), name, values);
    return dynamic_cast<const OneKind&>(*read_experiment(config));
}

}  // namespace interlace
