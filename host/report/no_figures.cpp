// Interlace: a build without an engine of JavaScript
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/error.h"
#include "interlace/report/figures.h"

namespace interlace {

std::vector<Figure> report_figures(const Json& /*document*/, const FigureOptions& /*options*/) {
    throw InputError("cannot draw figures", "a build with Duktape (Debian's duktape-dev)");
}

}  // namespace interlace
