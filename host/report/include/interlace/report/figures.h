// Interlace: the charts of a report as files of their own
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

/// A chart: `name` is unique among those of a document and safe as a file's name, without an ending.
struct Figure {
    std::string name;
    std::string svg;
};

/// How figures differ from what the page shows first. Columns are of the charts of sweeps; every sweep of the
/// document has to have them.
struct FigureOptions {
    std::string x, y;                  ///< columns; empty: what the page shows first
    std::vector<std::string> filters;  ///< COLUMN=VALUE each; only points for which all hold are drawn
    std::string x_label, y_label;      ///< empty: the column and its unit
    std::uint32_t width = 760;         ///< of every figure, in pixels
    std::uint32_t height = 0;          ///< 0: each as high as it needs
};

/// Every chart of `document` as the page shows it first but for `options`, in light colours on white. Throws
/// InputError where the build lacks the page (report/page.h) or the engine that runs its script, and for a
/// column or a value that a sweep has not, naming those that it has.
std::vector<Figure> report_figures(const Json& document, const FigureOptions& options = {});

/// `svg` as a PNG, `scale` pixels to its unit. Throws InputError where librsvg is not installed, or `svg` is
/// none.
std::string png_of(const std::string& svg, double scale);

/// `svg` as a PDF of one page of its size (96 pixels an inch), lines and texts as such. Throws as png_of().
std::string pdf_of(const std::string& svg);

}  // namespace interlace
