// Interlace: networks as configuration files name them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interlace/config/config_map.h"

namespace interlace {

/// What make_network() takes, from the key network: a specification as on the command line, or a mapping:
/// {kind: torus|mesh|ibt, size: 8x8, bypass: "4,16"}, {kind: cluster, file: NAME, ...}, whose other keys
/// replace values of the file's network and are added to `overrides`.
std::string network_specification(ConfigMap& config, std::vector<std::string>& overrides);
/// The same where values of a cluster's file cannot be replaced. Throws InputError for such keys.
std::string network_specification(ConfigMap& config);

}  // namespace interlace
