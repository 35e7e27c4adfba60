// Interlace: the page that shows a report
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/report/page.h"

#include "bundle.h"
#include "interlace/core/error.h"

namespace interlace {

bool has_report_page() {
    return *page_head != '\0';
}

std::string report_page(const Json& document) {
    if (!has_report_page())
        throw InputError("cannot write a report", "a build with npm (Debian's npm), which makes its page");
    std::string page = page_head;
    // A "<" in a name could end the element that holds the document; JSON may write it as a code.
    for (const char c : document.dump(-1, ' ', false, Json::error_handler_t::replace))
        if (c == '<')
            page += "\\u003c";
        else
            page += c;
    return page + page_tail;
}

}  // namespace interlace
