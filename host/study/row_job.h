// Interlace: one row of a reproduction, still to be computed
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interlace/config/config_map.h"
#include "interlace/core/error.h"
#include "interlace/study/reproduce.h"

namespace interlace {

using RowJob = std::function<ReproducedRow()>;

/// The rows that one entry of a table of kind `cluster` stands for (the product of its lists); none of a
/// `large` one that is not asked for.
std::vector<RowJob> cluster_rows(ConfigMap config, const ReproduceOptions& options);

/// Steps of broadcasts on tori and iBTs, which several rows of a run show: each is computed once.
class TorusSteps;
std::shared_ptr<TorusSteps> make_torus_steps();

/// The same as cluster_rows(), of a table of kind `torus`.
std::vector<RowJob> torus_rows(ConfigMap config, const ReproduceOptions& options,
                               const std::shared_ptr<TorusSteps>& steps);

/// `value` with as many decimals as `model` has.
std::string like(const std::string& model, double value);

/// The values of a key that may be missing.
std::vector<std::string> texts_or(ConfigMap& config, const std::string& key, const std::string& otherwise);

/// A row marked as reproduced that is not is BROKEN; one marked as different that is not is reproduced.
void judge(ReproducedRow& row);

/// The values that the rows of one entry compute, in their order, from its key `computed`: asked for where no
/// published value has to be met.
std::vector<std::string> read_held(ConfigMap& config, const std::string& place, const ReproducedRow& row);

/// Gives each row of an entry the value that it holds, if there are any.
template <class Row>
void distribute(const std::vector<std::string>& held, std::vector<Row>& rows) {
    if (held.empty()) return;
    if (held.size() != rows.size())
        throw InputError(fmt::format("cannot use {} computed values for {} rows", held.size(), rows.size()),
                         "as many as rows")
            .at(rows.front().place);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].held = held[i];
}

/// A row whose computed value is not the one that it holds is BROKEN, so that a change of it is seen.
void hold(ReproducedRow& row, const std::string& held);

}  // namespace interlace
