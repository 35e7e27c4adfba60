// Interlace: what scripts/page makes of page/
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace interlace {

/// "page", the HTML in which @document@ stands for a document; or "figures", a script that defines
/// interlace.figures(document, options), both in JSON.
const std::string& made_page(std::string_view name);

}  // namespace interlace
