// Interlace: hosts at the pins of a machine
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/hosts.h"

#include "interlace/harness/hosts/ideal_hosts.h"
#include "interlace/harness/hosts/served_hosts.h"

namespace interlace {

std::unique_ptr<Hosts> make_hosts(const Fabric& fabric, const Machine& machine, SendLists& lists,
                                  const HostParameters& host, std::uint32_t packet_flits,
                                  std::uint64_t seed) {
    if (host.ideal()) return std::make_unique<IdealHosts>(fabric, machine, lists);
    return std::make_unique<ServedHosts>(fabric, machine, lists, host, packet_flits, seed);
}

void credits_state(std::vector<Credit>& shown, std::uint32_t node, std::uint32_t queues, Archive& archive) {
    archive.each(shown, [&](Archive& a, Credit& credit) {
        credit.node = node;
        credit.vc = 0;
        a.below(credit.port, queues);
        a(credit.amount);
    });
}

std::uint64_t longest_task(const Fabric& fabric, const HostParameters& host, std::uint32_t packet_flits) {
    return std::uint64_t{host.send_cycles} + host.receive_cycles + host.combine_cycles + host.copy_cycles +
           host.jitter_cycles + std::uint64_t{fabric.vcs} * packet_flits * fabric.links.cycles_per_flit;
}

}  // namespace interlace
