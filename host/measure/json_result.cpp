// Interlace: what every result says of itself
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/measure/json_result.h"

namespace interlace {

std::string version() {
    return INTERLACE_VERSION;
}

Json json_result(const std::string& kind, std::uint64_t seed) {
    Json json;
    json["schema"] = "interlace." + kind + "/1";
    json["version"] = version();
    json["seed"] = seed;
    return json;
}

}  // namespace interlace
