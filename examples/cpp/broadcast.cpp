// Interlace: an example: a broadcast on a torus, step by step and cycle by cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/broadcast.h"
#include "expect.h"

int main() {
    interlace::BroadcastExperiment experiment;
    experiment.network = "torus:4x4";
    experiment.packets = 4;
    experiment.engine = "native";
    experiment.cycles.node = interlace::node_parameters("bgl");
    const interlace::BroadcastResult result = interlace::run_broadcast(experiment);
    // Eq. 5 of the iBT paper: 2 (k - 1) + P / (2 d) - 1 steps, k = 4, d = 2.
    int wrong = expect("steps", result.run.steps, 2 * 3 + 4 / 4 - 1);
    // Without waiting for room, a program takes what the step theorem predicts (docs/node.md, section 7).
    wrong +=
        expect("cycles", result.cycles->cycles.mean, static_cast<double>(result.cycles->max_plus_cycles));
    return wrong;
}
