// Interlace: a build without librsvg
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/error.h"
#include "interlace/report/figures.h"

namespace interlace {

std::string png_of(const std::string& /*svg*/, double /*scale*/) {
    throw InputError("cannot write PNG", "a build with librsvg (Debian's librsvg2-dev)");
}

std::string pdf_of(const std::string& /*svg*/) {
    throw InputError("cannot write PDF", "a build with librsvg (Debian's librsvg2-dev)");
}

}  // namespace interlace
