// Interlace: unicast packets on the nodes of a network, for any number of runs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/unicast_runs.h"

#include <numeric>
#include <utility>

#include "interlace/core/value_error.h"
#include "interlace/experiment/nodes/checkpoints.h"
#include "interlace/experiment/nodes/make_machine.h"
#include "interlace/experiment/nodes/recorder.h"

namespace interlace {

UnicastRuns::UnicastRuns(const Network& network, const std::string& engine, const CycleOptions& options,
                         Checkpoint checkpoint, RunListener listener)
    : network_(network),
      engine_(engine),
      options_(options),
      checkpoint_(std::move(checkpoint)),
      listener_(std::move(listener)),
      fabric_(network, options.node, options.links, nodes_of_rank(network.node_count(), *options.ranks)),
      tables_(about("node.routing", [&] { return routing_tables(network, fabric_); })),
      paths_(PathLengths::of(network, fabric_, tables_)) {}

UnicastRuns::Outcome UnicastRuns::run(std::uint64_t seed, const Hosts& hosts, const HearOfPacket& made) {
    return checkpoint_.run<Outcome>([&] { return run_machine(seed, hosts, made); },
                                    [](ByteWriter& bytes, const Outcome& o) {
                                        o.result.write(bytes);
                                        o.queues.write(bytes);
                                    },
                                    [](ByteReader& bytes) {
                                        TrafficResult result = TrafficResult::read(bytes);
                                        return Outcome{std::move(result), Usage::read(bytes)};
                                    });
}

UnicastRuns::Outcome UnicastRuns::run_machine(std::uint64_t seed, const Hosts& hosts,
                                              const HearOfPacket& made) {
    Machine machine =
        make_machine(network_, fabric_, engine_, options_, unicast_kind(fabric_), &tables_.ports, listener_);
    machine.seed_errors(seed);
    Recorder recorder(network_, fabric_, machine, options_);
    TrafficHostOptions host_options{options_.host, seed};
    host_options.paths = paths_ ? &*paths_ : nullptr;
    host_options.checkpoint = &checkpoint_for(machine, options_, checkpoint_);
    host_options.made = [&](std::uint64_t cycle, NodeId node, std::uint32_t packet) {
        recorder.born(cycle, node, packet);
        if (made) made(cycle, packet);
    };
    Outcome outcome;
    const TrafficResult& result = outcome.result;
    recorder.run([&] {
        outcome.result = hosts(machine, host_options);
        return result.injection_stalls;
    });
    outcome.queues = machine.usage();
    outcome.queues.stall_cycles[static_cast<std::size_t>(QueueClass::injection)] = machine.ranks().reduced(
        std::accumulate(result.injection_stalls.begin(), result.injection_stalls.end(), std::uint64_t{0}),
        Reduction::sum);
    outcome.links = recorder.links(result.cycles);
    return outcome;
}

}  // namespace interlace
