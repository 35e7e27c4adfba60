// Interlace: hosts that run a program through the node interface
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "ideal_hosts.h"
#include "interlace/core/error.h"
#include "lanes.h"
#include "served_hosts.h"
#include "waits.h"

namespace interlace {
namespace {

std::unique_ptr<Hosts> make_hosts(const Fabric& fabric, const Machine& machine, const Program& program,
                                  Lanes& lanes, const ProgramRunOptions& options) {
    if (options.host.ideal()) return std::make_unique<IdealHosts>(fabric, lanes);
    return std::make_unique<ServedHosts>(fabric, machine, program, lanes, options);
}

/// Cycles without movement that mean nothing ever will: what links, hosts and pace may take between two
/// movements comes on top.
std::uint64_t patience_of(const Fabric& fabric, const ProgramRunOptions& options) {
    return options.watchdog + options.pace + fabric.longest_delay + options.host.send_cycles +
           options.host.receive_cycles + options.host.copy_cycles + options.host.start_skew_cycles +
           options.host.jitter_cycles;
}

}  // namespace

ProgramRun run_program(const Fabric& fabric, Machine& machine, const Program& program,
                       const InjectionPlan& plan, const ProgramRunOptions& options) {
    Lanes lanes(fabric, program, plan, options.packet_flits, options.pace);
    const auto hosts = make_hosts(fabric, machine, program, lanes, options);
    ProgramRun run;
    RegionInputs inputs;
    RegionOutputs outputs;
    const std::uint64_t patience = patience_of(fabric, options);
    std::uint64_t quiet = 0;
    for (std::uint64_t cycle = 0; run.receptions < program.send_count(); ++cycle) {
        inputs.clear();
        hosts->drive(cycle, inputs);
        machine.tick(inputs, outputs);
        hosts->receive(outputs, cycle);
        run.receptions += outputs.receptions.size();
        quiet = inputs.injections.empty() && outputs.receptions.empty() ? quiet + 1 : 0;
        if (quiet > patience)
            throw FellShort(fmt::format("nothing has moved for {} cycles; {} of {} packets have arrived{}{}",
                                        quiet, run.receptions, program.send_count(),
                                        who_waits(fabric, machine), lanes.report()));
        if (quiet > 0) {
            const std::uint64_t idle =
                std::min({machine.idle(), hosts->busy_from(cycle + 1) - (cycle + 1), patience - quiet});
            machine.skip(idle);
            cycle += idle;
            quiet += idle;
        }
        if (options.progress && cycle % 64 == 0)
            options.progress(static_cast<double>(run.receptions) / static_cast<double>(program.send_count()));
    }
    run.cycles = hosts->complete();
    run.queues = machine.usage();
    run.queues.stall_cycles[static_cast<std::size_t>(QueueClass::injection)] = hosts->injection_stalls();
    return run;
}

}  // namespace interlace
