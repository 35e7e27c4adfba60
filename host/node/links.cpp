// Interlace: how fast links are and how long they take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/node/links.h"

#include <fmt/format.h>

#include "interlace/config/shipped.h"

namespace interlace {

const std::vector<ShippedFile>& shipped_links();  // configs/links

LinkParameters read_links(ConfigMap config) {
    auto links = base_of<LinkParameters>(config, link_parameters);
    config.update("cycles_per_flit", links.cycles_per_flit, 1, 255);
    config.update("latency", links.latency, 1, 10'000);
    config.update("latency_per_hop", links.latency_per_hop, 0, 1'000);
    if (config.has("bit_error_rate")) links.bit_error_rate = config.number("bit_error_rate");
    if (!(links.bit_error_rate >= 0 && links.bit_error_rate < 0.5))
        throw InputError(fmt::format("cannot use bit_error_rate {}", links.bit_error_rate),
                         "0 or more, below 0.5")
            .at(config.place());
    config.update("error_burst", links.error_burst, 1, 1'000);
    config.update("replay_flits", links.replay_flits, 0, 32'767);
    config.finish();
    return links;
}

LinkParameters link_parameters(const std::string& name_or_file) {
    return read_links(shipped_or_file(shipped_links(), name_or_file, "links"));
}

Choices link_choices() {
    return shipped_choices(shipped_links());
}

}  // namespace interlace
