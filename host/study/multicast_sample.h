// Interlace: multicasts among random machines of random networks
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace interlace {

/// One point of Figures 4 to 10 of Banikazemi, Moorthy, Panda (1998): workstations of two speeds, some of
/// which send a message each to others.
struct MulticastPoint {
    std::string network;                   ///< if drawn at random (its file has network.seed), ten of them
    std::uint64_t message = 1024;          ///< bytes
    std::uint32_t sources = 1;             ///< each sends a message of its own
    std::uint32_t destinations = 0;        ///< the same ones of every source
    std::uint32_t fast_percent = 0;        ///< of the machines
    double fast_us = 400, slow_us = 1600;  ///< t_ini of those, and of the others
    std::string engine = "native";         ///< wormhole, up*/down*; or event: the file's switches, a tree
    std::uint32_t samples = 100;           ///< on each network ten
    std::uint64_t seed = 1;
};

/// [case]: the latency of `algorithm`, from the start to the last machine's having the last message, in
/// microseconds. All algorithms get the same cases.
std::vector<double> multicast_latencies_us(const MulticastPoint& point, const std::string& algorithm);

}  // namespace interlace
