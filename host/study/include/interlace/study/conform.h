// Interlace: whether nodes of hardware are nodes of docs/node.md: a fixed list of runs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interlace/experiment/kinds/broadcast.h"

namespace interlace {

/// A run that hardware takes part in, and what it shows if it ends well.
struct ConformCheck {
    const char* name;
    const char* shows;
    enum Run : std::uint8_t {
        broadcast,          ///< from node 0
        broadcast_from_it,  ///< from a node of the hardware
        whole_queue,        ///< from there, of packets as long as the shortest queue
        long_links,         ///< from there, over links that hold more flits than a queue, for so long that
                            ///< a packet that waits for nothing is noticed
        traffic,            ///< unicast packets at random
        stress,             ///< run_stress()
        flood,              ///< the same, with hosts that send all the time and take everything
        registers,          ///< run_stress() with a look at registers
        alone               ///< run_alone()
    } run;
    std::vector<const char*> changes;  ///< of the base experiment, as --set takes them
};

/// In the order in which they run; the first is the least that a router can do (docs/hil.md, Conformance).
const std::vector<ConformCheck>& conform_checks();

enum class Verdict : std::uint8_t { passed, failed, not_built_for };
const char* verdict_name(Verdict verdict);

struct ConformOutcome {
    const ConformCheck* check = nullptr;
    Verdict verdict = Verdict::passed;
    std::string sentence = {};      ///< why it has not passed
    std::string waveform = {};      ///< the file that shows the first violation; empty: none
    std::uint64_t packet_hops = 0;  ///< that crossed links in the run
    /// Most cycles for which a node of the hardware let other packets pass one at the head of its queue
    /// (Usage::longest_wait). At the level links only; otherwise 0.
    std::uint64_t longest_wait = 0;
};

struct ConformReport {
    BroadcastExperiment base;  ///< with the node, links, hosts and hardware that all checks begin from
    std::string level;         ///< pins, links or packets
    std::vector<ConformOutcome> outcomes;
    /// Every check that it is built for has passed, the first among them.
    bool conforms() const;
};

inline constexpr const char* default_waveforms = "interlace-conform";

struct ConformOptions {
    BroadcastExperiment
        base;  ///< network, nodes (a cycle engine), packets, seed; its shadow_level is the level
    std::string waveforms = default_waveforms;  ///< files of that name, -CHECK.vcd
    std::vector<std::string> only = {};         ///< checks; all where empty
    std::function<void(const ConformOutcome&)> done = {};
};

/// Runs the checks on the nodes of `base` that are hardware. Throws InputError where there are none, where a
/// check of `only` is none, or where the first check cannot run; NoDevice where there is no device for it. A
/// device that is not there for a later check ends the list with that one.
ConformReport conform(const ConformOptions& options);

Json to_json(const ConformReport& report);

}  // namespace interlace
