// Interlace: window, time-out and buffer of the links of a fabric, for all engines (docs/links.md, section 6)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/link/link_ends.h"

namespace interlace {

/// The same for every link: window, time-out and refresh follow from the longest link of the fabric.
LinkSettings link_settings(const Fabric& fabric);
/// Frames that a sender stores: a power of two, at least the flits of the channels behind a link.
std::uint32_t link_buffer(const Fabric& fabric);

}  // namespace interlace
