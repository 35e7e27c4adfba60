// Interlace: the same region in several engines at once, compared pin by pin
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/node_fault.h"
#include "interlace/engine/region/region.h"

namespace interlace {

struct NamedRegion {
    std::string name;
    std::unique_ptr<Region> region;
};

/// A region that is all of `regions` side by side: every tick goes to each, then every output pin of every
/// node is compared, and tick() throws LockstepError at the first difference. With a `waveform`, a file of
/// that name is left then: the last 200 cycles of the node and its neighbours in each region. What it gives
/// to others is the first one's; usage() throws LockstepError where regions count differently. Every region
/// holds `nodes` and can be asked for its pins.
std::unique_ptr<Region> lockstep_region(const Fabric& fabric, std::vector<NodeId> nodes,
                                        std::vector<NamedRegion> regions, const std::string& waveform = {});

/// A region of hardware that is held to `level`, whatever else it is supervised for. Where it is not up to
/// it, a `waveform` is left as above.
std::unique_ptr<Region> supervised_region(const Fabric& fabric, std::vector<NodeId> nodes, NamedRegion region,
                                          Supervision level, const std::string& waveform);

}  // namespace interlace
