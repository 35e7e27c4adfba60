// Interlace: all-to-all broadcast (all-gather) as programs of messages
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/allgather.h"

#include <bit>
#include <numeric>

namespace interlace {
namespace {

using Operations = std::vector<OperationId>;
using Blocks = std::vector<std::uint32_t>;

/// Machines that begin an operation when all of theirs before it are complete.
class InTurn {
  public:
    InTurn(std::uint32_t machines, std::uint64_t block_bytes) : block_bytes_(block_bytes), last_(machines) {
        program_.machines = machines;
    }

    /// Each pair (sender, receiver, blocks) of one step: a machine that is in two of them does both at once.
    struct Transfer {
        std::uint32_t from, to;
        Blocks blocks;
    };
    void step(const std::vector<Transfer>& transfers) {
        std::vector<std::pair<std::uint32_t, OperationId>> begun;
        for (const Transfer& t : transfers) {
            const OperationId send =
                program_.send({NodeId{t.from}, NodeId{t.to}, block_bytes_ * t.blocks.size(), t.blocks});
            begun.emplace_back(t.from, send);
            begun.emplace_back(t.to, program_.receive(program_.message_of(send)));
        }
        put_in_turn(begun);
    }
    void barrier() {
        std::vector<std::pair<std::uint32_t, OperationId>> begun;
        for (std::uint32_t i = 0; i < last_.size(); ++i)
            begun.emplace_back(i, program_.barrier(NodeId{i}, barriers_));
        ++barriers_;
        put_in_turn(begun);
    }
    MessageProgram take() { return std::move(program_); }

  private:
    void put_in_turn(const std::vector<std::pair<std::uint32_t, OperationId>>& begun) {
        for (const auto& [machine, operation] : begun)
            for (const OperationId before : last_[machine]) program_.require(operation, before);
        for (const auto& [machine, operation] : begun) last_[machine].clear();
        for (const auto& [machine, operation] : begun) last_[machine].push_back(operation);
    }

    MessageProgram program_;
    std::uint64_t block_bytes_;
    std::uint32_t barriers_ = 0;
    std::vector<Operations> last_;  // of each machine, the operations that it began last
};

Blocks all_blocks(std::uint32_t machines) {
    Blocks blocks(machines);
    std::iota(blocks.begin(), blocks.end(), 0U);
    return blocks;
}

}  // namespace

MessageProgram ring_allgather(const Ring& ring, std::uint64_t bytes, bool barriers) {
    const auto machines = static_cast<std::uint32_t>(ring.size());
    InTurn program(machines, bytes);
    for (std::uint32_t step = 0; step + 1 < machines; ++step) {
        std::vector<InTurn::Transfer> transfers;
        for (std::uint32_t i = 0; i < machines; ++i)
            transfers.push_back(
                {ring[i], ring[(i + 1) % machines], {ring[(i + machines - step) % machines]}});
        program.step(transfers);
        if (barriers) program.barrier();
    }
    return program.take();
}

MessageProgram recursive_doubling_allgather(std::uint32_t machines, std::uint64_t bytes) {
    const std::uint32_t core = std::bit_floor(machines);
    InTurn program(machines, bytes);
    std::vector<InTurn::Transfer> transfers;
    for (std::uint32_t i = core; i < machines; ++i) transfers.push_back({i, i - core, {i}});
    program.step(transfers);
    std::vector<Blocks> held(core);
    for (std::uint32_t i = 0; i < core; ++i) {
        held[i] = {i};
        if (i + core < machines) held[i].push_back(i + core);
    }
    for (std::uint32_t distance = 1; distance < core; distance *= 2) {
        transfers.clear();
        for (std::uint32_t i = 0; i < core; ++i) transfers.push_back({i, i ^ distance, held[i]});
        program.step(transfers);
        for (const InTurn::Transfer& t : transfers)
            held[t.to].insert(held[t.to].end(), t.blocks.begin(), t.blocks.end());
    }
    transfers.clear();
    for (std::uint32_t i = core; i < machines; ++i) {
        Blocks others = held[i - core];
        std::erase(others, i);
        transfers.push_back({i - core, i, others});
    }
    program.step(transfers);
    return program.take();
}

MessageProgram gather_broadcast_allgather(std::uint32_t machines, std::uint64_t bytes) {
    InTurn program(machines, bytes);
    for (std::uint32_t i = 1; i < machines; ++i) program.step({{i, 0, {i}}});
    // Farthest first: machine 0 sends to the greatest power of two, both to half of that beyond them, ...
    std::vector<bool> holds(machines);
    holds[0] = true;
    for (std::uint32_t distance = std::bit_ceil(machines) / 2; distance > 0; distance /= 2)
        for (std::uint32_t i = 0; i + distance < machines; ++i) {
            if (!holds[i] || holds[i + distance]) continue;
            Blocks blocks = all_blocks(machines);
            std::erase(blocks, i + distance);
            program.step({{i, i + distance, blocks}});
            holds[i + distance] = true;
        }
    return program.take();
}

}  // namespace interlace
