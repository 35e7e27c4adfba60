// Interlace: a network as a TLM-2.0 target of a SystemC platform
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The TLM sockets ask for it; whoever includes <systemc> before this header defines it as well.
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "interlace/engine/machine/machine.h"
#include "interlace/network/network.h"
#include "interlace/tlm/memory_map.h"

namespace interlace {

struct TlmNetworkOptions {
    /// Of the network; cycle c begins at c times this. At least two units of the kernel's time resolution.
    sc_core::sc_time cycle{1, sc_core::SC_NS};
    NodeParameters node = {};
    LinkParameters links = {};
    /// A node's host takes flits in a cycle only if, when it begins, fewer packets than this wait to be read;
    /// then at most one more for each further reception queue comes. 0: it always does.
    std::uint32_t memory_packets = 0;
    /// As native_region has them; empty: what the routing of `node` needs (routing_tables).
    PortTables tables = {};
    /// What the network is made of: a part for every node. Empty: native nodes, in one part. SystemC nodes
    /// (systemc_region) cannot be among them: that engine runs the kernel itself.
    std::function<std::vector<Machine::Part>(const Fabric&, const PortTables*)> parts = {};
    std::uint32_t threads = 1;  ///< that tick parts side by side
};

/// The network and the hosts' side of its nodes, with a target socket for each node: the base protocol,
/// loosely timed (b_transport, with temporal decoupling) or approximately timed (nb_transport). The memory
/// map is MemoryMap; docs/systemc-platforms.md says what takes how long and what is guaranteed. No direct
/// memory, no debug transport.
///
/// A packet is on the pins of its injection queue from the first cycle that begins at its transaction's time
/// (the kernel's and the delay) or later, behind those that were there before, a flit a cycle while there are
/// credits; the transaction ends when the cycle of its tail does. What is taken in a cycle can be read when
/// it ends.
///
/// While nothing is in flight nothing is computed, and sc_start() without a time returns. A fault of a node
/// (NodeFault) ends sc_start with its sentence in an sc_report.
class TlmNetwork : public sc_core::sc_module {
  public:
    using Socket = tlm_utils::simple_target_socket_tagged_optional<TlmNetwork>;
    using Payload = ::tlm::tlm_generic_payload;

    /// Throws InputError where the options do not fit one another, or the network.
    TlmNetwork(const sc_core::sc_module_name& name, const Network& network,
               const TlmNetworkOptions& options = {});
    ~TlmNetwork() override;

    /// [node]. One that is not bound has no host that sends or reads.
    sc_core::sc_vector<Socket> socket;
    /// [node]: an interrupt, true while a packet waits to be read. (It is a signal of its own, for
    /// sc_in<bool> or a process; what is read ahead of the kernel's time goes when that time comes.)
    sc_core::sc_vector<sc_core::sc_signal<bool>> received;
    /// Notified whenever a packet has come to the node, in the delta cycle after.
    const sc_core::sc_event& arrival(NodeId node) const;

    const Fabric& fabric() const;
    /// To watch, to observe (before the simulation starts; observers of every cycle keep it from skipping
    /// any) and to ask for its usage. Whoever ticks it breaks it.
    Machine& machine();
    sc_core::sc_time cycle() const;
    /// Packets that were written and have not been taken from the network at every place they go to.
    std::size_t in_flight() const;

  private:
    struct State;
    struct Access;
    struct Reader;
    struct Arrived;
    struct Send;
    struct Host;

    void start_of_simulation() override;
    void b_transport(int node, Payload& payload, sc_core::sc_time& delay);
    ::tlm::tlm_sync_enum nb_transport_fw(int node, Payload& payload, ::tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay);

    std::unique_ptr<State> state_;
};

}  // namespace interlace
