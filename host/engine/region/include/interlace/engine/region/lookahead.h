// Interlace: what is known of cycles to come, for whoever works ahead of time
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "interlace/core/ids.h"
#include "interlace/engine/region/tokens.h"

namespace interlace {

/// A packet that comes to an injection queue of `node` in `cycle`.
struct ComingPacket {
    std::uint64_t cycle;
    NodeId node;
    std::uint8_t queue;
    Packet packet;
};

/// Hosts that are known ahead of time: what they inject does not depend on what they receive, they write a
/// packet that has come, behind those before it, as soon as the queue has room, a flit a cycle, and they take
/// whatever reception queues have.
class HostLookahead {
  public:
    virtual ~HostLookahead() = default;
    /// Whether the host of `node` is such a one.
    virtual bool knows(NodeId node) const = 0;
    using Tell = std::function<void(const ComingPacket&)>;
    /// The packets that come before cycle `until` to queues of hosts that it knows and were not told before,
    /// in their order.
    virtual void coming(std::uint64_t until, const Tell& tell) = 0;
};

/// Another one, which begins with cycle 0.
using MakeHostLookahead = std::function<std::unique_ptr<HostLookahead>()>;

/// What a machine knows of the cycles to come.
class Lookahead {
  public:
    virtual ~Lookahead() = default;
    /// `inputs`: what comes by links that join regions `ahead` cycles after the one that begins. All of that
    /// is known for as long as a link takes.
    virtual void links(std::uint32_t ahead, RegionInputs& inputs) const = 0;
    virtual std::unique_ptr<HostLookahead> hosts() const = 0;
};

}  // namespace interlace
