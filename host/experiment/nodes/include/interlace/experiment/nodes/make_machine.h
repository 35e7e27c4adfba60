// Interlace: a fabric's regions, as the options cut it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/engine/machine/machine.h"
#include "interlace/experiment/nodes/cycles.h"

namespace interlace {

/// The regions of each engine that has nodes. `tables`: as native_region has them. `kinds`: of the packets
/// that hosts will send, a mask of bit k for kind k. Throws InputError for engines that are unknown or were
/// not built, and for what cannot be divided among the ranks of the options. `listener` hears of nodes that
/// are built first.
Machine make_machine(const Network& network, const Fabric& fabric, const std::string& engine,
                     const CycleOptions& options, std::uint8_t kinds, const PortTables* tables = nullptr,
                     const RunListener& listener = {});

/// Regions that one process has where all nodes are of this engine and it is asked for so many.
std::uint32_t regions_of_process(const Network& network, const std::string& engine, std::uint32_t regions);

/// The bit of a kind of packets.
constexpr std::uint8_t kind_bit(PacketKind kind) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
}
/// That of packets from any node to any other.
inline std::uint8_t unicast_kind(const Fabric& fabric) {
    return kind_bit(fabric.unicast_kind());
}

}  // namespace interlace
