// Interlace: a node's parameters as results repeat them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/measure/json_result.h"
#include "interlace/node/parameters.h"

namespace interlace {

Json node_json(const NodeParameters& node);

}  // namespace interlace
