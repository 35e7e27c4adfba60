// Interlace: a machine and its hosts in a checkpoint
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "interlace/checkpoint/checkpoint.h"
#include "interlace/core/archive.h"
#include "interlace/engine/machine/machine.h"
#include "interlace/harness/hosts/hosts.h"

namespace interlace {

/// Saves, or loads, what goes on at a machine before `cycle`: of each node and, in `whole`, of all together.
using StateAtMachine = std::function<void(NodeStates& nodes, std::uint64_t cycle, Archive& whole)>;

/// Called by all ranks, whose machine has a state (Machine::has_state): `more` comes behind the machine's.
void save(Checkpoint& checkpoint, Machine& machine, const StateAtMachine& more);
/// The same of a warm-up that is over, where others may begin from it (Checkpoint::wants_warm_state).
void save_warm_state(Checkpoint& checkpoint, Machine& machine, const StateAtMachine& more);
/// Of the same network, nodes and hosts. Returns the cycle to come.
std::uint64_t load(Checkpoint& checkpoint, Machine& machine, const StateAtMachine& more);

/// For a run that goes to cycle `until` by deciding again as it did: `cycle` becomes that, and nothing else
/// is to be done, where the state that waits to be loaded is of a later cycle. Loads it otherwise, if there
/// is one; then, and where there is none, this is false.
bool goes_back(Checkpoint& checkpoint, Machine& machine, std::uint64_t until, std::uint64_t& cycle,
               const StateAtMachine& more);

/// Of the hosts of all of the machine's shares, each of which has state(HostsState&), as part of that.
template <class HostsOfShares>
void hosts_state(const HostsOfShares& hosts, Machine& machine, NodeStates& nodes, std::uint64_t cycle,
                 Archive& whole) {
    HostsState state{nodes, cycle};
    const auto pass = [&] {
        for (const auto& share : hosts) share->state(state);
    };
    if (!nodes.loads()) {
        pass();
        for (std::uint64_t* last : {&state.complete, &state.moved_until})
            *last = machine.ranks().reduced(*last, Reduction::most);
    }
    whole(state.complete);
    whole.below(state.moved_until, cycle + 1);
    if (nodes.loads()) pass();
}

}  // namespace interlace
