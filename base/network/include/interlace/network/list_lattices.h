// Interlace: all tori, twisted tori, meshes and interlaced bypass tori of so many nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/network/lattice.h"

namespace interlace {

/// Of twisted tori: those whose twists are 0 or half the ring of x, as published ones are, or those of any
/// twist.
enum class Twists : std::uint8_t { half, all };

/// All where they are at most 10,000 on any number of nodes: up to 512.
Twists default_twists(std::uint32_t nodes);

struct LatticeQuery {
    Lattice::Kind kind = Lattice::Kind::torus;
    std::uint32_t nodes = 0;       ///< 3 to 2^24
    std::uint32_t dimensions = 0;  ///< 0: any number; of an iBT or a twisted torus two or more
    std::uint32_t lengths = 0;     ///< bypass lengths of an iBT, 1 to 16; 0: any number of these
    Twists twists = Twists::half;
};

/// The specifications of the lattices that the query is for, each network once: networks that differ in the
/// names of nodes and axes alone are one, by what follows.
/// - Sizes of a torus or mesh may stand in any order: the largest first.
/// - Any axis of a twisted torus may be its x, and any axis may be reversed: the largest x first, then the
///   largest sizes and the smallest twists. What is a torus without a twist in this way is none of them.
/// - A bypass length stands for all others that lead to the same nodes, such as n - b and n + b on rings of
///   n: the smallest. Lists that repeat a shorter one (b=4,4) are that one.
/// - Species can be numbered from any block of d, or backwards with the axes in reverse, or, where there is
///   one length, from any species with the axes rotated: the largest sizes first, then the smallest lengths.
/// Throws InputError for more than 10,000.
std::vector<std::string> list_lattices(const LatticeQuery& query);

}  // namespace interlace
