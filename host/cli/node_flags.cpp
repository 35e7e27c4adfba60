// Interlace: the flags that describe nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "node_flags.h"

#include <fmt/format.h>

#include <cmath>

#include "command.h"
#include "interlace/core/error.h"
#include "interlace/mpi/world.h"

namespace interlace::cli {
namespace {

/// What --help prints for --seeds.
std::string seeds_text(const std::string& what, const std::string& otherwise) {
    return fmt::format(
        "Runs of {} under --seed and those that follow; from 2 on with a 95% interval (default: {})", what,
        otherwise);
}

std::string latency_text(double cycles) {
    return std::isnan(cycles) ? "of no packet" : fmt::format("{:.4g}", cycles);
}

}  // namespace

void add_node_flags(CLI::App& command, Values& values, NodeFlags& flags, const NodeDefaults& defaults) {
    const auto add = [&](const char* flag, const char* path, const char* text, const char* otherwise = "") {
        return add_value(command, values, flag, path, text, otherwise)->group(node_group);
    };
    const auto choice = [&](const char* flag, const char* path, const Choices& choices, const char* text,
                            const char* otherwise) {
        add_value_choice(command, values, flag, path, choices, text, otherwise)->group(node_group);
    };
    choice("--node", "node.base", node_choices(), "Node parameters: a shipped set or a YAML file",
           defaults.node);
    choice("--links", "links.base", link_choices(), "Link timing: a shipped set or a YAML file", "unit");
    choice("--host", "host.base", host_choices(), "Host timing: a shipped set or a YAML file", "ideal");
    add("--rtl-nodes", "rtl_nodes", "Simulate these nodes in RTL: 0,5,17");
    add_truth(
        command, values, "--fitted", "node.fitted",
        "Build the RTL nodes for this run, unless they were built before: the result is the same, sooner")
        ->group(node_group);
    add("--systemc-nodes", "systemc_nodes", "Simulate these nodes in SystemC");
    add_values(command, values, "--device", "devices",
               "These nodes are a device in another process: 5,6=unix:/tmp/dut (may be repeated)")
        ->group(node_group)
        ->type_name("NODES=ADDRESS");
    command
        .add_option("--device-return", flags.device_return,
                    "Seconds to wait for a lost device to return and then continue; 0: the run ends")
        ->group(node_group)
        ->capture_default_str()
        ->type_name("SECONDS");
    add("--shadow", "shadow", "Check these nodes in hardware at --level: 0,5,17");
    choice("--level", "shadow_level", shadow_level_choices(), "Checks of --shadow", defaults.level);
    add("--lockstep", "lockstep",
        "Run these engines in lockstep with --engine: compare every pin in every cycle: rtl,systemc");
    add("--regions", "regions", "Number of regions into which the nodes of an engine (and rank) are divided",
        "1")
        ->check(whole(1, 1'000'000))
        ->type_name("UINT");
    add("--threads", "threads", "Number of threads that run regions, in each rank of mpirun", "1")
        ->check(whole(1, 1024))
        ->type_name("UINT");
}

void add_record_flags(CLI::App& command, Records& records) {
    const auto add = [&](const char* name, std::string& value, const char* text) {
        return command.add_option(name, value, text)->group(node_group)->type_name("FILE");
    };
    add("--trace", records.trace,
        "FILE.json: write every packet's path for Perfetto or Chrome; FILE.vcd: a waveform of --trace-nodes");
    add("--trace-nodes", records.trace_nodes, "Nodes of the waveform, as in 0,5,17")
        ->type_name("TEXT")
        ->capture_default_str();
    add("--packet-log", records.packet_log,
        "Write each packet's birth, injection, hops and arrival to this CSV file");
    add("--queue-use", records.queue_use,
        "Write each queue's mean, maximum and stall cycles to this CSV file");
}

void add_checkpoint_flags(CLI::App& command, CheckpointOptions& checkpoint) {
    command
        .add_option("--checkpoint", checkpoint.file,
                    "Save the run to this file every --every cycles, replacing the last checkpoint")
        ->group(node_group)
        ->type_name("FILE");
    command.add_option("--every", checkpoint.every, "Cycles from one checkpoint to the next")
        ->group(node_group)
        ->check(whole(1, std::uint64_t{1} << 40U))
        ->type_name("CYCLES");
    command
        .add_option("--resume", checkpoint.resumed_from,
                    "Resume from a checkpoint of the same experiment, on any number of threads and, with one "
                    "engine, of regions and ranks")
        ->group(node_group)
        ->type_name("FILE");
}

void check_checkpoint_flags(const CheckpointOptions& checkpoint) {
    if (checkpoint.file.empty() != (checkpoint.every == 0))
        throw InputError(
            checkpoint.file.empty() ? "--every without --checkpoint" : "--checkpoint without --every",
            "both, as in --checkpoint run.ckpt --every 100000");
}

CLI::Option* add_seeds_flag(CLI::App& command, Values& values, const std::string& what,
                            const std::string& otherwise) {
    return add_value(command, values, "--seeds", "seeds", seeds_text(what, otherwise))
        ->check(whole(0, 1'000'000))
        ->type_name("UINT");
}

void refuse_node_flags(const CLI::App& command, const Values& values) {
    for (const std::string& assignment : values.set)
        for (const char* section : {"node.", "links.", "host."})
            if (assignment.starts_with(section))
                throw InputError("--set " + assignment + " with --engine step, which has no nodes",
                                 "--engine " + or_list(cycle_engines()));
    for (const CLI::Option* option : command.get_options())
        if (option->get_group() == node_group && option->count() > 0)
            throw InputError(option->get_name() + " with --engine step, which has no nodes",
                             "--engine " + or_list(cycle_engines()));
}

void take_node_flags(const NodeFlags& flags, CycleOptions& options) {
    options.records = flags.records;
    options.device_return = flags.device_return;
    options.checkpoint = flags.checkpoint;
    options.ranks = &world();
    check_checkpoint_flags(flags.checkpoint);
}

std::string interval_text(const Sample& sample) {
    if (sample.count == 1) return {};
    return fmt::format(" +- {:.2g} (95%, {} runs, {:g} to {:g})", sample.half_interval, sample.count,
                       sample.min, sample.max);
}

std::string mean_text(const Sample& sample) {
    return fmt::format("{:.{}f}", sample.mean, sample.mean == std::floor(sample.mean) ? 0 : 1);
}

void print_node(const NodeParameters& node, const LinkParameters& links) {
    fmt::print("nodes                  {}, {} virtual channels; links: {} cycle{} per flit, latency {}{}\n",
               switching_name(node.switching), node.vcs, links.cycles_per_flit,
               links.cycles_per_flit == 1 ? "" : "s", links.latency,
               links.latency_per_hop == 0 ? "" : fmt::format(" + {} per hop passed", links.latency_per_hop));
}

void print_queues(const NodeParameters& node, const Usage& queues) {
    if (const LinkLayerUse& use = queues.link_layer; use.flits > 0)
        fmt::print("link layer             {} flits in {} frames, {} damaged, {} retransmitted\n", use.flits,
                   use.frames, use.damaged, use.retransmitted);
    for (std::size_t c = 0; c < queue_classes; ++c) {
        const std::uint32_t depth = node.depth(static_cast<QueueClass>(c));
        const std::string mean =
            queues.occupancy[c].empty()
                ? ""
                : fmt::format(", mean {:.3g}", queues.mean_flits(static_cast<QueueClass>(c)));
        fmt::print("{:<23}max {} of {} flits{}, {} stall cycles\n",
                   fmt::format("{} queues", queue_class_names[c]), queues.high_water[c],
                   depth == infinite_depth ? "infinite" : std::to_string(depth), mean,
                   queues.stall_cycles[c]);
    }
}

void print_cycles(const CycleResult& run, const CycleOptions& options, const std::string& engine,
                  std::uint32_t steps) {
    const Sample& cycles = run.cycles;
    fmt::print("cycles                 {:.10g}{} on {} nodes, {:.2f} per step, packets of {} flits\n",
               cycles.mean, interval_text(cycles), engine, cycles.mean / std::max(steps, 1U),
               options.node.packet_flits);
    fmt::print("predicted              {} (max-plus, infinite queues), excess {:.10g}\n", run.max_plus_cycles,
               cycles.mean - static_cast<double>(run.max_plus_cycles));
    fmt::print("deadlock               {}{}\n",
               run.deadlock.free ? "impossible: " : "possible: ", run.deadlock.how);
    if (options.background.any())
        fmt::print("background             {:.4g} flits/node/cycle of {:.4g}; latency {}, before {}\n",
                   run.background.accepted_load, options.background.traffic.load,
                   latency_text(run.background.latency_mean), latency_text(run.background.latency_before));
    print_queues(options.node, run.queues);
    if (!options.lockstep.empty())
        fmt::print("lockstep               {} agreed in every pin of every cycle\n", options.lockstep);
}

}  // namespace interlace::cli
