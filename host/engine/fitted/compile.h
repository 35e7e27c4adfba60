// Interlace: il_node as a shared library
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/core/run_listener.h"
#include "interlace/engine/rtl/rtl.h"
#include "library/node_library.h"

namespace interlace {

/// That of il_node with these parameters: of this process, of the cache, or made now. Lives as long as the
/// process. May be called by several threads.
const fitted::Library& fitted_library(const RtlParameters& parameters, const RunListener& listener);

}  // namespace interlace
