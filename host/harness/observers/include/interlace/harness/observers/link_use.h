// Interlace: how busy every link of a run was
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/machine/machine.h"

namespace interlace {

/// Observes a machine (whose links have to be watched).
class LinkUse {
  public:
    explicit LinkUse(const Fabric& fabric);

    /// As Machine::Observer.
    void observe(std::uint64_t cycle, const RegionOutputs& outputs);

    /// What has been counted so far, saved or loaded.
    void state(Archive& archive);

    /// Share of `cycles` cycles in which the link was busy: of output `port` of `node`.
    double utilisation(NodeId node, std::uint32_t port, std::uint64_t cycles) const;
    /// Of all links, in each of the windows that the run up to `cycles` is cut into: at most 256, each
    /// `window()` cycles long, the last one shorter.
    std::vector<double> over_time(std::uint64_t cycles) const;
    std::uint64_t window() const { return window_; }

  private:
    const Fabric& f_;
    std::vector<std::uint64_t> flits_;    // [node * ports + port]
    std::vector<std::uint64_t> windows_;  // flits in each
    std::uint64_t window_ = 1;            // cycles
    std::uint32_t links_ = 0;
};

}  // namespace interlace
