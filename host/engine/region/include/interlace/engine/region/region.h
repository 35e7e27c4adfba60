// Interlace: a region: some nodes of a network, simulated by one engine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/ids.h"
#include "interlace/engine/region/tokens.h"
#include "interlace/engine/region/usage.h"

namespace interlace {

/// What a region's hardware is held to.
enum class Supervision : std::uint8_t {
    links,    ///< docs/node.md, section 13: contents, order, credits and progress on every pin (Scoreboard)
    service,  ///< the same, and no packet is starved (Usage::longest_wait)
    packets   ///< what hosts take is whole, and came (PacketCheck)
};

struct PinImage;   // pin_image.h
class Lookahead;   // lookahead.h
class NodeStates;  // node_states.h
struct LinkLines;  // link_lines.h

/// The state of a region after `cycle` ticks: its nodes', and what it has counted (a Usage whose histograms
/// are Occupancy::sums()).
struct RegionState {
    std::uint64_t cycle;
    Usage& counted;
    NodeStates& nodes;
};

/// Regions that tell one another of LinkTokens instead of flits and credits one by one.
class PacketExchange {
  public:
    /// Called before the first tick if all regions of a machine exchange packets.
    virtual void exchange_packets() = 0;
    /// Called between two ticks, with what others' ticks told up to the last one: in each before the cycle
    /// that it is about, or in that very one.
    virtual void take(const LinkTokens& tokens) = 0;

  protected:
    ~PacketExchange() = default;
};

/// A region's state in checkpoints.
class RegionCheckpoint {
  public:
    /// Saves the state after the last tick, to which others add; or, before the first tick and after all
    /// calls that precede it, loads one of the same nodes, which may have been of other regions of this kind.
    /// Then pins() have no meaning before the next tick. At least one tick has been.
    virtual void state(RegionState& state) = 0;
    /// Whether a state is loaded only by a region of the very same nodes.
    virtual bool keeps_nodes() const { return false; }
    /// Part of the state, on links between the region's own nodes: added to `links`, or taken from there.
    virtual void give_links(LinkLines& /*links*/) const {}
    virtual void take_links(const LinkLines& /*links*/) {}

  protected:
    ~RegionCheckpoint() = default;
};

/// A region's account of its queues and links.
class QueueWatch {
  public:
    /// Called before the first tick, if at all.
    virtual void watch(Watch watch) = 0;
    /// With Watch::each_queue: the queues of `node`, its sources (docs/node.md, section 5: channel by channel
    /// of each input port, then injection queues) before its reception queues.
    virtual std::vector<QueueUse> queues(NodeId node) const = 0;
    /// With Watch::each_queue: the cycles in which something waited at each of its sinks (link ports, then
    /// reception queues).
    virtual std::vector<std::uint64_t> stall_cycles(NodeId node) const = 0;

  protected:
    ~QueueWatch() = default;
};

/// Nodes with registers and pins, one at a time and outside of a run.
class RegisterAccess {
  public:
    /// The register at `address` of `node`, which needs a cycle of the node: after a run, when all is at
    /// rest.
    virtual std::uint32_t read_register(NodeId node, std::uint32_t address) = 0;
    /// A rising edge for `node` alone, whose input pins are those of `pins`; its output pins are written
    /// there. Before the first tick or after the last, and nothing else is used from then on.
    virtual void clock_alone(NodeId node, PinImage& pins) = 0;

  protected:
    ~RegisterAccess() = default;
};

/// A region advances one cycle at a time. Links between its own nodes are its own business; all others, and
/// the hosts, are reached by tokens: the values of pins in a cycle, and nothing else. So what a region is
/// made of never matters to its neighbours. Nodes have their numbers in the whole network.
///
/// The order of calls: supervise(), look_ahead() and the calls of optional interfaces that precede the first
/// tick; then for each cycle begin() and tick(), or skip() for several at once.
class Region {
  public:
    virtual ~Region() = default;
    Region() = default;
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

    /// Called before the first tick, if at all: tick() throws NodeFault (node_fault.h) when status_o of a
    /// node is not 0 (at the level `links`), and for hardware also when it is not up to `level`.
    virtual void supervise(Supervision level) = 0;
    /// One cycle. `outputs` is added to, not cleared.
    virtual void tick(const RegionInputs& inputs, RegionOutputs& outputs) = 0;
    /// The output pins of `node` after the last tick: those of the coming cycle. Costs nothing unless used.
    virtual Pins pins(NodeId node) const = 0;
    /// Flits in a reception queue, as the pins of the coming cycle show.
    virtual std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const = 0;
    /// The sinks of `node` that something waits at, as stall_o of the coming cycle.
    virtual std::uint64_t stalled(NodeId node) const = 0;
    virtual Usage usage() const = 0;

    /// Called before the first tick, if at all: what is known ahead, as long as the region lives.
    virtual void look_ahead(const Lookahead& /*known*/) {}
    /// Begins the cycle of the tick(inputs) that follows, where somebody else does the work meanwhile.
    virtual void begin(const RegionInputs& /*inputs*/) {}
    /// Cycles to come in which nothing happens here unless something comes in; UINT64_MAX: ever.
    virtual std::uint64_t idle() const { return 0; }
    /// As `cycles` <= idle() ticks without inputs.
    virtual void skip(std::uint64_t /*cycles*/) {}
    /// Whether hosts may hand over whole packets (RegionInputs::packets).
    virtual bool takes_packets() const { return false; }
    /// Whether it needs nothing but tick(), so that it can continue for as long as nothing from others can
    /// reach it.
    virtual bool runs_alone() const { return false; }

    // What else it can do; null: it cannot.
    virtual PacketExchange* packet_exchange() { return nullptr; }
    virtual RegionCheckpoint* checkpoint() { return nullptr; }
    virtual QueueWatch* queue_watch() { return nullptr; }
    virtual RegisterAccess* register_access() { return nullptr; }
};

}  // namespace interlace
