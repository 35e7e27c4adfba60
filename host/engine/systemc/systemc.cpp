// Interlace: nodes of SystemC: made once, clocked by sc_start
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/systemc/systemc.h"

#include "systemc_region.h"

/// libsystemc asks for it; the kernel here is driven by sc_start alone. A platform that is linked with this
/// has its own, which is then the one.
[[gnu::weak]] int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

namespace interlace {

using systemc::Node;

namespace {

/// Calls make() with the node of a port count.
template <class Make>
auto with_node(std::uint32_t ports, const Make& make) {
    switch (ports) {
        case 2:
            return make.template operator()<Node<2>>();
        case 4:
            return make.template operator()<Node<4>>();
        case 6:
            return make.template operator()<Node<6>>();
        case 8:
            return make.template operator()<Node<8>>();
        default:
            return make.template operator()<Node<10>>();
    }
}

}  // namespace

void systemc_reserve(std::uint32_t ports, std::size_t nodes, std::uint32_t pipeline) {
    with_node(ports, [&]<class AnyNode>() { detail::reserve<AnyNode>(nodes, {.pipeline = pipeline}); });
}

std::unique_ptr<Region> systemc_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                       const PortTables* tables) {
    return with_node(fabric.ports, [&]<class AnyNode>() -> std::unique_ptr<Region> {
        return std::make_unique<detail::SystemCRegion<AnyNode>>(fabric, nodes, tables);
    });
}

std::unique_ptr<PinDevice> systemc_device(std::uint32_t ports, std::uint32_t pipeline, std::size_t count) {
    return with_node(ports, [&]<class AnyNode>() -> std::unique_ptr<PinDevice> {
        return std::make_unique<detail::SystemCDevice<AnyNode>>(count, systemc::Built{.pipeline = pipeline});
    });
}

}  // namespace interlace
