// Interlace: hosts that run a program through the node interface
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "interlace/engine/machine/machine.h"
#include "interlace/harness/hosts/host_parameters.h"
#include "interlace/harness/hosts/injection_plan.h"
#include "interlace/harness/traffic/traffic.h"
#include "interlace/program/program.h"

namespace interlace {

struct ProgramRunOptions {
    std::uint32_t packet_flits = 8;
    /// Cycles between two starts of a send list, at least; 0: as fast as the queue takes them.
    std::uint64_t pace = 0;
    HostParameters host = {};
    std::uint64_t seed = 1;  ///< of what is random about hosts
    /// Unicast traffic under the program, from before it begins, after the warm-up, until it ends (`cycles`
    /// is ignored). Its packets are as long as the program's, and take turns with them at the injection
    /// queues.
    std::optional<TrafficOptions> background = std::nullopt;
    /// Cycles without any movement after which a run is given up.
    std::uint64_t watchdog = 10'000;
    /// If set, called now and then with the share of the packets that have arrived.
    std::function<void(double)> progress = {};
    /// If set, hears of every packet that a host makes: the program's at its source, numbered as in the
    /// program, and the background's, numbered from there on.
    MadePacket made = {};
    Checkpoint* checkpoint = &no_checkpoint();
};

/// What became of background traffic. A latency of no packet is NaN.
struct BackgroundResult {
    double accepted_load = 0;   ///< in flits/node/cycle, while the program ran
    double latency_mean = 0;    ///< of the packets that arrived while the program ran
    double latency_before = 0;  ///< of those that arrived in the second half of the warm-up
};

struct ProgramRun {
    /// From the cycle in which the source's hosts show their first flits to the one in which the packet that
    /// arrived last could have been shown by its host: docs/node.md, section 7.
    std::uint64_t cycles = 0;
    std::uint64_t start = 0;       ///< that first cycle: the end of the background's warm-up, or 0
    std::uint64_t receptions = 0;  ///< of the program's packets
    Usage queues;                  ///< over all cycles, a warm-up included
    /// [node * injections + queue], from the first node of the rank on, not in a checkpoint: cycles in which
    /// a packet waited there for room alone, likewise.
    std::vector<std::uint64_t> injection_stalls;
    BackgroundResult background;
    void write(ByteWriter& bytes) const;
    static ProgramRun read(ByteReader& bytes);
};

/// Runs the program of `plan` on `machine`; on several ranks the plan may be of a rank's nodes alone. A send
/// list has the injection queue of its port, or, where there are fewer queues than ports, port modulo queues,
/// in the order in which send lists became ready. Throws FellShort with what is outstanding when nothing
/// moves for `watchdog` cycles (over background traffic: when nothing of the program arrives for 100,000
/// more), or when background traffic is more than the network carries: it has not settled.
ProgramRun run_program(const Fabric& fabric, Machine& machine, const InjectionPlan& plan,
                       const ProgramRunOptions& options);

}  // namespace interlace
