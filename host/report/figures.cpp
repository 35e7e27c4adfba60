// Interlace: charts drawn by the page's own script, in an engine of JavaScript without a browser
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <duktape.h>

#include <memory>

#include "figure_options.h"
#include "interlace/core/error.h"
#include "interlace/report/figures.h"
#include "interlace/report/page.h"
#include "made_page.h"

namespace interlace {
namespace {

using Engine = std::unique_ptr<duk_context, decltype(&duk_destroy_heap)>;

/// Both calls leave a value or an error on the engine's stack. An error is a bug of ours: the document is
/// given.
void succeed(duk_context* engine, duk_int_t outcome) {
    if (outcome == DUK_EXEC_SUCCESS) return;
    duk_get_prop_string(engine, -1, "stack");
    throw std::logic_error(std::string("figures: ") + duk_safe_to_string(engine, -1));
}

}  // namespace

std::vector<Figure> report_figures(const Json& document, const FigureOptions& options) {
    const std::string chosen = figure_options_json(options, document).dump();
    const Engine heap(duk_create_heap_default(), &duk_destroy_heap);
    duk_context* const engine = heap.get();
    succeed(engine, duk_peval_string(engine, made_page("figures").c_str()));
    duk_get_global_string(engine, "interlace");
    duk_get_prop_string(engine, -1, "figures");
    const std::string json = document.dump(-1, ' ', true, Json::error_handler_t::replace);
    duk_push_lstring(engine, json.data(), json.size());
    duk_push_lstring(engine, chosen.data(), chosen.size());
    succeed(engine, duk_pcall(engine, 2));
    std::vector<Figure> figures;
    for (const Json& figure : Json::parse(duk_safe_to_string(engine, -1)))
        figures.push_back({figure.at("name"), figure.at("svg")});
    return figures;
}

}  // namespace interlace
