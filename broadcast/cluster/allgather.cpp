// Interlace: all-to-all broadcast (all-gather) as programs of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/allgather.h"

#include <bit>
#include <numeric>

#include "in_turn.h"

namespace interlace {
namespace {

using Blocks = std::vector<std::uint32_t>;

Blocks all_blocks(std::uint32_t machines) {
    Blocks blocks(machines);
    std::iota(blocks.begin(), blocks.end(), 0U);
    return blocks;
}

}  // namespace

MessageProgram ring_allgather(const Ring& ring, std::uint64_t bytes, bool barriers) {
    const auto machines = static_cast<std::uint32_t>(ring.size());
    InTurn program(machines);
    for (std::uint32_t step = 0; step + 1 < machines; ++step) {
        std::vector<InTurn::Transfer> transfers;
        for (std::uint32_t i = 0; i < machines; ++i)
            transfers.push_back(
                {ring[i], ring[(i + 1) % machines], {ring[(i + machines - step) % machines]}});
        program.step(transfers, bytes);
        if (barriers) program.barrier();
    }
    return program.take();
}

MessageProgram recursive_doubling_allgather(std::uint32_t machines, std::uint64_t bytes) {
    const std::uint32_t core = std::bit_floor(machines);
    InTurn program(machines);
    std::vector<InTurn::Transfer> transfers;
    for (std::uint32_t i = core; i < machines; ++i) transfers.push_back({i, i - core, {i}});
    program.step(transfers, bytes);
    std::vector<Blocks> held(core);
    for (std::uint32_t i = 0; i < core; ++i) {
        held[i] = {i};
        if (i + core < machines) held[i].push_back(i + core);
    }
    for (std::uint32_t distance = 1; distance < core; distance *= 2) {
        transfers.clear();
        for (std::uint32_t i = 0; i < core; ++i) transfers.push_back({i, i ^ distance, held[i]});
        program.step(transfers, bytes);
        for (const InTurn::Transfer& t : transfers)
            held[t.to].insert(held[t.to].end(), t.blocks.begin(), t.blocks.end());
    }
    transfers.clear();
    for (std::uint32_t i = core; i < machines; ++i) {
        Blocks others = held[i - core];
        std::erase(others, i);
        transfers.push_back({i - core, i, others});
    }
    program.step(transfers, bytes);
    return program.take();
}

MessageProgram gather_broadcast_allgather(std::uint32_t machines, std::uint64_t bytes) {
    InTurn program(machines);
    for (std::uint32_t i = 1; i < machines; ++i) program.step({{i, 0, {i}}}, bytes);
    // Farthest first: machine 0 sends to the greatest power of two, both to half of that beyond them, ...
    std::vector<bool> holds(machines);
    holds[0] = true;
    for (std::uint32_t distance = std::bit_ceil(machines) / 2; distance > 0; distance /= 2)
        for (std::uint32_t i = 0; i + distance < machines; ++i) {
            if (!holds[i] || holds[i + distance]) continue;
            Blocks blocks = all_blocks(machines);
            std::erase(blocks, i + distance);
            program.step({{i, i + distance, blocks}}, bytes);
            holds[i + distance] = true;
        }
    return program.take();
}

}  // namespace interlace
