// Interlace: what a checker of schedules found, as JSON
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/measure/json_result.h"
#include "interlace/program/check.h"

namespace interlace {

/// The keys of docs/metrics.md, "Schedule checks", but for links and wavefront.
inline void add_report(Json& json, const CheckReport& report, std::uint32_t lower_bound) {
    json["valid"] = report.valid();
    json["problem"] = report.valid() ? Json(nullptr) : Json(report.problem());
    json["problems"] = report.problems.count();
    json["first_problems"] = report.problems.first();
    json["steps"] = report.steps;
    json["lower_bound"] = lower_bound;
    json["gap"] = report.valid() ? Json(report.steps - lower_bound) : Json(nullptr);
    json["sends"] = report.sends;
    json["redundant_sends"] = report.redundant_sends;
}

}  // namespace interlace
