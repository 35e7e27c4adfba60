// Interlace: a machine and its hosts in a checkpoint
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/machine_checkpoint.h"

namespace interlace {

void save(Checkpoint& checkpoint, Machine& machine, const StateAtMachine& more) {
    NodeStates nodes(machine.nodes());
    ByteWriter bytes;
    Archive whole(bytes);
    machine.state(nodes, whole);
    more(nodes, machine.cycle(), whole);
    checkpoint.save(machine.cycle(), nodes.nodes(), {bytes.take(), nodes.take()});
}

void save_warm_state(Checkpoint& checkpoint, Machine& machine, const StateAtMachine& more) {
    if (checkpoint.wants_warm_state() && machine.cycle() > 0) save(checkpoint, machine, more);
}

std::uint64_t load(Checkpoint& checkpoint, Machine& machine, const StateAtMachine& more) {
    return checkpoint.loaded([&] {
        const std::optional<std::uint64_t> resumes_at = checkpoint.resumes_at();
        const std::vector<NodeId> own = machine.nodes();
        Checkpoint::State state = checkpoint.load(own);
        NodeStates nodes(own, std::move(state.nodes));
        ByteReader bytes(state.whole);
        Archive whole(bytes);
        machine.state(nodes, whole);
        more(nodes, machine.cycle(), whole);
        const bool all = bytes.at_end() && nodes.at_end();  // and there is no more
        if (!all || machine.cycle() != resumes_at) throw BrokenBytes();
        return machine.cycle();
    });
}

bool goes_back(Checkpoint& checkpoint, Machine& machine, std::uint64_t until, std::uint64_t& cycle,
               const StateAtMachine& more) {
    const std::optional<std::uint64_t> resumes_at = checkpoint.resumes_at();
    if (!resumes_at) return false;
    const bool back = until < *resumes_at;
    cycle = back ? until : load(checkpoint, machine, more);
    return back;
}

}  // namespace interlace
