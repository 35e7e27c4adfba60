// Interlace: a fabric's regions, as the options cut it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/engine/machine.h"
#include "interlace/experiment/cycles.h"

namespace interlace {

/// The regions of each engine that has nodes. `tables`: as native_region has them. Throws InputError for
/// engines that are unknown or were not built.
Machine make_machine(const Network& network, const Fabric& fabric, const std::string& engine,
                     const CycleOptions& options, const PortTables* tables = nullptr);

}  // namespace interlace
