// Interlace: what a host's work costs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/hosts/host_parameters.h"

#include "interlace/config/shipped.h"

namespace interlace {

const std::vector<ShippedFile>& shipped_hosts();  // configs/hosts

namespace {

constexpr Names<Polling, 3> pollings = {{{"round_robin", Polling::round_robin},
                                         {"reception_first", Polling::reception_first},
                                         {"injection_first", Polling::injection_first}}};
constexpr std::uint32_t max_cycles = 1'000'000;

}  // namespace

HostParameters read_host(ConfigMap config) {
    auto host = base_of<HostParameters>(config, host_parameters);
    config.update("servers", host.servers, 0, 1'000);
    config.update("polling", host.polling, pollings);
    config.update("send_cycles", host.send_cycles, 0, max_cycles);
    config.update("receive_cycles", host.receive_cycles, 0, max_cycles);
    config.update("combine_cycles", host.combine_cycles, 0, max_cycles);
    config.update("copy_cycles", host.copy_cycles, 0, max_cycles);
    config.update("memory_packets", host.memory_packets, 0, max_cycles);
    config.update("reserve_flits", host.reserve_flits, 0, max_cycles);
    config.update("start_skew_cycles", host.start_skew_cycles, 0, max_cycles);
    config.update("jitter_cycles", host.jitter_cycles, 0, max_cycles);
    config.finish();
    return host;
}

HostParameters host_parameters(const std::string& name_or_file) {
    return read_host(shipped_or_file(shipped_hosts(), name_or_file, "host"));
}

Choices host_choices() {
    return shipped_choices(shipped_hosts());
}

std::string polling_name(Polling polling) {
    return name_of(pollings, polling);
}

}  // namespace interlace
