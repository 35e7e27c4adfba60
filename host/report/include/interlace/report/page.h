// Interlace: the page that shows a report
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/measure/json_result.h"

namespace interlace {

/// Whether this build has the page and the figures: npm made them when it was built
/// (cmake/InterlacePage.cmake).
bool has_report_page();

/// One HTML file that shows `document` (page/src/document.ts says what it holds) and asks for nothing else,
/// on disk or in a network. Throws InputError where the build has no page.
std::string report_page(const Json& document);

}  // namespace interlace
