// Interlace: the page that shows a report
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/measure/json_result.h"

namespace interlace {

/// One HTML file that shows `document` (page/src/document.ts says what it holds) and asks for nothing else,
/// on disk or in a network.
std::string report_page(const Json& document);

}  // namespace interlace
