// Interlace: a program on the cycle engines
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interlace/checkpoint/checkpoint.h"
#include "interlace/core/names.h"
#include "interlace/core/run_listener.h"
#include "interlace/harness/hosts/deadlock.h"
#include "interlace/harness/hosts/injection_plan.h"
#include "interlace/harness/programs/program_run.h"
#include "interlace/measure/json_result.h"
#include "interlace/measure/sample.h"
#include "interlace/node/links.h"
#include "interlace/node/parameters.h"
#include "interlace/program/program.h"
#include "interlace/ranks/communicator.h"

namespace interlace {

/// What a run leaves behind beside its result, which is the same without; an empty path: nothing. Files
/// appear whole or not at all. No part of an experiment.
struct Records {
    /// Ends in .json: every packet's way in the trace event format of Chrome and Perfetto; any other: a
    /// waveform (VCD) of trace_nodes' output pins.
    std::string trace;
    std::string trace_nodes = "0";
    std::string packet_log;  ///< CSV: packet,event,cycle,until,node,port,channel (PacketLog)
    std::string queue_use;   ///< CSV: node,queue,port,channel,mean,high_water,stall_cycles,histogram
    bool details = false;    ///< links' use and the wavefront, in the result's JSON

    bool files() const { return !trace.empty() || !packet_log.empty() || !queue_use.empty(); }
    bool any() const { return files() || details; }
    bool has_packet_trace() const { return trace.ends_with(".json"); }
    bool has_waveform() const { return !trace.empty() && !has_packet_trace(); }
};

/// What nodes of hardware are held to. pins: native nodes run beside them, every pin compared; links: as all
/// hardware is in every run (docs/node.md, section 13), with a waveform of what is wrong; packets: what they
/// give to hosts and links is whole (PacketCheck).
enum class ShadowLevel : std::uint8_t { pins, links, packets };
std::string shadow_level_name(ShadowLevel level);
Choices shadow_level_choices();
/// Throws InputError.
ShadowLevel parse_shadow_level(const std::string& text);

/// Unicast traffic that a program runs on top of.
struct BackgroundOptions {
    std::string pattern = "uniform";                                ///< as traffic_pattern() takes them
    TrafficOptions traffic = {.load = 0, .warmup = detect_warmup};  ///< load 0: none; load, warmup, bursts
    bool any() const { return traffic.load != 0; }
};

/// How a program runs on nodes.
struct CycleOptions {
    NodeParameters node = node_parameters("bgl");
    LinkParameters links;
    HostParameters host;
    BackgroundOptions background;
    std::string forwarding = "host";  ///< host, table or deposit
    std::string pace = "off";         ///< off, or step: send lists start a packet every F + h cycles
    std::string rtl_nodes;      ///< nodes, as in 0,5,17, that are RTL whatever the engine; empty for none
    std::string systemc_nodes;  ///< likewise SystemC
    std::vector<std::string> devices;  ///< nodes in other processes, as in 5,6=unix:/tmp/dut
    std::uint32_t device_return = 0;  ///< seconds to wait for a device that is gone; no part of an experiment
    std::string shadow;               ///< nodes of hardware that are held to shadow_level, as in 0,5,17
    ShadowLevel shadow_level = ShadowLevel::pins;
    std::string shadow_waveform =
        "interlace-lockstep.vcd";  ///< left where they are not; no part of an experiment
    std::string lockstep;  ///< engines, as in rtl,systemc, that run beside and are compared pin by pin
    /// Of a broadcast, runs with different seeds of what is random, hosts (HostParameters::random) or
    /// background traffic, as runs_of() takes them.
    std::uint32_t seeds = 0;
    bool random() const { return host.random() || links.bit_error_rate > 0; }
    std::uint32_t runs() const { return runs_of(seeds, random() || background.any()); }
    bool occupancy = true;  ///< count how long queues held how many flits
    Records records;
    CheckpointOptions checkpoint;  ///< no part of an experiment
    std::uint32_t regions = 1;     ///< that the nodes of each engine are cut into (SystemC: always one)
    std::uint32_t threads = 1;     ///< that regions run on, of each rank
    Communicator* ranks = &no_other_ranks();  ///< that run it together; no part of an experiment
};

struct CycleResult {
    Sample cycles;                      ///< of one run or of several seeds
    std::uint64_t max_plus_cycles = 0;  ///< what the step theorem predicts (docs/node.md, section 7)
    std::uint32_t regions = 1;
    Usage queues;                 ///< of all runs together
    BackgroundResult background;  ///< means over the runs
    DeadlockCheck deadlock;
    Json links = nullptr;  ///< of Records::details: links_json(), wavefront_json()
    Json wavefront = nullptr;
};

/// The engines that count cycles: native, systemc and rtl (the latter two where they were built).
Choices cycle_engines();
bool is_cycle_engine(const std::string& engine);

/// A program on nodes, and what is known of it before they run.
struct CyclePlan {
    /// Of all nodes. Throws InputError for what the engines cannot represent. Keeps references to the network
    /// and the program.
    CyclePlan(const Network& network, const Program& program, const CycleOptions& options,
              const RunListener& listener = {});
    /// Called by all ranks: what those nodes have to do that are this rank's, from the plan of all that rank
    /// 0 has, and nobody else.
    static CyclePlan divided(std::optional<CyclePlan> all, const Network& network,
                             const CycleOptions& options);

    Fabric fabric;
    InjectionPlan injections;
    // Of all nodes, and known to rank 0 alone.
    DeadlockCheck deadlock;
    std::uint64_t max_plus_cycles = 0;  ///< what the step theorem predicts (docs/node.md, section 7)

  private:
    CyclePlan(Fabric part, const Bytes& injections);
};

/// Runs it; `seed` and those that follow are of hosts and background. Called by all ranks, each with its part
/// of a plan. Throws InputError for what the engines cannot represent, FellShort for a run that is stuck or
/// engines that disagree.
CycleResult run_cycles(const Network& network, CyclePlan plan, const std::string& engine,
                       const CycleOptions& options, std::uint64_t seed, const RunListener& listener = {},
                       Checkpoint& checkpoint = no_checkpoint());

/// Plans `program` and runs it, in one process.
inline CycleResult run_cycles(const Network& network, const Program& program, const std::string& engine,
                              const CycleOptions& options, std::uint64_t seed,
                              const RunListener& listener = {}) {
    return run_cycles(network, CyclePlan(network, program, options, listener), engine, options, seed,
                      listener);
}

}  // namespace interlace
