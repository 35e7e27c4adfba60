// Interlace: the page that shows a report
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/report/page.h"

#include <algorithm>
#include <vector>

#include "interlace/core/shipped_file.h"
#include "made_page.h"

namespace interlace {

const std::vector<ShippedFile>& files_of_page();

const std::string& made_page(std::string_view name) {
    const auto& files = files_of_page();
    return std::find_if(files.begin(), files.end(),
                        [&](const ShippedFile& file) { return file.name == name; })
        ->text;
}

std::string report_page(const Json& document) {
    const std::string mark = "@document@";
    const std::string& html = made_page("page");
    const std::size_t place = html.find(mark);
    std::string page = html.substr(0, place);
    // A "<" in a name could end the element that holds the document; JSON may write it as a code.
    for (const char c : document.dump(-1, ' ', false, Json::error_handler_t::replace))
        if (c == '<')
            page += "\\u003c";
        else
            page += c;
    return page + html.substr(place + mark.size());
}

}  // namespace interlace
