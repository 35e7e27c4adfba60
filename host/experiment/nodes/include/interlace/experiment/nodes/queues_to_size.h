// Interlace: queues whose depth a study may look for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/experiment/nodes/cycles.h"

namespace interlace {

/// Paths of the depth of each class in a configuration.
namespace depth_path {
inline constexpr const char* injection = "node.injection_depth";
inline constexpr const char* reception = "node.reception_depth";
inline constexpr const char* virtual_channel = "node.vc_depth";
inline constexpr const char* replay_buffer = "links.replay_flits";
inline constexpr const char* switch_buffer = "event.switch.capacity";
}  // namespace depth_path

/// A class of queues, by the path of its depth in a configuration.
struct QueueToSize {
    std::string name;             ///< injection, reception, virtual_channel, replay_buffer or switch_buffer
    std::string path;             ///< one of depth_path
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
