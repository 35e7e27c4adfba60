// Interlace: networks as configuration files name them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/specification.h"

#include <fmt/format.h>

namespace interlace {

std::string network_specification(ConfigMap& config, std::vector<std::string>& overrides) {
    if (!config.is_map("network")) return config.text("network");
    ConfigMap map = config.map("network");
    const std::string kind = map.text("kind");
    std::string specification;
    if (kind == "cluster") {
        specification = "cluster:" + map.text("file");
        for (const auto& [path, value] : map.rest())
            overrides.push_back(fmt::format("network.{}={}", path, value));
    } else {
        specification = kind + ":" + map.text("size");
        if (map.has("bypass")) specification += ":b=" + map.text("bypass");
        if (map.has("twist")) specification += ":twist=" + map.text("twist");
    }
    map.finish();
    return specification;
}

}  // namespace interlace
