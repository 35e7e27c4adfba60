// Interlace: the charts of a report as files of their own
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

/// A chart: `name` is unique among those of a document and safe as a file's name, without an ending.
struct Figure {
    std::string name;
    std::string svg;
};

/// Every chart of `document` as the page shows it first, in light colours on white. Throws InputError where
/// the build lacks the page (report/page.h) or the engine that runs its script.
std::vector<Figure> report_figures(const Json& document);

/// `svg` as a PNG, `scale` pixels to its unit. Throws InputError where the build lacks librsvg, or `svg` is
/// none.
std::string png_of(const std::string& svg, double scale);

}  // namespace interlace
