// Interlace: which nodes are at rest and need no clock
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/archive.h"

namespace interlace::detail {

/// After a cycle in which the input pins were quiet, no reception queue had a flit, no link was busy and no
/// flit moved, a node and its output pins stay as they are until the input pins show something (docs/node.md,
/// section 5).
class Rest {
  public:
    /// `cycles_per_flit` and `pipelined` are the nodes', `silent` those of DeviceTraits.
    Rest(std::size_t nodes, std::uint32_t cycles_per_flit, bool pipelined, std::uint32_t silent = 0)
        : stirred_(nodes, 1),
          quiet_(nodes, 0),
          after_(cycles_per_flit + (pipelined ? pipelined_rest : 0) + silent) {}
    /// For nodes that take `cycles` more than the contract's to do what they do.
    void slow(std::uint32_t cycles) { after_ += cycles; }

    /// The input pins of node n show something in the coming cycle.
    void stir(std::uint32_t n) { stirred_[n] = 1; }
    /// Its output pins show a flit.
    void show(std::uint32_t n) { quiet_[n] = 0; }
    bool is_at_rest(std::uint32_t n) const { return stirred_[n] == 0 && quiet_[n] >= after_; }
    /// It is clocked; `shows`: a reception queue has a flit on its pins until then.
    void clock(std::uint32_t n, bool shows) {
        quiet_[n] = stirred_[n] == 0 && !shows ? quiet_[n] + 1 : 0;
        stirred_[n] = 0;
    }

    void node_state(std::uint32_t n, Archive& archive) { archive(stirred_[n], quiet_[n]); }
    template <class State>
    void state(State& state) {
        state.fixed(stirred_);
        state.fixed(quiet_);
    }

  private:
    /// Cycles in which a pipelined node may still be about to show something (docs/node.md, section 14).
    static constexpr std::uint32_t pipelined_rest = 8;

    std::vector<std::uint8_t> stirred_;  // the input pins show something in this cycle
    std::vector<std::uint32_t> quiet_;   // cycles since anything did
    std::uint32_t after_;                // quiet cycles
};

}  // namespace interlace::detail
