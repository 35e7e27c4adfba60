// Interlace: a region: some nodes of a network, simulated by one engine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interlace/core/bytes.h"
#include "interlace/core/ids.h"
#include "interlace/engine/link/link_ends.h"
#include "interlace/engine/region/credits.h"
#include "interlace/node/packet.h"
#include "interlace/node/parameters.h"

namespace interlace {

/// A flit on a link's pins in one cycle. As an input, `node` and `port` are the receiver's; as an output, the
/// sender's. On the host's side `port` is the injection queue.
struct LinkFlit {
    std::uint32_t node;
    std::uint8_t port, vc;
    Flit flit;
};

/// As LinkFlit, from a node whose pins have words.
struct RawLinkFlit {
    std::uint32_t node;
    std::uint8_t port, vc;
    RawFlit flit;
};

/// Freed flits on the credit pins in one cycle. As an output, `port` is the input port of `node` whose
/// channel has them free; as an input, the output port of `node` that may use them. On the host's side, the
/// injection queue.
struct Credit {
    std::uint32_t node;
    std::uint8_t port, vc, amount;
};

/// Room in an injection queue that the host may count on: what Credits would say of a packet that it handed
/// over, all at once.
struct HostReturn {
    std::uint32_t node;
    std::uint8_t queue;
    Return what;
};

/// A host takes, or no longer takes, what a reception queue has, from this cycle on. At first every host
/// does.
struct Ready {
    std::uint32_t node;
    std::uint8_t queue;
    bool ready;
};

/// The tail of a packet that a host took in this cycle.
struct Reception {
    std::uint32_t node;
    std::uint8_t queue;
    Packet packet;
};

/// A packet that a host writes into an injection queue, which has room for all of it: a flit a cycle from
/// this one on.
struct Writing {
    std::uint32_t node;
    std::uint8_t queue;
    Packet packet;
};

/// A packet that comes to a node of another region by a link, and the cycles in which its flits are on that
/// node's pins, from the `from`-th flit on (`more` is 0). What is known of it first begins with its head.
struct LinkPacket {
    std::uint32_t node;
    std::uint8_t port, vc, from;
    Packet packet;
    Return when;
};

/// Room behind an output port of a node of another region that it may count on.
struct LinkReturn {
    std::uint32_t node;
    std::uint8_t port, vc;
    Return what;
};

/// What a region knows of its neighbours' link pins in cycles to come, instead of their flits and credits
/// one by one. A packet's head is told of flit_delay() + 1 cycles before it is there, its other flits at
/// least one more, and room credit_delay() + 2 cycles before it counts (fabric.h).
struct LinkTokens {
    std::vector<LinkPacket> packets;
    std::vector<LinkReturn> returns;
    bool empty() const { return packets.empty() && returns.empty(); }
    void clear() {
        packets.clear();
        returns.clear();
    }
    void append(const LinkTokens& more) {
        packets.insert(packets.end(), more.packets.begin(), more.packets.end());
        returns.insert(returns.end(), more.returns.begin(), more.returns.end());
    }
};

/// What the input pins of a region show in a cycle; of links, those from nodes of other regions.
struct RegionInputs {
    std::vector<LinkFlit> flits, injections;
    std::vector<Writing> packets;        ///< instead of their injections, where the region takes packets
    std::vector<RawLinkFlit> raw_flits;  ///< from hardware in other regions
    std::vector<Credit> credits;
    std::vector<Ready> ready;
    bool writes() const { return !injections.empty() || !packets.empty(); }  ///< a host writes
    void clear() {
        flits.clear();
        injections.clear();
        packets.clear();
        raw_flits.clear();
        credits.clear();
        ready.clear();
    }
};

/// What came of a cycle: what the hosts took in it, and what the output pins show in the next.
struct RegionOutputs {
    std::vector<LinkFlit> flits;
    std::vector<RawLinkFlit> raw_flits;  ///< of hardware, word by word
    std::vector<LinkFlit> sent;  ///< every flit on a link's pins, inside the region too, where watched
    std::vector<Credit> credits, injection_credits;
    std::vector<HostReturn> returns;  ///< instead of injection_credits for RegionInputs::packets
    std::vector<Reception> receptions;
    LinkTokens ahead;  ///< instead of flits and credits, where regions exchange packets
    /// In the order of nodes and their queues.
    void sort_receptions() {
        std::sort(receptions.begin(), receptions.end(), [](const Reception& a, const Reception& b) {
            return std::pair(a.node, a.queue) < std::pair(b.node, b.queue);
        });
    }
    void clear() {
        ahead.clear();
        flits.clear();
        raw_flits.clear();
        sent.clear();
        credits.clear();
        injection_credits.clear();
        returns.clear();
        receptions.clear();
    }
};

/// Every output pin of a node, word by word, in the order of pin_names(): docs/node.md, section 3.
using Pins = std::vector<std::uint64_t>;

/// How the queues and links of some nodes were used since the first cycle.
struct Usage {
    /// [QueueClass]: most flits that a queue of the class held.
    std::array<std::uint32_t, queue_classes> high_water{};
    /// [QueueClass]: cycles in which something waited for room in a queue of the class and for nothing else,
    /// summed over the sinks that lead to one (docs/node.md, `stall_o`). Of injection queues the hosts know.
    std::array<std::uint64_t, queue_classes> stall_cycles{};

