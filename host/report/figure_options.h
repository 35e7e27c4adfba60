// Interlace: what a user asked of figures, held against what there is
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/report/figures.h"

namespace interlace {

/// `options` as page/src/figures.ts takes them. Throws InputError for what a sweep of `document` has not.
Json figure_options_json(const FigureOptions& options, const Json& document);

}  // namespace interlace
