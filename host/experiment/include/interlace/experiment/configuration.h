// Interlace: what a configuration file describes, whatever kind of experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "interlace/experiment/allgather.h"
#include "interlace/experiment/alltoall.h"
#include "interlace/experiment/experiment.h"
#include "interlace/experiment/multicast.h"
#include "interlace/experiment/traffic.h"

namespace interlace {

using Configuration =
    std::variant<Experiment, TrafficExperiment, AllGatherExperiment, AllToAllExperiment, MulticastExperiment>;

/// The file (docs/experiments.md) has one of the sections broadcast, traffic, allgather, alltoall and
/// multicast, which says what it is. Throws InputError with file, line and key.
Configuration read_configuration(ConfigMap config);

/// Everything that it names or leaves to a default, as a configuration that reads back as the same one.
/// Throws InputError where a file that it names is not there.
Json to_json(const Configuration& configuration);

/// Runs with different seeds that it is (runs_of). Throws InputError as a run does.
std::uint32_t runs_of(const Configuration& configuration);

/// Runs it and returns its result, as the commands print it with --json but for the speed of this machine.
/// Throws what they throw.
Json run_configuration(const Configuration& configuration);

}  // namespace interlace
