// Interlace: next hops whose paths come near the capacity of a network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "balanced_paths.h"

namespace interlace {

/// Balanced paths in the lengths of links by which the fullest of them has the least load, with detours where
/// these help. On a torus, mesh or iBT the lengths prove the uniform capacity (find_capacity()); a graph's
/// are learnt from the loads of some tries, of which the best is taken. Throws InputError as balanced_paths()
/// and find_capacity().
Paths paths_near_capacity(const Network& network, std::uint32_t channels);

}  // namespace interlace
