// Interlace: networks as configuration files name them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/specification.h"

#include <fmt/format.h>

#include "interlace/core/error.h"

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

std::string network_specification(ConfigMap& config) {
    const Place place = config.place("network");
    std::vector<std::string> overrides;
    std::string specification = network_specification(config, overrides);
    if (!overrides.empty())
        throw InputError(fmt::format("cannot replace values of a cluster's file here: {}", overrides.front()),
                         "a file of its own")
            .at(place);
    return specification;
}

}  // namespace interlace
