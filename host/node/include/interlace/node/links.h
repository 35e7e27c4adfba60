// Interlace: how fast links are and how long they take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interlace/config/config_map.h"

namespace interlace {

/// The timing of a network's links in cycles, docs/node.md section 10.
struct LinkParameters {
    std::uint32_t cycles_per_flit = 1;  ///< that a flit keeps a link busy
    std::uint32_t latency = 1;          ///< of a link between neighbours in a dimension
    std::uint32_t latency_per_hop = 0;  ///< that a bypass link of length b takes on top, b - 1 times
    std::vector<std::uint32_t> latencies =
        {};  ///< of each link of a cluster, by its number, instead of these

    std::uint32_t latency_of(std::uint32_t length) const { return latency + latency_per_hop * (length - 1); }
    bool operator==(const LinkParameters&) const = default;
};

/// A shipped set (configs/links: unit, bgl) or a YAML file. Throws InputError.
LinkParameters link_parameters(const std::string& name_or_file);

/// The keys of a link file over those of its `base`. Throws InputError with file, line and key.
LinkParameters read_links(ConfigMap config);

}  // namespace interlace
