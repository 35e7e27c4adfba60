// Interlace: errors of nodes that do not do what docs/node.md requires
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/core/error.h"
#include "interlace/core/ids.h"

namespace interlace {

/// A node does what docs/node.md forbids, or says so itself: what() names the node, the cycle, the pin, and
/// what was expected.
class NodeFault : public FellShort {
  public:
    NodeFault(NodeId node, std::uint64_t cycle, const std::string& what);
    /// The same, of which there is more to say.
    NodeFault(const NodeFault& fault, const std::string& more)
        : FellShort(fault.what() + more), node_(fault.node_) {}
    NodeId node() const { return node_; }

  private:
    NodeId node_;
};

/// What the bits of `status_o` mean (docs/node.md, section 8), as in "status_o bit 0, overflow: a flit ...".
std::string status_meaning(std::uint64_t status);

/// Two engines disagree: what() names the cycle, the node, the pin, two values and the waveform.
class LockstepError : public FellShort {
  public:
    using FellShort::FellShort;
};

}  // namespace interlace
