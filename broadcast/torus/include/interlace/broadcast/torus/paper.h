// Interlace: the line, rectangular and global broadcasts of Zhang and Deng
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/program/program.h"

namespace interlace {

/// A broadcast by the node rules of Zhang and Deng 2012 (sections 4.1, 5.1 and 6.1; docs/ibt-paper.md says
/// how each is read). One colour an axis: a line broadcast has one, a rectangular one two, a global one d.
struct PaperBroadcast {
    std::vector<Send> sends;           ///< by colour; of each link by step
    std::vector<std::uint32_t> split;  ///< [c]: packets of the colour that starts along axes[c]; they are
                                       ///< numbered one colour after the other
    std::vector<std::uint32_t>
        patterns;  ///< [c]: the source's packet-sending pattern Int(pn), Bin(pn) = rRLl
    std::uint32_t steps = 0;
};

/// Which packet-sending patterns the source of each colour may choose from; the fewest steps win, then the
/// first. Bits of Int(pn): 8 right torus link, 4 right bypass, 2 left bypass, 1 left torus; set: in reverse
/// order.
using Patterns = std::vector<std::uint32_t>;

/// What the paper searches: 0 to 7 for a line (8 to 15 mirror them), 1, 3, 5, 7 for more axes.
Patterns paper_patterns(std::size_t axes);

/// `axes`: dimensions from 0, all different, in the order of the colours. `packets`: 1 or more. The split
/// starts even and packets move from the slowest colour to the fastest for as long as that saves a step (the
/// paper's d_k). Throws InputError where the network has no coordinates that wrap.
PaperBroadcast paper_broadcast(const Network& network, NodeId source, const std::vector<std::uint32_t>& axes,
                               std::uint32_t packets, const Patterns& patterns);

/// The two-way ring of eq. 4: the line broadcast on the torus links of one axis, in order to the right and in
/// reverse order to the left. ceil(n / 2 + k / 2) - 1 steps; n / 2 + ceil(k / 2) - 1 for even n.
PaperBroadcast ring_broadcast(const Network& network, NodeId source, std::uint32_t axis,
                              std::uint32_t packets);

}  // namespace interlace
