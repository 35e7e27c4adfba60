// Interlace: the link layer of a fabric: ends, wires and what damages them (docs/links.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/link/bit_errors.h"
#include "interlace/engine/link/link_ends.h"
#include "interlace/engine/region/delay_line.h"
#include "interlace/engine/region/tokens.h"
#include "interlace/engine/region/usage.h"

namespace interlace {

/// A link has been given up: what() names its nodes, its port and the cycle.
class DeadLink : public FellShort {
  public:
    using FellShort::FellShort;
};

/// Makes the ends of so many links.
using MakeLinkEnds = std::function<std::unique_ptr<LinkEnds>(std::size_t links)>;
struct NamedLinkEnds {
    std::string name;
    MakeLinkEnds make;
};

/// Joins nodes whose links fail. Made of one kind of ends, or of several in lockstep, every pin of which is
/// compared in every cycle.
class LinkLayer {
  public:
    /// `kinds`: of the ends, one at least.
    LinkLayer(const Fabric& fabric, const std::vector<NamedLinkEnds>& kinds);

    /// Called before the first tick, if at all.
    void seed_errors(std::uint64_t seed) { seed_ = seed; }

    /// What the nodes' link pins show in this cycle: flits and credits that leave them.
    void show(const LinkFlit& flit) { show(flit.node, flit.port, flit.vc, raw(flit.flit)); }
    void show(const RawLinkFlit& flit) { show(flit.node, flit.port, flit.vc, flit.flit); }
    void show(const Credit& credit);
    /// A rising edge. Throws DeadLink; LockstepError where ends of two kinds differ; FellShort where a node
    /// does not keep to its credits.
    void tick();
    /// What the pins of the layer show the nodes after it: as inputs of regions.
    const std::vector<RawLinkFlit>& flits() const { return flits_; }
    const std::vector<Credit>& credits() const { return credits_; }
    const LinkLayerUse& use() const { return use_; }
    /// Whether there is a state(): ends of each kind have one.
    bool has_state() const;
    /// Saves the state after the last tick, and what nodes have shown since; or, before the first one, loads
    /// that of the same fabric and kinds of ends.
    void state(Archive& archive);

  private:
    struct Link {
        FarPort from, to;  ///< output and input port
        std::uint32_t flit_delay, credit_delay;
        std::uint16_t fresh = 0;  ///< sequence of the first frame that was never sent
    };
    struct Forward {
        std::uint32_t link;
        ForwardBits bits;
    };
    struct Back {
        std::uint32_t link;
        BackBits bits;
    };
    void show(std::uint32_t node, std::uint8_t port, std::uint8_t vc, const RawFlit& flit);
    void clock_ends();
    void take_outputs(std::uint32_t link);
    [[noreturn]] void dead(std::uint32_t link) const;

    const Fabric& f_;
    LinkSettings settings_;
    std::vector<Link> links_;
    std::vector<std::uint32_t> by_output_, by_input_;  // [node * ports + port]: its link
    std::vector<std::string> names_;
    std::vector<std::unique_ptr<LinkEnds>> ends_;
    std::vector<LinkInputs> inputs_;                 // [link], of this cycle
    std::vector<std::vector<LinkOutputs>> outputs_;  // [kind][link]
    DelayLine<Forward> forward_;
    DelayLine<Back> back_;
    BitErrors errors_;
    std::uint64_t seed_ = 1, cycle_ = 0;
    std::vector<RawLinkFlit> flits_;
    std::vector<Credit> credits_;
    LinkLayerUse use_;
};

}  // namespace interlace
