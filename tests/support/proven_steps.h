// Interlace: the steps of a schedule that the independent checker has proven
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "interlace/engine/step/step.h"
#include "interlace/program/check.h"

namespace interlace {

/// Runs `sends` on the step engine, has the checker replay the result without a redundant send, and returns
/// its steps.
inline std::uint32_t proven_steps(const Network& network, const Group& group, NodeId source,
                                  std::uint32_t packets, const std::vector<Send>& sends) {
    const Program program(network, source, packets, sends);
    const StepRun run = run_steps(network, group, program);
    const CheckReport report =
        check_schedule(network, group, source, packets, timed_sends(network, program, run));
    EXPECT_TRUE(report.valid()) << network.name() << ": " << report.problem();
    EXPECT_EQ(report.redundant_sends, 0U) << network.name();
    EXPECT_EQ(report.steps, run.steps);
    return report.steps;
}

}  // namespace interlace
