// Interlace: hosts at the pins of a machine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "interlace/engine/machine/machine.h"
#include "interlace/engine/region/node_states.h"
#include "interlace/engine/region/pin_hosts.h"
#include "interlace/harness/hosts/host_parameters.h"
#include "interlace/harness/hosts/send_lists.h"

namespace interlace {

/// A state of hosts before `cycle`: each share saves what its nodes have to say, or loads it.
struct HostsState {
    NodeStates& nodes;
    std::uint64_t cycle;
    // Of all shares that have saved, the last:
    std::uint64_t complete = 0;     ///< Hosts::complete()
    std::uint64_t moved_until = 0;  ///< cycles up to that in which something moved

    /// A share's own time, which is one of these of all.
    void last(std::uint64_t& own, std::uint64_t& of_all) const {
        if (nodes.loads())
            own = of_all;
        else
            of_all = std::max(of_all, own);
    }
};

/// What the hosts of some nodes do with send lists, and with what comes.
class Hosts : public PinHosts {
  public:
    /// What they are there for begins in `cycle`: start skew counts from here.
    virtual void begin(std::uint64_t /*cycle*/) {}
    /// The cycle from which on the packet that they received last can be sent on.
    virtual std::uint64_t complete() const = 0;
    /// [node * injections + queue], of their nodes: cycles in which a packet waited at that injection queue
    /// for room alone.
    virtual const std::vector<std::uint64_t>& injection_stalls() const = 0;
    /// Theirs, but for their send lists'. At least one cycle has been.
    virtual void state(HostsState& state) = 0;
};

/// Of the pins of the node's injection queues, of which there are so many.
void credits_state(std::vector<Credit>& shown, std::uint32_t node, std::uint32_t queues, Archive& archive);

/// The hosts of the nodes whose send lists these are, which cost what `host` says; packets have
/// `packet_flits`, what is random is of `seed`.
std::unique_ptr<Hosts> make_hosts(const Fabric& fabric, const Machine& machine, SendLists& lists,
                                  const HostParameters& host, std::uint32_t packet_flits, std::uint64_t seed);

/// The longest that a packet keeps a host's server, or a link: cycles in which nothing else may move.
std::uint64_t longest_task(const Fabric& fabric, const HostParameters& host, std::uint32_t packet_flits);

}  // namespace interlace
