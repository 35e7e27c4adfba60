// Interlace: what nodes are, in a configuration file and in the results that repeat it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/config/config_map.h"
#include "interlace/experiment/nodes/cycles.h"

namespace interlace {

/// The keys node, links, rtl_nodes, systemc_nodes, devices, shadow, shadow_level, lockstep, occupancy,
/// regions, threads, host and seeds; those that are missing leave `options` as they are. A node without a
/// base is the one that `options` has.
void read_nodes(ConfigMap& config, CycleOptions& options);
void add_nodes(Json& json, const CycleOptions& options);
/// The key node, as read_node() reads it.
Json node_json(const NodeParameters& node);

/// The node for unicast traffic where no `base` names one: wide, or bgl where node.routing is
/// adaptive_bubble.
NodeParameters default_traffic_node(ConfigMap config);
/// What Routing::automatic stands for on a network that is known by its specification: a graph's file is not
/// read for that. Automatic where there is no such network, which a run refuses.
Routing routing_on(const std::string& network, const NodeParameters& node);

/// The keys pattern, warmup, burst_cycles and burst_load of a section for unicast traffic;
/// those that are missing leave what is there as it is.
void read_traffic_source(ConfigMap& map, std::string& pattern, TrafficOptions& traffic);
Json traffic_source_json(const std::string& pattern, const TrafficOptions& traffic);

/// Throws InputError where a trace, log, queue use or details are wanted of several runs.
void check_records(const Records& records, std::uint32_t runs);

/// Of each class of queues: depth, high_water, stall_cycles; where occupancy was counted, mean (flits) and
/// histogram (Usage::occupancy).
Json queues_json(const NodeParameters& node, const Usage& queues);
/// What a program's run on nodes took, whose schedule has so many steps.
void add_cycles(Json& json, const CycleResult& run, const CycleOptions& options, std::uint32_t steps);
/// Of links with a layer: link_layer, what crossed their wires.
void add_link_layer(Json& json, const LinkLayerUse& use);

}  // namespace interlace
