// Interlace: which checker proves a collective
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/experiment/kinds/collective.h"
#include "interlace/program/check_collective.h"

namespace interlace {

/// Of a collective without sums. `lines`: of each send in its file.
CheckReport check_copies(const CollectiveExperiment& e, const Network& network,
                         const std::vector<TimedSend>& sends, const std::vector<std::uint32_t>& lines = {});

/// Of one with sums: ReducingSend or MessageSend.
template <class Row>
CheckReport check_sums(const CollectiveExperiment& e, const Network& network, const std::vector<Row>& rows,
                       const std::vector<std::uint32_t>& lines = {}) {
    if (e.collective == DirectCollective::reduce)
        return check_reduce(network, NodeId{e.root}, e.chunks, rows, lines);
    return check_reduction(network, e.chunks, e.collective == DirectCollective::allreduce, rows, lines);
}

}  // namespace interlace
