// Interlace: whether all ranks run the same experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/same_on_ranks.h"

#include "interlace/core/random.h"

namespace interlace {

void require_same_experiment(Communicator& ranks, const Json& experiment, const Network& network) {
    if (ranks.alone()) return;
    std::uint64_t hash = 0;
    for (const char c : version() + experiment.dump(-1, ' ', false, Json::error_handler_t::replace))
        hash = mixed_bits(hash ^ static_cast<unsigned char>(c));
    for (std::uint32_t link = 0; link < network.link_count(); ++link) {
        const LinkSpeed speed = network.speed(LinkId{link});
        for (const std::uint64_t value :
             {std::uint64_t{network.target(LinkId{link})}, speed.bits_per_second, speed.latency_ps})
            hash = mixed_bits(hash ^ value);
    }
    require_same(ranks, "the experiment", hash);
}

void require_same_messages(Communicator& ranks, const MessageProgram& program) {
    if (ranks.alone()) return;
    std::uint64_t hash = 0;
    const auto add = [&hash](std::initializer_list<std::uint64_t> values) {
        for (const std::uint64_t value : values) hash = mixed_bits(hash ^ value);
    };
    for (const Message& message : program.messages) add({message.from, message.to, message.bytes});
    for (const auto& operation : program.operations)
        add({static_cast<std::uint64_t>(operation.kind), operation.machine, operation.number});
    for (const auto* order : {&program.order, &program.start_order})
        for (const auto& [before, after] : *order) add({before, after});
    require_same(ranks, "the program of messages", hash);
}

void require_same_trace(Communicator& ranks, const std::vector<TracePacket>& trace) {
    if (ranks.alone()) return;
    std::uint64_t hash = 0;
    for (const auto& [cycle, from, to, flits] : trace)
        for (const std::uint64_t value :
             {cycle, std::uint64_t{from}, std::uint64_t{to}, std::uint64_t{flits}})
            hash = mixed_bits(hash ^ value);
    require_same(ranks, "the trace", hash);
}

}  // namespace interlace
