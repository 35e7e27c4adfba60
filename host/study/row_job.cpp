// Interlace: one row of a reproduction, still to be computed
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "row_job.h"

#include <fmt/format.h>

namespace interlace {

std::string like(const std::string& model, double value) {
    const std::size_t point = model.find('.');
    return fmt::format("{:.{}f}", value, point == std::string::npos ? 0 : model.size() - point - 1);
}

std::vector<std::string> texts_or(ConfigMap& config, const std::string& key, const std::string& otherwise) {
    std::vector<std::string> values = {otherwise};
    if (config.has(key)) return config.texts(key);
    config.text(key, otherwise);
    return values;
}

void judge(ReproducedRow& row) {
    if (row.verdict == "reproduced" && row.published != row.computed) row.verdict = "BROKEN";
    if (row.verdict == "differs" && row.published == row.computed) row.verdict = "reproduced";
}

std::vector<std::string> read_held(ConfigMap& config, const std::string& place, const ReproducedRow& row) {
    if (config.has("computed")) return config.texts("computed");
    if (row.verdict != "differs" && row.verdict != "unpublished" && row.verdict != "fit") return {};
    throw InputError("cannot use a row of verdict '" + row.verdict + "' without the value that it computes",
                     "the key computed")
        .at(place);
}

void hold(ReproducedRow& row, const std::string& held) {
    if (row.computed == held) return;
    row.verdict = "BROKEN";
    row.why = fmt::format("computed is {}, where the row holds {}", row.computed, held);
}

}  // namespace interlace
