// Interlace: a program of messages on switches and workstations, frame by frame
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/switches/event.h"

#include "fabric.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint64_t events_between_reports = std::uint64_t{1} << 18U;

}  // namespace

EventResult run_event(const Network& cluster, const Routes& routes, const MessageProgram& program,
                      const EventParameters& parameters, std::uint64_t seed,
                      const std::function<void(double)>& progress) {
    for (std::uint32_t s = 0; s < cluster.node_count() - cluster.endpoint_count(); ++s)
        if (parameters.of_switch(s).forwarding == FrameSwitching::wormhole)
            throw InputError("cannot use wormhole on the engine event, which moves whole frames",
                             "the engine native, or store_and_forward or cut_through");
    EventQueue events;
    FrameFabric fabric(cluster, routes, parameters, events, seed);
    Workstations workstations(program, parameters, fabric, events, seed);
    workstations.begin_all();
    for (std::uint64_t happened = 1; !events.empty(); ++happened) {
        if (progress && happened % events_between_reports == 0) progress(workstations.share_done());
        const EventQueue::Event event = events.next();
        if (event.kind == EventQueue::Kind::frame_at_machine)
            workstations.frame_at_machine(fabric.take(event.subject), event.time);
        else if (!workstations.happen(event))
            fabric.happen(event);
    }
    if (const auto open = workstations.first_open())
        throw FellShort("the program is stuck: " + workstations.waiting(*open));
    EventResult result;
    result.complete = workstations.times();
    for (const std::uint64_t time : result.complete) result.time_ps = std::max(result.time_ps, time);
    result.frames = workstations.frames();
    result.longest_queue = fabric.longest_queue();
    result.dropped = fabric.dropped();
    result.retransmitted = workstations.retransmitted();
    return result;
}

}  // namespace interlace
