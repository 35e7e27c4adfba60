// Interlace: the switches and workstations of a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "interlace/config/config_map.h"
#include "interlace/measure/json_result.h"
#include "interlace/network/network.h"

namespace interlace {

/// `wormhole`: flit by flit, on the cycle engines alone (harness/message_run.h).
enum class FrameSwitching { store_and_forward, cut_through, wormhole };
enum class StoredFrom { everywhere, trunks };

/// What carries a message in pieces: `mtu` bytes of it in each frame, and `overhead` bytes of headers,
/// preamble and gap besides on the wire (Ethernet: 38, of which TCP and IP take more from the mtu).
struct FrameParameters {
    std::uint32_t mtu = 1500;
    std::uint32_t overhead = 38;
    std::uint32_t minimum = 84;  ///< bytes on the wire, at least
};

enum class Buffering { output, shared, input };
enum class Arbitration { first_come, round_robin };

/// What happens where a switch has no room. `drop`: the frame is lost. `credit`: the sender waits; a sender
/// knows the room of each link's own frames at its far end, and news of room takes the link's latency.
/// `pause` (IEEE 802.3x): a switch stops a sender whose frames in it are `pause_at`, and lets it go on at
/// `resume_at`; news takes the link's latency and the time of a smallest frame, and what comes meanwhile and
/// finds no room is lost.
enum class Flow { drop, pause, credit };

/// One switch. A frame takes room from when the switch has it until its last bit has left.
struct SwitchParameters {
    FrameSwitching forwarding = FrameSwitching::store_and_forward;
    /// `trunks`: a frame from a machine goes on as it comes in, as if machine and switch were one. So a path
    /// over d switches delays a frame d - 1 times, as the all-gather paper counts.
    StoredFrom stored_from = StoredFrom::everywhere;
    /// Where frames wait: at each output, in one pool, or at each input (then the first one blocks those
    /// behind it, wherever they go; an input hands a frame over at its own link's rate). First in first out.
    Buffering buffering = Buffering::output;
    /// Of `input`: which input an output takes next: the one that has asked longest, or the next one that
    /// asks in the order of the switch's ports (docs/node.md, section 5).
    Arbitration arbitration = Arbitration::first_come;
    /// Frames of each output, pool or input; under `credit` those of each link, wherever they wait; under
    /// `wormhole` flits of `header` bytes. 0: infinite.
    std::uint32_t capacity = 0;
    std::uint32_t output_room = 0;  ///< of `input`: frames that an output takes while it cannot send them
    std::uint32_t pause_at = 0;     ///< of `pause`: frames of one link in the switch
    std::uint32_t resume_at = 0;
    std::uint64_t delay_ps = 0;  ///< from the whole frame (cut-through: its header) to its place in a queue
    std::uint32_t header = 14;   ///< bytes that cut-through waits for
};

/// All machines have one port that sends and receives at the same time. Times in picoseconds.
struct WorkstationParameters {
    /// t_ini: of a message, in which its sender starts no other. One for all machines, or one for each.
    std::vector<std::uint64_t> start = {0};
    std::uint64_t send_overhead = 0;     ///< O_s: of each frame, while the frame before it is on the wire
    std::uint64_t gap = 0;               ///< g: between the beginnings of two frames, at least
    std::uint64_t receive_overhead = 0;  ///< O_r + U_r: of each frame, one after the other
    std::uint64_t barrier = 0;           ///< from the last machine's coming to every machine's going on
    double stall_probability = 0;  ///< that O_s of a frame takes longer, as its machine is not scheduled
    std::uint64_t stall = 0;       ///< how much longer
    std::uint64_t start_skew = 0;  ///< a machine does nothing before a random time from 0 to this
    std::uint64_t jitter = 0;      ///< O_s and O_r of each frame take longer, by 0 to this at random

    /// Whether runs with different seeds differ.
    bool random() const { return (stall_probability > 0 && stall > 0) || start_skew > 0 || jitter > 0; }
};

enum class Window { go_back_n, reno };

/// Between each two machines, where switches may drop frames or a window is wanted. Acknowledgements come
/// `acknowledge` after each frame, at no cost (as if carried by other frames). Times in picoseconds.
/// - `go_back_n`: a receiver takes frames in order only; a sender that hears nothing for `timeout` sends all
///   that was not acknowledged again.
/// - `reno`: TCP in kind (Jacobson 1988; RFC 5681, 6298, 6582): a receiver keeps what comes early; a sender
///   has at most a window of frames on their way, which starts with `initial_window`, grows by slow start and
///   then by a frame a round trip, and is halved by a loss that three repeated acknowledgements tell, or one
///   after a time-out: by the estimate of round trips, but `timeout` at least, doubled each time. The window
///   is not inflated in recovery.
struct ReliabilityParameters {
    std::uint64_t timeout = 20'000'000'000;   ///< 20 ms; 1 us at least
    std::uint64_t acknowledge = 100'000'000;  ///< 100 us
    Window window = Window::go_back_n;
    std::uint32_t initial_window = 2;  ///< frames
};

/// How machines pass messages (program/protocol.h).
struct ProtocolParameters {
    std::uint64_t eager_limit = UINT64_MAX;  ///< bytes of a message that is sent without asking, at most
    std::uint64_t copy = 0;            ///< of such a message, picoseconds a byte, to copy it when it is there
    bool barrier_of_messages = false;  ///< else barriers cost WorkstationParameters::barrier
};

struct EventParameters {
    FrameParameters frame;
    Flow flow = Flow::drop;
    SwitchParameters switches;                                      ///< of all but those of `other_switches`
    std::map<std::uint32_t, SwitchParameters> other_switches = {};  ///< by their numbers
    WorkstationParameters workstation;
    ReliabilityParameters reliability = {};
    ProtocolParameters protocol = {};

    const SwitchParameters& of_switch(std::uint32_t number) const {
        const auto other = other_switches.find(number);
        return other == other_switches.end() ? switches : other->second;
    }
    /// Whether any switch can drop a frame: with room that ends, and no credits.
    bool lossy() const;
    /// Whether any switch has room that ends.
    bool bounded() const;
};

/// The key `event` of a cluster's file (docs/clusters.md). Throws InputError with file, line and key; where
/// the cluster is given, also for switches that it does not have and for as many values of start_us as it has
/// no machines.
EventParameters read_event_parameters(ConfigMap config, const Network* cluster = nullptr);

/// Those of the file that a network "cluster:FILE.yaml" comes from, or the defaults. `overrides` are
/// "event.frame.mtu=1000" and so on. Held against the cluster where it is given.
EventParameters event_parameters(const std::string& network, const std::vector<std::string>& overrides,
                                 const Network* cluster = nullptr);

Json to_json(const EventParameters& parameters);

}  // namespace interlace
