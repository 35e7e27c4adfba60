// Interlace: synchronous shuffle exchange: complete exchange packet by packet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/shuffle.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "interlace/core/error.h"

namespace interlace {
namespace {

/// The round-robin tournament: in step r those play whose numbers add up to r modulo an odd n; who would play
/// himself plays number n, or rests where there is none.
std::uint32_t opponent(std::uint32_t machines, std::uint32_t id, std::uint32_t step) {
    const std::uint32_t n = machines - (machines % 2 == 0 ? 1 : 0);
    const std::uint32_t half =
        static_cast<std::uint32_t>(std::uint64_t{step} * ((n + 1) / 2) % n);  // 2 half = step
    if (id == n) return half;
    if (id == half) return machines == n ? id : n;
    return (step % n + n - id) % n;
}

}  // namespace

std::uint32_t shuffle_steps(Permutation permutation, std::uint32_t machines) {
    if (permutation == Permutation::exclusive_or && !std::has_single_bit(machines))
        throw InputError(fmt::format("cannot use the permutation xor on {} machines", machines),
                         "a power of two, or shift or edge_colour");
    return permutation == Permutation::edge_colour && machines % 2 == 1 && machines > 1 ? machines
                                                                                        : machines - 1;
}

std::uint32_t shuffle_to(Permutation permutation, std::uint32_t machines, std::uint32_t id,
                         std::uint32_t step) {
    if (permutation == Permutation::shift) return (id + step) % machines;
    if (permutation == Permutation::exclusive_or) return id ^ step;
    return opponent(machines, id, step);
}

std::uint32_t shuffle_from(Permutation permutation, std::uint32_t machines, std::uint32_t id,
                           std::uint32_t step) {
    if (permutation == Permutation::shift) return (id + machines - step) % machines;
    return shuffle_to(permutation, machines, id, step);
}

std::vector<std::uint32_t> reordered(std::uint32_t machines, std::uint32_t per_switch) {
    if (per_switch == 0 || machines % per_switch != 0)
        throw InputError(fmt::format("cannot reorder {} machines, {} per switch", machines, per_switch),
                         "as many machines on every switch");
    std::vector<std::uint32_t> logical(machines);
    for (std::uint32_t id = 0; id < machines; ++id)
        logical[id] = id / per_switch + id % per_switch * (machines / per_switch);
    return logical;
}

std::uint64_t shuffle_time(std::uint32_t machines, std::uint32_t packets, std::uint64_t gap,
                           std::uint64_t latency, std::uint64_t overheads) {
    return std::uint64_t{packets} * gap * (machines - 1) + latency - gap + overheads;
}

double uplink_packets(std::uint32_t machines, std::uint32_t per_switch) {
    return static_cast<double>(machines - per_switch) * per_switch / (machines - 1);
}

std::uint32_t global_window(std::uint32_t room, std::uint32_t machines, std::uint32_t per_switch) {
    // floor(room (p - 1) / ((p - d1) d1))
    const std::uint64_t crossing = std::uint64_t{machines - per_switch} * per_switch;
    const std::uint64_t window = std::uint64_t{room} * (machines - 1) / crossing;
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, window));
}

MessageProgram shuffle_exchange(std::uint32_t machines, const Shuffle& shuffle) {
    const std::uint32_t steps = shuffle_steps(shuffle.permutation, machines);
    const std::uint32_t packets = shuffle.packets();
    std::vector<std::uint32_t> logical = shuffle.logical;
    if (logical.empty()) {
        logical.resize(machines);
        std::iota(logical.begin(), logical.end(), 0U);
    }
    std::vector<std::uint32_t> physical(machines);
    for (std::uint32_t id = 0; id < machines; ++id) physical[logical[id]] = id;
    MessageProgram program;
    program.machines = machines;
    // Messages first, all sends of a machine in its order; so the message from i to j in a round is known.
    const std::size_t pairs = std::size_t{machines} * machines;
    std::vector<MessageId> message(pairs * packets);
    std::vector<std::vector<OperationId>> sends(machines), receives(machines);
    const auto each = [&](std::uint32_t id, auto partner, const auto& visit) {
        for (std::uint32_t round = 0; round < packets; ++round)
            for (std::uint32_t step = 1; step <= steps; ++step) {
                const std::uint32_t other =
                    physical[partner(shuffle.permutation, machines, logical[id], step)];
                if (other != id) visit(other, round);
            }
    };
    const auto block = [&](std::size_t from, std::size_t to, std::uint32_t round) {
        return static_cast<std::uint32_t>((from * machines + to) * packets + round);
    };
    for (std::uint32_t id = 0; id < machines; ++id)
        each(id, shuffle_to, [&](std::uint32_t to, std::uint32_t round) {
            const std::uint32_t carried = block(id, to, round);
            const std::uint64_t bytes =
                std::min(shuffle.packet_bytes, shuffle.bytes - round * shuffle.packet_bytes);
            sends[id].push_back(program.send({NodeId{id}, NodeId{to}, bytes, {carried}}));
            message[carried] = program.message_of(sends[id].back());
        });
    for (std::uint32_t id = 0; id < machines; ++id)
        each(id, shuffle_from, [&](std::uint32_t from, std::uint32_t round) {
            receives[id].push_back(program.receive(message[block(from, id, round)]));
        });
    for (std::uint32_t id = 0; id < machines; ++id)
        for (std::size_t n = 0; n < sends[id].size(); ++n) {
            if (n > 0) program.require(sends[id][n], sends[id][n - 1]);
            if (n > 0) program.require(receives[id][n], receives[id][n - 1]);
            // Before send n there are n sent packets; at most window - 1 of them may be unmatched.
            if (shuffle.window > 0 && n >= shuffle.window)
                program.require(sends[id][n], receives[id][n - shuffle.window]);
        }
    return program;
}

}  // namespace interlace
