// Interlace: results as text
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.h"
#include "interlace/experiment/kinds/allgather.h"
#include "interlace/experiment/kinds/alltoall.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/experiment/kinds/capacity.h"
#include "interlace/experiment/kinds/collective.h"
#include "interlace/experiment/kinds/multicast.h"
#include "interlace/experiment/kinds/replay.h"
#include "interlace/experiment/kinds/traffic.h"

namespace interlace::cli {

void print_text(const BroadcastResult& result);
void print_text(const TrafficRun& run);
void print_text(const CapacityRun& run);
void print_text(const AllGatherRun& run);
void print_text(const CollectiveRun& run);
void print_text(const AllToAllRun& run);
void print_text(const MulticastRun& run);
void print_text(const ReplayRun& run);

/// What a checker found.
void print_valid(const CheckReport& report);
void print_problems(const CheckReport& report);

/// Checks the certificate in a JSON file of interlace capacity. The exit code.
int check_certificate_and_print(const std::string& network, const std::string& file, bool json);
int check_capacity_and_print(const std::string& network, const std::string& file, bool json);

/// Checks a schedule of the collective in a CSV file. The exit code.
int check_collective_and_print(const CollectiveExperiment& experiment, const std::string& file, bool json);

/// Prints a result as JSON, or as text.
template <class Result>
int show(const Result& result, bool json) {
    if (json)
        print(to_json(result));
    else
        print_text(result);
    return done;
}

}  // namespace interlace::cli
