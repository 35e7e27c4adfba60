// Interlace: queues whose depth a study may look for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/experiment/nodes/cycles.h"

namespace interlace {

/// A class of queues, by the path of its depth in a configuration.
struct QueueToSize {
    std::string name;             ///< injection, reception, virtual_channel, replay_buffer or switch_buffer
    std::string path;             ///< node.injection_depth, ..., event.switch.capacity
    std::uint32_t min_depth = 1;  ///< flits, or packets of a switch
    double bytes = 0;             ///< in all a node (or switch) for a depth of 1
    std::uint32_t max_depth = 1U << 20U;  ///< that is tried
    std::uint32_t infinite = 0;           ///< the value that means so at the path
};

/// Those of the network's nodes that see packets of `packet_flits`, with the replay buffers of links that
/// have a layer.
std::vector<QueueToSize> node_queues(const Network& network, const CycleOptions& options,
                                     std::uint32_t packet_flits);

}  // namespace interlace
