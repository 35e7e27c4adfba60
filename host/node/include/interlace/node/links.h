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

    // Links that fail, and the link layer that makes it good: docs/links.md.
    double bit_error_rate = 0;      ///< chance that an error begins at a bit of a frame
    std::uint32_t error_burst = 1;  ///< bits that an error inverts
    std::uint32_t replay_flits =
        0;  ///< that may be in flight unacknowledged; 0: as many as the longest link takes
    bool has_layer() const { return replay_flits > 0 || bit_error_rate > 0; }

    std::uint32_t latency_of(std::uint32_t length) const { return latency + latency_per_hop * (length - 1); }
    bool operator==(const LinkParameters&) const = default;
};

/// A shipped set (configs/links: unit, bgl) or a YAML file. Throws InputError.
LinkParameters link_parameters(const std::string& name_or_file);
/// The shipped sets, and FILE.
Choices link_choices();

/// The keys of a link file over those of its `base`. Throws InputError with file, line and key.
LinkParameters read_links(ConfigMap config);

}  // namespace interlace
