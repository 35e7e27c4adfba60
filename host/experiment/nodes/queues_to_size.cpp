// Interlace: queues whose depth a study may look for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/queues_to_size.h"

namespace interlace {
namespace {

/// Of links with a layer, which numbers frames: nothing is infinite, but there are as many flits behind a
/// link as it can number, and as many frames in flight. A frame is a flit and 8 bytes.
void add_replay_buffer(std::vector<QueueToSize>& queues, std::uint32_t vcs, std::uint32_t packet,
                       double frames_bytes) {
    constexpr std::uint32_t numbers = 32'768;
    const std::uint32_t escapes = 2 * packet;  // a packet there may give its room back with its head
    queues.back().infinite = queues.back().max_depth = (numbers - escapes) / vcs;
    queues.push_back({"replay_buffer", depth_path::replay_buffer, 1, frames_bytes, numbers - 1, numbers - 1});
}

}  // namespace

std::vector<QueueToSize> node_queues(const Network& network, const CycleOptions& options,
                                     std::uint32_t packet_flits) {
    const NodeParameters& node = options.node;
    const std::uint32_t ports = network.max_degree();
    const double flit = node.flit_bytes;
    // Packets leave injection queues before they are whole; elsewhere a queue has room for all of one.
    const std::uint32_t min_depth = node.switching == Switching::wormhole ? 1 : packet_flits;
    std::vector<QueueToSize> queues = {
        {"injection", depth_path::injection, 1, node.injections(ports) * flit},
        {"reception", depth_path::reception, min_depth, node.receptions(ports) * flit},
        {"virtual_channel", depth_path::virtual_channel, min_depth, ports * node.vcs * flit}};
    if (options.links.has_layer()) add_replay_buffer(queues, node.vcs, packet_flits, ports * (flit + 8));
    return queues;
}

}  // namespace interlace
