// Interlace: the state of native nodes that are run packet by packet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "packet_nodes.h"

namespace interlace::native {

void PacketNodes::packet_state(Held& h, Archive& archive) {
    std::array<bool, 4> flags = {h.adaptive, h.enters, h.escapes, h.handed_over};
    archive(h.packet, h.route, h.started, h.timed, h.stays, h.local, h.channels, h.escape, h.escape_channels,
            h.choices);
    for (bool& flag : flags) archive(flag);
    h.arrivals.state(archive);
    archive.expect(!h.arrivals.empty() && h.arrivals.count() <= h.packet.length());
    if (!archive.loads()) return;
    h.length = static_cast<std::uint8_t>(h.packet.length());
    h.adaptive = flags[0];
    h.enters = flags[1];
    h.escapes = flags[2];
    h.handed_over = flags[3];
}

void PacketNodes::source_state(std::uint32_t node, std::uint32_t source, Archive& archive) {
    const std::uint32_t index = source_index(node, source);
    std::uint32_t held = 0;
    for (std::uint32_t i = heads[index]; i != none; i = packets[i].next) ++held;
    archive(held);
    for (std::uint32_t i = heads[index]; held > 0; --held) {
        if (archive.loads()) {
            i = packets.make();
            packets[i].node = node;
        }
        packet_state(packets[i], archive);
        archive.expect(packets[i].local == source);
        if (archive.loads())
            append(index, i);
        else
            i = packets[i].next;
    }
}

/// The packet that moves through a sink is the head of its source.
void PacketNodes::sink_state(SinkId id, Archive& archive) {
    constexpr std::uint8_t no_packet = 255;
    PacketSink& sink = this->sink(id);
    std::uint8_t source = sink.packet() == none ? no_packet : packets[sink.packet()].local;
    archive(source);
    sink.state(archive);
    if (!archive.loads() || source == no_packet) return;
    archive.expect(source < sources_ && heads[source_index(id.node(), source)] != none);
    sink.load_packet(heads[source_index(id.node(), source)]);
}

}  // namespace interlace::native
