// Interlace: how fast links are and how long they take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/node/links.h"

#include "interlace/config/shipped.h"

namespace interlace {

const std::vector<ShippedFile>& shipped_links();  // configs/links

LinkParameters read_links(ConfigMap config) {
    auto links = base_of<LinkParameters>(config, link_parameters);
    config.update("cycles_per_flit", links.cycles_per_flit, 1, 255);
    config.update("latency", links.latency, 1, 10'000);
    config.update("latency_per_hop", links.latency_per_hop, 0, 1'000);
    config.finish();
    return links;
}

LinkParameters link_parameters(const std::string& name_or_file) {
    return read_links(shipped_or_file(shipped_links(), name_or_file, "links"));
}

}  // namespace interlace
