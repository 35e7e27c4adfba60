// Interlace: the flags that describe nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "node_flags.h"

#include <fmt/format.h>

#include <cmath>

#include "command.h"
#include "interlace/core/error.h"

namespace interlace::cli {

void add_node_flags(CLI::App& command, NodeFlags& flags, CycleOptions& options) {
    const auto add = [&](const char* name, auto& value, const char* text) {
        return command.add_option(name, value, text)->group(node_group)->capture_default_str();
    };
    add_choice(command, "--node", flags.name, node_choices(), "Node parameters: a shipped set or a YAML file")
        ->group(node_group);
    add_choice(command, "--links", flags.links, link_choices(), "Link timing: a shipped set or a YAML file")
        ->group(node_group);
    add_choice(command, "--host", flags.host, host_choices(),
               "Time that hosts take: a shipped set or a YAML file")
        ->group(node_group);
    add("--rtl-nodes", options.rtl_nodes, "Simulate these nodes in RTL, whatever the engine: 0,5,17");
    add("--systemc-nodes", options.systemc_nodes, "Simulate these nodes in SystemC, whatever the engine");
    command
        .add_option("--device", options.devices,
                    "These nodes are a device in another process: 5,6=unix:/tmp/dut (may be repeated)")
        ->group(node_group)
        ->type_name("NODES=ADDRESS")
        ->allow_extra_args(false);
    add("--device-return", options.device_return,
        "Seconds to wait for a lost device to return and then continue; 0: the run ends")
        ->type_name("SECONDS");
    add("--shadow", options.shadow, "Check these nodes in hardware at --level: 0,5,17");
    add_choice(command, "--level", flags.level, shadow_level_choices(), "What --shadow checks")
        ->group(node_group);
    add("--lockstep", options.lockstep,
        "Run these engines beside --engine and compare every pin in every cycle: rtl,systemc");
    add("--regions", options.regions, "Regions that the nodes of an engine (and rank) are divided into")
        ->check(whole(1, 1'000'000));
    add("--threads", options.threads, "Threads that regions run on, of each rank of mpirun")
        ->check(whole(1, 1024));
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
                    "Save the run in this file every --every cycles, in place of what was saved before")
        ->group(node_group)
        ->type_name("FILE");
    command.add_option("--every", checkpoint.every, "Cycles from one checkpoint to the next")
        ->group(node_group)
        ->check(whole(1, std::uint64_t{1} << 40U))
        ->type_name("CYCLES");
    command
        .add_option("--resume", checkpoint.resumed_from,
                    "Go on from a checkpoint of the same experiment, on any threads and, of nodes of one "
                    "engine, on any regions and ranks")
        ->group(node_group)
        ->type_name("FILE");
}

void check_checkpoint_flags(const CheckpointOptions& checkpoint) {
    if (checkpoint.file.empty() != (checkpoint.every == 0))
        throw InputError(
            checkpoint.file.empty() ? "--every without --checkpoint" : "--checkpoint without --every",
            "both, as in --checkpoint run.ckpt --every 100000");
}

void add_set_flag(CLI::App& command, std::vector<std::string>& overrides) {
    command
        .add_option("--set", overrides,
                    "Replace a value of the experiment (docs/experiments.md): node.vc_depth=16, "
                    "links.latency=4 (may be repeated)")
        ->allow_extra_args(false);
}

CLI::Option* add_seeds_flag(CLI::App& command, std::uint32_t& seeds, const std::string& what,
                            const std::string& otherwise) {
    return command
        .add_option(
            "--seeds", seeds,
            fmt::format("Runs of {} under --seed and those that follow: 1, or 30 and more (default: {})",
                        what, otherwise))
        ->check(whole(0, 1'000'000))
        ->type_name("UINT");
}

void refuse_node_flags(const CLI::App& command, const std::vector<std::string>& overrides) {
    for (const std::string& assignment : overrides)
        for (const char* section : {"node.", "links.", "host."})
            if (assignment.starts_with(section))
                throw InputError("--set " + assignment + " with --engine step, which has no nodes",
                                 "--engine " + or_list(cycle_engines()));
    for (const CLI::Option* option : command.get_options())
        if (option->get_group() == node_group && option->count() > 0)
            throw InputError(option->get_name() + " with --engine step, which has no nodes",
                             "--engine " + or_list(cycle_engines()));
}

void resolve_node_flags(const NodeFlags& flags, CycleOptions& options) {
    options.node = node_parameters(flags.name);
    options.links = link_parameters(flags.links);
    options.host = host_parameters(flags.host);
    options.shadow_level = parse_shadow_level(flags.level);
    if (options.threads > options.regions) options.regions = options.threads;
}

std::string interval_text(const Sample& sample) {
    if (sample.count == 1) return {};
    return fmt::format(" +- {:.2g} (95%, {} runs, {:g} to {:g})", sample.half_interval, sample.count,
                       sample.min, sample.max);
}

std::string mean_text(const Sample& sample) {
    return fmt::format("{:.{}f}", sample.mean, sample.mean == std::floor(sample.mean) ? 0 : 1);
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

}  // namespace interlace::cli
