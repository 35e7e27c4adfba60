// Interlace: nodes without registers, which are built for one configuration
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/device/bare_nodes.h"

#include <fmt/format.h>

#include "interlace/core/error.h"
#include "interlace/engine/fabric/registers.h"

namespace interlace {
namespace {

constexpr const char* kind_names[] = {"explicit", "table", "deposit", "unicast"};

std::string names(std::uint8_t kinds) {
    std::string text;
    for (std::uint32_t kind = 0; kind < std::size(kind_names); ++kind)
        if ((kinds >> kind & 1U) != 0) text += (text.empty() ? "" : ", ") + std::string(kind_names[kind]);
    return text.empty() ? "none" : text;
}

}  // namespace

void check_bare(const BareNodes& nodes, const DeviceRequest& request) {
    const auto check = [](const char* what, std::uint32_t wanted, std::uint32_t built) {
        if (wanted != built)
            throw InputError(fmt::format("cannot use {} {} of nodes without registers", what, wanted),
                             fmt::format("{}, which they are built for", built));
    };
    const NodeSizes& needed = request.needed;
    check("ports:", needed.ports, nodes.sizes.ports);
    check("channels:", needed.vcs, nodes.sizes.vcs);
    check("reception queues:", needed.receptions, nodes.sizes.receptions);
    check("flits in a channel:", needed.vc_depth, nodes.sizes.vc_depth);
    check("flits in an injection queue:", needed.injection_depth, nodes.sizes.injection_depth);
    check("flits in a reception queue:", needed.reception_depth, nodes.sizes.reception_depth);
    check("cycles a flit:", request.setting(Register::cycles_per_flit, nodes.cycles_per_flit),
          nodes.cycles_per_flit);
    if ((request.kinds & ~nodes.kinds) != 0)
        throw InputError(
            "cannot use packets of kind " + names(request.kinds) + " for nodes without registers",
            names(nodes.kinds) + ", which they are built for");
}

}  // namespace interlace
