// Interlace: what results look like, as far as a report reads them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/measure/json_result.h"

namespace interlace {

/// Each throws InputError, at `place`, for a result that interlace did not write in this way: a member that
/// is missing or of another type (check_shape()), lists of other lengths than those that they belong to.
void check_size(const Json& result, const std::string& place);        ///< interlace.size
void check_reproduced(const Json& result, const std::string& place);  ///< interlace.reproduce
void check_conform(const Json& result, const std::string& place);     ///< interlace.conform
void check_run(const Json& result, const std::string& place);         ///< any other: what is drawn of it
void check_queues(const Json& queues, const std::string& place);      ///< of a result, or null

/// `queues` of a result that has counted how full they were, else null.
Json counted_queues(const Json& result);

}  // namespace interlace
