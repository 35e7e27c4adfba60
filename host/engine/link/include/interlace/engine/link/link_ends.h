// Interlace: both ends of directed links, whatever they are made of (docs/links.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/link/frames.h"

namespace interlace {

/// What all senders and receivers are told, docs/links.md, section 1.
struct LinkSettings {
    std::uint32_t window = 1;           ///< frames, 1 to 32767
    std::uint32_t cycles_per_flit = 1;  ///< 1 to 255
    std::uint32_t timeout = 1;          ///< cycles, 2 to 65535
    std::uint32_t attempts = 64;        ///< 2 to 255
    std::uint32_t refresh = 1;          ///< cycles, 1 to 65535
    bool operator==(const LinkSettings&) const = default;
};

/// What the input pins of a link's two ends show in a cycle.
struct LinkInputs {
    bool link_valid = false, frame_valid = false, back_valid = false;
    std::uint8_t vc = 0;
    RawFlit flit{};                         ///< of the sender's node
    std::array<std::uint8_t, 4> credits{};  ///< of the receiver's node
    ForwardBits frame{};                    ///< off the forward wire
    BackBits back{};                        ///< off the backward wire
    bool quiet() const {
        return !link_valid && !frame_valid && !back_valid && credits == decltype(credits){};
    }
};

/// What their output pins show; data are 0 where `valid` is false.
struct LinkOutputs {
    bool link_valid = false, frame_valid = false, back_valid = false, dead = false;
    std::uint8_t vc = 0;
    RawFlit flit{};                         ///< for the receiver's node
    std::array<std::uint8_t, 4> credits{};  ///< for the sender's node
    ForwardBits frame{};                    ///< onto the forward wire
    BackBits back{};                        ///< onto the backward wire
    bool operator==(const LinkOutputs&) const = default;
};

/// What has crossed the wires of links since the first cycle.
struct LinkLayerUse {
    std::uint64_t flits = 0;          ///< that nodes gave to senders
    std::uint64_t frames = 0;         ///< forward
    std::uint64_t retransmitted = 0;  ///< of these: of a flit that was sent before
    std::uint64_t damaged = 0;        ///< of these
    std::uint64_t back_frames = 0;
    std::uint64_t damaged_back = 0;  ///< of these
    bool operator==(const LinkLayerUse&) const = default;
    void add(const LinkLayerUse& other) {
        flits += other.flits;
        frames += other.frames;
        retransmitted += other.retransmitted;
        damaged += other.damaged;
        back_frames += other.back_frames;
        damaged_back += other.damaged_back;
    }
};

class LinkEnds {
  public:
    LinkEnds() = default;
    LinkEnds(const LinkEnds&) = delete;
    LinkEnds& operator=(const LinkEnds&) = delete;
    virtual ~LinkEnds() = default;
    /// A rising edge for every link; both are [link]. `outputs`: what shows after it.
    virtual void clock(const std::vector<LinkInputs>& inputs, std::vector<LinkOutputs>& outputs) = 0;
    /// Whether it has a state().
    virtual bool has_state() const { return false; }
    /// Saves the state after the last edge; or, before the first one, loads that of as many links.
    virtual void state(Archive& /*archive*/) {}
};

/// A sender was given more flits than its buffer holds.
struct LinkOverflow {
    std::size_t link;
};

/// In C++. `depth`: frames that a sender's buffer holds, a power of two; clock() throws LinkOverflow.
std::unique_ptr<LinkEnds> native_links(std::size_t count, const LinkSettings& settings, std::uint32_t depth);

}  // namespace interlace
