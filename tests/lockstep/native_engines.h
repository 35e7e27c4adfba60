// Interlace: both forms of native nodes, as engines under test
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flit_region.h"
#include "lockstep/random_configuration.h"
#include "packet_region.h"

namespace interlace {

inline const EngineUnderTest packets = {"packets",
                                        [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                            return native::packet_region(fabric, nodes, &tables);
                                        }};

inline const EngineUnderTest flits = {"flits",
                                      [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                          return native::flit_region(fabric, nodes, &tables);
                                      }};

}  // namespace interlace
