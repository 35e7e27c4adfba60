// Interlace: nodes with pins, whoever clocks them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "interlace/engine/pins/pin_image.h"
#include "interlace/engine/region/tokens.h"

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

/// What of `built` is outside the limits of docs/node.md, section 1, as in "19 reception queues, expected 1,
/// 4, 5, 8, 10"; empty: nothing. Without `registers`, any depth will do, and slots do not count.
std::string wrong_size(const NodeSizes& built, bool registers = true);

/// What the registers `sizes` and `depths` say.
NodeSizes decode_sizes(std::uint32_t sizes, std::uint32_t depths);
/// What the register `identification` says.
inline constexpr std::uint32_t node_contract = 0x6c690001;

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
    /// Most cycles of begin_cycles(); 0: there is none.
    std::uint32_t cycles_at_once = 0;
    /// It can say, and be told, the state that it is in.
    bool snapshots = false;
};

/// Flits that the host of `node` is going to write into an injection queue, behind those before: one a cycle,
/// as soon as there is a credit for it.
struct Offer {
    std::uint32_t node;
    std::uint8_t queue;
    std::vector<RawFlit> flits;
};

/// What comes to the input pins of a device's nodes in a cycle (`node`: of the device); offers, from that
/// cycle on.
struct Arrivals {
    std::vector<RawLinkFlit> flits;
    std::vector<Credit> credits;
    std::vector<Offer> offers;
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
    /// Begins the clock() that follows, of the same nodes and input pins, where the device is elsewhere and
    /// works while its host does something else.
    virtual void begin(const std::vector<std::uint32_t>& /*awake*/, const std::vector<PinImage>& /*pins*/) {}

    /// Of a device with snapshots (traits()): the nodes' whole state; empty where that is too much to say.
    virtual std::vector<std::uint8_t> snapshot() { return {}; }
    /// As many nodes of the same kind are as they were when it was made. Throws FellShort for another's.
    virtual void restore(std::span<const std::uint8_t> /*snapshot*/) {}

    // A device of many cycles (traits()) that works ahead of its host: begin_cycles(), await() and as many
    // next(), again and again, a begin_cycles() being allowed before the next() of the cycles before. Who has
    // begun so does not go back to clock().

    /// Begins cycles in which all nodes have a rising edge, and nothing but `cycles` comes to their input
    /// pins; rst_ni, clk_en_i and rx_ready_i stay as they are.
    virtual void begin_cycles(const std::vector<Arrivals>& /*cycles*/) {}
    /// Until the device is through with them.
    virtual void await() {}
    /// The next of these cycles: output pins after it in `pins`, [node]; in `taken`, [node], the injection
    /// queues (bits) that an offered flit was written into in it.
    virtual void next(std::vector<PinImage>& /*pins*/, std::vector<std::uint32_t>& /*taken*/) {}
};

}  // namespace interlace
