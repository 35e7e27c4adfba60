// Interlace: what npm made of page/: empty texts where it could not
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace interlace {

extern const char* const page_head;  ///< of the HTML, up to where the document goes
extern const char* const page_tail;
extern const char* const figures_script;  ///< defines interlace.figures(json)

}  // namespace interlace
