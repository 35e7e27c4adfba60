// Interlace: what the ranks of mpirun tell each other between two windows: packets, flits and credits
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "windows.h"

namespace interlace {
namespace {

void put(ByteWriter& bytes, const Told& told) {
    bytes.put(told.packets);
    bytes.put(told.returns);
    bytes.put(told.flits);
    bytes.put(told.raw_flits);
    bytes.put(told.credits);
}

void get(ByteReader& bytes, Told& told) {
    bytes.append_to(told.packets);
    bytes.append_to(told.returns);
    bytes.append_to(told.flits);
    bytes.append_to(told.raw_flits);
    bytes.append_to(told.credits);
}

/// visit(item, node, kind) for everything that is told.
template <class From, class Visit>
void each_kind(From& told, const Visit& visit) {
    visit(told.packets, &Told::packets, [](const LinkPacket& packet) { return packet.node; });
    visit(told.returns, &Told::returns, [](const LinkReturn& freed) { return freed.node; });
    const auto node = [](const auto& coming) { return coming.item.node; };
    visit(told.flits, &Told::flits, node);
    visit(told.raw_flits, &Told::raw_flits, node);
    visit(told.credits, &Told::credits, node);
}

}  // namespace

/// What regions have told of since, as soon as those at the border have run: it is on its way while inner
/// ones do.
void Windows::tell_ranks(std::uint64_t window) noexcept {
    if (neighbours_.empty()) return;
    told_runs_ += border_;
    for (std::uint64_t runs = 0; (runs = border_runs_.load(std::memory_order_acquire)) < told_runs_;)
        border_runs_.wait(runs, std::memory_order_acquire);
    for (const std::uint32_t rank : neighbours_) {
        ByteWriter bytes;
        for (Part& part : parts_) {
            const std::uint32_t place = part.place[own() + rank];
            if (place == UINT32_MAX) continue;
            Told& told = part.states[window % 2].told[place];
            put(bytes, told);
            told.clear();
        }
        ranks_.send(rank, bytes.take());
    }
}

/// The same over all ranks, and what these have told of.
Windows::Outcome Windows::ask_ranks(const Outcome& here) noexcept {
    std::array<std::uint64_t, 5> least = {here.next, ~here.last, here.failed ? 0U : 1U,
                                          here.any_done ? 0U : 1U, here.all_done ? 1U : 0U};
    ranks_.reduce(least, Reduction::least);
    for (const std::uint32_t rank : neighbours_) {
        const Bytes bytes = ranks_.receive(rank);
        for (ByteReader reader(bytes); !reader.at_end();) hear(rank, reader);
    }
    return {least[0], ~least[1], least[2] == 0, least[3] == 0, least[4] == 1};
}

/// What a region of another rank has told of.
void Windows::hear(std::uint32_t rank, ByteReader& bytes) {
    Told told;
    get(bytes, told);
    each_kind(told, [&](const auto& items, auto kind, const auto& node_of) {
        for (const auto& item : items)
            (heard_[rank * own() + part_of_.region_of(node_of(item))].*kind).push_back(item);
    });
}

}  // namespace interlace
