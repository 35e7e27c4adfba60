// Interlace: nodes with pins, whoever clocks them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interlace/engine/pin_image.h"

namespace interlace {

/// What nodes are built with (docs/node.md, section 1), or have to be at least.
struct NodeSizes {
    std::uint32_t ports = 0, vcs = 0, injections = 0, receptions = 0;
    std::uint32_t flit_bits = 0;
    std::uint32_t vc_depth = 0, injection_depth = 0, reception_depth = 0;  ///< flits
    std::uint32_t slots = 0;
    std::uint32_t pipeline = 0;
    bool operator==(const NodeSizes&) const = default;
};

/// What the nodes of this project's hardware are built with, of a port count, pipeline and queues of `depth`.
NodeSizes built_sizes(std::uint32_t ports, std::uint32_t pipeline, std::uint32_t depth);

/// What a node says that it is built with, in the registers identification, sizes and depths. `clock`: a
/// rising edge at which its input pins show what the image says, and then cfg_data_o. Throws FellShort where
/// they are not those of docs/node.md, or it is larger than a PinImage or has flits of other than 128 bits.
NodeSizes read_sizes(const std::function<std::uint32_t(const PinImage&)>& clock);

/// How a device's nodes differ from those of docs/node.md.
struct DeviceTraits {
    /// Cycles for which a node may show nothing, with nothing on its input pins, and still be about to show
    /// something of its own accord, beyond those of docs/node.md. For so much longer it is clocked.
    std::uint32_t silent_cycles = 0;
    /// False: the nodes have links, credits and the host's side, and no cfg_*, status_o, stall_o and
    /// rx_count_o: they are built for one configuration (docs/hil-protocol.md, section 3).
    bool registers = true;
};

/// Nodes of one kind that have the pins of docs/node.md and nothing else in common: what a host has in its
/// loop, in this process or in another.
class PinDevice {
  public:
    PinDevice() = default;
    PinDevice(const PinDevice&) = delete;
    PinDevice& operator=(const PinDevice&) = delete;
    virtual ~PinDevice() = default;

    virtual NodeSizes sizes() const = 0;
    virtual DeviceTraits traits() const { return {}; }
    /// A rising edge for the nodes of `awake`: their input pins show what `pins`, [node], says; after it
    /// `pins` says what their output pins show.
    virtual void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) = 0;
};

}  // namespace interlace
