// Interlace: the files of configs/papers, which are part of the program
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interlace/core/shipped_file.h"

namespace interlace {

/// The folder is the paper; in the order of its tables and figures.
const std::vector<ShippedFile>& shipped_papers();

}  // namespace interlace
