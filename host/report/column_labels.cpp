// Interlace: the columns of a sweep as readers see them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "column_labels.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace interlace {
namespace {

struct Row {
    std::string_view name, label, unit;
};

// Units as in configs/schema and docs/metrics.md, which tests/documentation/units_test.py compares.
constexpr std::array columns_of_results = {
    // Keys of experiments
    Row{"allgather.algorithm", "Algorithm", ""},
    Row{"allgather.chunks", "Packets of a node", "packets"},
    Row{"allgather.message", "Message size", "bytes"},
    Row{"allreduce.algorithm", "Algorithm", ""},
    Row{"allreduce.chunks", "Sums for each node", "packets"},
    Row{"allreduce.message", "Message size", "bytes"},
    Row{"alltoall.algorithm", "Algorithm", ""},
    Row{"alltoall.block", "Block", "phases"},
    Row{"alltoall.chunks", "Packets of a pair", "packets"},
    Row{"alltoall.message", "Message size", "bytes"},
    Row{"alltoall.window", "Window", "packets"},
    Row{"background.burst_cycles", "Mean length of background bursts", "cycles"},
    Row{"background.burst_load", "Background load in a burst", "flits/node/cycle"},
    Row{"background.load", "Background load", "flits/node/cycle"},
    Row{"barrier.algorithm", "Algorithm", ""},
    Row{"broadcast.algorithm", "Algorithm", ""},
    Row{"broadcast.group", "Group", ""},
    Row{"broadcast.packets", "Broadcast packets", "packets"},
    Row{"capacity.paths", "Allowed paths", ""},
    Row{"capacity.pattern", "Traffic pattern", ""},
    Row{"costs.hop_us", "Time of a hop", "us"},
    Row{"costs.rate_mbps", "Rate of a link", "Mbit/s"},
    Row{"costs.start_us", "Start of a round", "us"},
    Row{"ejection_limit", "Limit of the reception queues", "flits/node/cycle"},
    Row{"engine", "Engine", ""},
    Row{"event.frame.minimum", "Minimum frame", "bytes"},
    Row{"event.frame.mtu", "Maximum payload of a frame", "bytes"},
    Row{"event.frame.overhead", "Overhead of a frame", "bytes"},
    Row{"event.protocol.copy_ns_per_byte", "Time to copy", "ns/byte"},
    Row{"event.protocol.eager_limit", "Eager limit", "bytes"},
    Row{"event.reliability.acknowledge_us", "Time to acknowledge", "us"},
    Row{"event.reliability.initial_window", "First window", "frames"},
    Row{"event.reliability.timeout_us", "Time-out", "us"},
    Row{"event.switch.buffering", "Switch buffering", ""},
    // in frames; under wormhole switching in flits
    Row{"event.switch.capacity", "Switch buffer capacity", ""},
    Row{"event.switch.delay_us", "Switch delay", "us"},
    Row{"event.switch.header", "Header", "bytes"},
    Row{"event.switch.output_room", "Room of an output", "frames"},
    Row{"event.switch.pause_at", "Pause at", "frames"},
    Row{"event.switch.resume_at", "Resume at", "frames"},
    Row{"event.workstation.barrier_us", "Cost of a barrier", "us"},
    Row{"event.workstation.gap_us", "Gap", "us"},
    Row{"event.workstation.jitter_us", "Maximum jitter", "us"},
    Row{"event.workstation.receive_overhead_us", "Receive overhead", "us"},
    Row{"event.workstation.send_overhead_us", "Send overhead", "us"},
    Row{"event.workstation.stall_us", "Length of a stall", "us"},
    Row{"event.workstation.start_skew_us", "Maximum start skew", "us"},
    Row{"event.workstation.start_us", "Start time", "us"},
    Row{"forwarding", "Forwarding", ""},
    Row{"gather.algorithm", "Algorithm", ""},
    Row{"gather.chunks", "Gathered packets of a node", "packets"},
    Row{"gather.message", "Message size", "bytes"},
    Row{"gather.root", "Root of the gather", ""},
    Row{"host.base", "Host timing", ""},
    Row{"host.combine_cycles", "Host time to combine a packet", "cycles"},
    Row{"host.copy_cycles", "Host time to copy a packet", "cycles"},
    Row{"host.jitter_cycles", "Maximum host jitter", "cycles"},
    Row{"host.memory_packets", "Packets that a host can hold", "packets"},
    Row{"host.receive_cycles", "Host time to receive a packet", "cycles"},
    Row{"host.reserve_flits", "Reserve of an injection queue", "flits"},
    Row{"host.send_cycles", "Host time to send a packet", "cycles"},
    Row{"host.start_skew_cycles", "Maximum start skew", "cycles"},
    Row{"links.base", "Link timing", ""},
    Row{"links.cycles_per_flit", "Link time per flit", "cycles"},
    Row{"links.error_burst", "Bits that an error inverts", "bits"},
    Row{"links.latency", "Link latency", "cycles"},
    Row{"links.latency_per_hop", "Link latency per hop", "cycles"},
    Row{"links.replay_flits", "Window of the link layer", "flits"},
    Row{"multicast.message", "Message size", "bytes"},
    Row{"network", "Network", ""},
    Row{"node.arbitration", "Arbitration", ""},
    Row{"node.base", "Node", ""},
    Row{"node.flit_bytes", "Flit size", "bytes"},
    Row{"node.injection_depth", "Injection queue depth", "flits"},
    Row{"node.packet_flits", "Longest packet", "flits"},
    Row{"node.reception_depth", "Reception queue depth", "flits"},
    Row{"node.vc_depth", "Virtual channel depth", "flits"},
    Row{"order", "Order of packets", ""},
    Row{"pace", "Pace", ""},
    Row{"reduce.algorithm", "Algorithm", ""},
    Row{"reduce.chunks", "Sums", "packets"},
    Row{"reduce.message", "Message size", "bytes"},
    Row{"reduce.root", "Root of the reduce", ""},
    Row{"reducescatter.algorithm", "Algorithm", ""},
    Row{"reducescatter.chunks", "Sums of a node", "packets"},
    Row{"reducescatter.message", "Message size", "bytes"},
    Row{"scatter.algorithm", "Algorithm", ""},
    Row{"scatter.chunks", "Packets for a node", "packets"},
    Row{"scatter.message", "Message size", "bytes"},
    Row{"scatter.root", "Root of the scatter", ""},
    Row{"seed", "Seed", ""},
    Row{"traffic.burst_cycles", "Mean length of bursts", "cycles"},
    Row{"traffic.burst_load", "Offered load in a burst", "flits/node/cycle"},
    Row{"traffic.cycles", "Measured time", "cycles"},
    Row{"traffic.load", "Offered load", "flits/node/cycle"},
    Row{"traffic.packet_flits", "Packet length", "flits"},
    Row{"traffic.pattern", "Traffic pattern", ""},
    // Members of results
    Row{"accepted_load", "Accepted load", "flits/node/cycle"},
    Row{"background.accepted_load", "Accepted background load", "flits/node/cycle"},
    Row{"background.latency_before", "Mean background latency before the broadcast", "cycles"},
    Row{"background.latency_mean", "Mean background latency", "cycles"},
    Row{"capacity_at_most", "Upper bound on capacity", "flits/node/cycle"},
    Row{"carried", "Below saturation", ""},
    Row{"cycles", "Cycles", "cycles"},
    Row{"cycles_per_step", "Cycles per step", "cycles"},
    Row{"excess_cycles", "Excess over the prediction", "cycles"},
    Row{"gap", "Gap to the lower bound", "steps"},
    Row{"generated_load", "Generated load", "flits/node/cycle"},
    Row{"injection_limit", "Limit of the injection queues", "flits/node/cycle"},
    Row{"latency_max", "Maximum latency", "cycles"},
    Row{"latency_mean", "Mean latency", "cycles"},
    Row{"latency_median", "Median latency", "cycles"},
    Row{"latency_p95", "95th percentile of latency", "cycles"},
    Row{"latency_p99", "99th percentile of latency", "cycles"},
    Row{"latency_us", "Planned latency", "us"},
    Row{"link_packets", "Packets over the fullest link of each round", "packets"},
    Row{"link_utilisation", "Link utilisation", ""},
    Row{"links_usable", "Usable links", "links"},
    Row{"load", "Messages over the busiest link", ""},
    Row{"longest_queue", "Longest queue", "frames"},
    Row{"lower_bound", "Lower bound", "steps"},
    Row{"lower_bound_seconds", "Lower bound of the time", "s"},
    Row{"max_plus_cycles", "Predicted cycles", "cycles"},
    Row{"mean_distance_distinct", "Mean distance", "links"},
    Row{"mean_hops", "Mean path length", "links"},
    Row{"node_packets", "Packets that a node sends", "packets"},
    Row{"nodes", "Nodes", "nodes"},
    Row{"packets", "Packets", "packets"},
    Row{"packets_dropped", "Dropped packets", "packets"},
    Row{"packets_missing", "Missing packets", "packets"},
    Row{"packets_retransmitted", "Retransmitted packets", "packets"},
    Row{"peak_packets_in_flight", "Peak packets in flight", "packets"},
    Row{"peak_packets_waiting", "Peak packets waiting", "packets"},
    Row{"peak_send_list_packets_waiting", "Peak packets waiting in a send list", "packets"},
    Row{"peak_throughput_mbps", "Peak throughput", "Mbit/s"},
    Row{"queues.injection.depth", "Injection queues: depth", "flits"},
    Row{"queues.injection.high_water", "Injection queues: maximum occupancy", "flits"},
    Row{"queues.injection.mean", "Injection queues: mean occupancy", "flits"},
    Row{"queues.injection.stall_cycles", "Injection queues: stalls", "cycles"},
    Row{"queues.reception.depth", "Reception queues: depth", "flits"},
    Row{"queues.reception.high_water", "Reception queues: maximum occupancy", "flits"},
    Row{"queues.reception.mean", "Reception queues: mean occupancy", "flits"},
    Row{"queues.reception.stall_cycles", "Reception queues: stalls", "cycles"},
    Row{"queues.virtual_channel.depth", "Virtual channels: depth", "flits"},
    Row{"queues.virtual_channel.high_water", "Virtual channels: maximum occupancy", "flits"},
    Row{"queues.virtual_channel.mean", "Virtual channels: mean occupancy", "flits"},
    Row{"queues.virtual_channel.stall_cycles", "Virtual channels: stalls", "cycles"},
    Row{"rounds", "Rounds", ""},
    Row{"routing.capacity", "Capacity of the routing", "flits/node/cycle"},
    Row{"routing.link_load", "Packets over the fullest link of the routing", "packets"},
    Row{"routing.share", "Share of the capacity that the routing reaches", ""},
    Row{"saturation_load", "Saturation load", "flits/node/cycle"},
    Row{"seconds", "Time", "s"},
    Row{"sends", "Sends", "sends"},
    Row{"sends_per_packet", "Sends per packet", ""},
    Row{"share_of_bound", "Share of the bound", ""},
    Row{"steps", "Steps", "steps"},
    Row{"throughput_mbps", "Throughput", "Mbit/s"},
    Row{"warmup", "Warm-up", "cycles"},
};

// Members that mean something else in results of capacity.
constexpr std::array rows_of_capacity = {
    Row{"capacity", "Capacity", "flits/node/cycle"},
    Row{"gap", "Relative gap to the lower bound", ""},
    Row{"link_load", "Packets over the fullest link", "packets"},
    Row{"lower_bound", "Lower bound of the fullest link", "packets"},
};

template <class Rows>
const Row* row_of(const Rows& list, const std::string& column) {
    const auto* const found =
        std::find_if(list.begin(), list.end(), [&](const Row& row) { return row.name == column; });
    return found == list.end() ? nullptr : found;
}

struct Suffix {
    std::string_view name, label;
};
constexpr std::array of_runs = {
    Suffix{"_of_runs.half_interval", "half of the 95% interval"}, Suffix{"_of_runs.max", "maximum of runs"},
    Suffix{"_of_runs.mean", "mean of runs"}, Suffix{"_of_runs.min", "minimum of runs"},
    Suffix{"_of_runs.runs", "number of runs"}};

}  // namespace

ColumnLabel label_of(const std::string& column, bool of_capacity) {
    for (const Suffix& suffix : of_runs)
        if (column.ends_with(suffix.name)) {
            ColumnLabel label = label_of(column.substr(0, column.size() - suffix.name.size()), of_capacity);
            label.label.append(", ").append(suffix.label);
            if (suffix.name.ends_with(".runs")) label.unit.clear();
            return label;
        }
    const Row* row = of_capacity ? row_of(rows_of_capacity, column) : nullptr;
    if (row == nullptr) row = row_of(columns_of_results, column);
    if (row == nullptr) return {column, ""};
    return {std::string(row->label), std::string(row->unit)};
}

Json labelled(const std::vector<std::string>& columns) {
    const bool of_capacity = std::find(columns.begin(), columns.end(), "capacity") != columns.end();
    Json list = Json::array();
    for (const std::string& name : columns) {
        const ColumnLabel label = label_of(name, of_capacity);
        list.push_back({{"name", name}, {"label", label.label}, {"unit", label.unit}});
    }
    return list;
}

}  // namespace interlace
