// Interlace: where a unicast packet goes next
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "dimension_order.h"

namespace interlace {
namespace {

/// The port, as a mask, with the longest hop in this direction that is at most `left`.
std::uint32_t longest_hop(const Fabric& fabric, NodeId node, std::uint32_t dimension, bool minus,
                          std::uint32_t left) {
    std::uint32_t longest = 0;
    std::uint32_t mask = 0;
    for (std::uint32_t p = 0; p < fabric.ports; ++p) {
        const PortHop hop = fabric.hops[std::size_t{node} * fabric.ports + p];
        if (hop.dimension != dimension || hop.minus != minus || hop.length > left || hop.length <= longest)
            continue;
        longest = hop.length;
        mask = 1U << p;
    }
    return mask;
}

}  // namespace

NextHop dimension_order(const Fabric& fabric, NodeId node, std::uint32_t destination) {
    const std::uint32_t bits = fabric.field_bits();
    const std::uint32_t classes = fabric.classes();
    auto channels = static_cast<std::uint8_t>(classes >> 4U);
    for (std::uint32_t d = 0; d < fabric.dimensions; ++d) {
        const std::uint32_t target = destination >> d * bits & ((1U << bits) - 1);
        const std::uint32_t here = fabric.here[std::size_t{node} * fabric.dimensions + d];
        if (target == here) continue;
        bool minus = target < here;
        std::uint32_t left = minus ? here - target : target - here;
        if (fabric.wraps) {
            const std::uint32_t up = minus ? fabric.sizes[d] - left : left;
            minus = up > fabric.sizes[d] - up;
            left = minus ? fabric.sizes[d] - up : up;
            if (minus ? target > here : target < here) channels = classes & 15U;
        }
        return {longest_hop(fabric, node, d, minus, left), channels};
    }
    return {0, channels};
}

}  // namespace interlace
