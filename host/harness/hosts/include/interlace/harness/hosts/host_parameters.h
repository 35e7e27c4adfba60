// Interlace: what a host's work costs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/config/config_map.h"

namespace interlace {

/// The order in which an idle server looks for a queue to serve.
enum class Polling : std::uint8_t { round_robin, reception_first, injection_first };

/// A host, docs/node.md section 11. Times in cycles.
struct HostParameters {
    std::uint32_t servers = 0;  ///< queues that it serves at a time; 0: every queue has a server of its own
    Polling polling = Polling::round_robin;
    std::uint32_t send_cycles = 0;     ///< a server is busy with a packet that it sends, at least, ...
    std::uint32_t receive_cycles = 0;  ///< ... or receives
    std::uint32_t combine_cycles = 0;  ///< on top of receiving a packet that is added to what the host has
    std::uint32_t copy_cycles = 0;     ///< on top of sending a packet that came from another node
    std::uint32_t memory_packets = 0;  ///< received packets that it can hold to send them on; 0: any number
    std::uint32_t reserve_flits = 0;   ///< of an injection queue that it leaves free when it begins a packet
    std::uint32_t start_skew_cycles = 0;  ///< a host does nothing before a random cycle from 0 to this
    std::uint32_t jitter_cycles = 0;      ///< a server is busy longer with a packet, by 0 to this at random

    /// Whether runs with different seeds differ.
    bool random() const { return start_skew_cycles > 0 || jitter_cycles > 0; }
    /// Costs nothing and serves every queue in every cycle.
    bool ideal() const {
        return servers == 0 && send_cycles == 0 && receive_cycles == 0 && combine_cycles == 0 &&
               copy_cycles == 0 && memory_packets == 0 && reserve_flits == 0 && !random();
    }
};

/// A shipped host (configs/hosts: ideal, bgl) or a YAML file. Throws InputError.
HostParameters host_parameters(const std::string& name_or_file);
/// The shipped sets, and FILE.
Choices host_choices();

/// The keys of a host file over those of its `base`. Throws InputError with file, line and key.
HostParameters read_host(ConfigMap config);

std::string polling_name(Polling polling);

}  // namespace interlace
