// Interlace: whether a broadcast can end within a number of steps, decided exactly
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/program/group.h"

namespace interlace {

enum class Feasibility { possible, impossible, unknown };

/// How much work a decision may cost; the answer beyond is `unknown`. Counted in units that do not depend on
/// the machine, so that the same question always gets the same answer.
struct ExactLimits {
    std::uint64_t sends = 6'000;      ///< possible sends (link, packet, step): the size of the formula
    std::uint32_t conflicts = 2'000;  ///< of the solver's search
};

/// Whether some schedule brings `packets` packets from `source` to every member of `group` within `steps`
/// steps. Every schedule is a model of a formula over "node v holds packet p after step t" and "link l
/// carries p in step t", which CaDiCaL (Biere et al.) satisfies or refutes. Packets are numbered by the step
/// in which they first leave the source, so that packet i (from 0) leaves in step floor(i / D) + 1 or later,
/// D the source's usable links. A member that cannot be reached makes it impossible.
Feasibility broadcast_within(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                             std::uint32_t steps, const ExactLimits& limits = {});

/// Whether `broadcast_within` refutes `steps` for the last of `packets` packets alone. Numbered as above, all
/// but the first q D packets leave the source after step q; so they form a broadcast of k - q D packets that
/// starts q steps later, and T(k) >= q + T(k - q D). Tries the smallest numbers of packets first, as many as
/// the limits allow.
bool tail_refutes(const Network& network, const Group& group, NodeId source, std::uint32_t packets,
                  std::uint32_t steps, const ExactLimits& limits = {});

}  // namespace interlace