    std::uint64_t hops = 0;  ///< packets that left by a link

    /// Of hardware that is held to Supervision::service: most cycles for which a packet was passed over
    /// (Scoreboard::longest_wait). Not in checkpoints.
    std::uint64_t longest_wait = 0;

    LinkLayerUse link_layer = {};  ///< of a machine whose links have one

    /// [QueueClass][flits]: queues of the class with so many flits, summed over cycles; of channels, those
    /// into which a link leads. Empty where occupancy is not watched.
    std::array<std::vector<std::uint64_t>, queue_classes> occupancy{};

    bool operator==(const Usage&) const = default;
    /// Mean flits in a queue of the class, over queues and cycles; 0 where there is nothing to count.
    double mean_flits(QueueClass queue) const {
        double flits = 0;
        double cycles = 0;
        const auto& histogram = occupancy[static_cast<std::size_t>(queue)];
        for (std::size_t i = 0; i < histogram.size(); ++i) {
            flits += static_cast<double>(i) * static_cast<double>(histogram[i]);
            cycles += static_cast<double>(histogram[i]);
        }
        return cycles > 0 ? flits / cycles : 0;
    }
    void write(ByteWriter& bytes) const {
        bytes.put(high_water);
        bytes.put(stall_cycles);
        bytes.put(hops);
        bytes.put(link_layer);
        for (const auto& histogram : occupancy) bytes.put(histogram);
    }
    static Usage read(ByteReader& bytes) {
        Usage use;
        bytes.get(use.high_water);
        bytes.get(use.stall_cycles);
        bytes.get(use.hops);
        bytes.get(use.link_layer);
        for (auto& histogram : use.occupancy) bytes.append_to(histogram);
        return use;
    }
    void add(const Usage& other) {
        hops += other.hops;
        longest_wait = std::max(longest_wait, other.longest_wait);
        link_layer.add(other.link_layer);
        for (std::size_t c = 0; c < queue_classes; ++c) {
            high_water[c] = std::max(high_water[c], other.high_water[c]);
            stall_cycles[c] += other.stall_cycles[c];
            occupancy[c].resize(std::max(occupancy[c].size(), other.occupancy[c].size()));
            for (std::size_t i = 0; i < other.occupancy[c].size(); ++i)
                occupancy[c][i] += other.occupancy[c][i];
        }
    }
};

/// How one queue was used since the first cycle.
struct QueueUse {
    std::uint64_t flit_cycles = 0;         ///< flits in it, summed over cycles
    std::uint32_t high_water = 0;          ///< most flits in it
    std::vector<std::uint64_t> histogram;  ///< [flits]: cycles that ended with so many
    bool operator==(const QueueUse&) const = default;
};

/// What else a region shall keep account of; each costs time.
struct Watch {
    bool occupancy = false;   ///< Usage::occupancy
    bool each_queue = false;  ///< with occupancy: QueueWatch::queues and stall_cycles, for which caches
                              ///< may be too small
    bool links = false;       ///< RegionOutputs::sent
};

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
