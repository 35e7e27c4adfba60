// Interlace: regions that run on their own between two exchanges of packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "windows.h"

#include <algorithm>

namespace interlace {

Windows::Windows(const Fabric& fabric, std::vector<Region*> regions, std::span<const std::uint32_t> part_of)
    : part_of_(part_of), parts_(regions.size()) {
    for (std::size_t i = 0; i < regions.size(); ++i) {
        parts_[i].region = regions[i];
        for (State& state : parts_[i].states) state.told.resize(regions.size());
    }
    for (std::uint32_t v = 0; v < fabric.nodes; ++v)
        for (std::uint32_t p = 0; p < fabric.ports; ++p) {
            const std::uint32_t far = fabric.to[std::size_t{v} * fabric.ports + p].node;
            if (far == UINT32_MAX || part_of[far] == part_of[v]) continue;
            length_ = std::min<std::uint64_t>(length_, fabric.flit_delay(v, p) + 2);
        }
}

std::uint64_t Windows::run(std::uint64_t cycle, std::uint64_t until, const std::vector<PinHosts*>& hosts,
                           ThreadPool* threads) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        parts_[i].hosts = hosts[i];
        parts_[i].cycle = cycle;
        parts_[i].states[1].next = cycle;  // of the window before the first
    }
    if (threads != nullptr)
        threads->run([&](std::size_t thread, std::size_t count) { work(until, thread, count, threads); });
    else
        work(until, 0, 1, nullptr);
    rethrow();
    return parts_[0].cycle;
}

/// What a thread does. Every window has an exchange at its end, at which all threads meet, and one more where
/// some hosts are done: only when all others have run is it known whether that was the end.
void Windows::work(std::uint64_t until, std::size_t thread, std::size_t threads, ThreadPool* pool) {
    const auto each_own = [&](const auto& visit) {
        for (std::size_t i = thread; i < parts_.size(); i += threads) visit(parts_[i]);
    };
    const auto meet = [&] {
        if (pool != nullptr) pool->meet();
    };
    for (std::uint64_t window = 0;; ++window) {
        // The window before this one is even where the one behind it is.
        const std::uint64_t next = std::max(next_after(window + 1), parts_[thread].cycle);
        std::uint64_t end = next >= until || until - next <= length_ ? until : next + length_;
        each_own([&](Part& part) { run_window(part, window, end); });
        meet();
        const Outcome all = outcome(window, 0);
        if (all.failed) return;
        if (all.any_done) {
            if (all.all_done) end = all.last;
            each_own([&](Part& part) {
                State& state = part.states[window % 2];
                state.ends[1] = go_on(part, state, end, false);
            });
            meet();
            if (outcome(window, 1).failed) return;
        }
        if (end != until && !all.all_done) continue;
        each_own([&](Part& part) { collect(part, window); });
        return;
    }
}

std::uint64_t Windows::next_after(std::uint64_t window) const {
    std::uint64_t next = UINT64_MAX;
    for (const Part& part : parts_) next = std::min(next, part.states[window % 2].next);
    return next;
}

Windows::Outcome Windows::outcome(std::uint64_t window, std::size_t meeting) const {
    Outcome all;
    for (const Part& part : parts_) {
        const End& end = part.states[window % 2].ends[meeting];
        all.failed = all.failed || end.failed;
        all.any_done = all.any_done || end.done;
        all.all_done = all.all_done && end.done;
        all.last = std::max(all.last, end.cycle);
    }
    return all;
}

void Windows::run_window(Part& part, std::uint64_t window, std::uint64_t to) {
    State& state = part.states[window % 2];
    for (LinkTokens& told : state.told) told.clear();
    state.next = UINT64_MAX;
    if (window != 0) collect(part, window - 1);
    state.ends[0] = go_on(part, state, to, true);
}

/// `stops`: when its hosts are done.
Windows::End Windows::go_on(Part& part, State& state, std::uint64_t to, bool stops) {
    try {
        while (part.cycle < to && !part.thrown && !(stops && part.hosts->done())) {
            const std::uint64_t free = std::min(part.hosts->busy_from(part.cycle), to) - part.cycle;
            const std::uint64_t idle = free == 0 ? 0 : std::min(free, part.region->idle());
            if (idle == 0) {
                tick(part, state);
            } else {
                part.region->skip(idle);
                part.cycle += idle;
            }
        }
        const std::uint64_t busy = part.hosts->busy_from(part.cycle);
        const std::uint64_t idle = busy == part.cycle ? 0 : part.region->idle();
        state.next =
            std::min({state.next, busy, idle > UINT64_MAX - part.cycle ? UINT64_MAX : part.cycle + idle});
    } catch (...) {
        part.thrown = std::current_exception();
    }
    return {part.cycle, part.hosts->done(), part.thrown != nullptr};
}

void Windows::tick(Part& part, State& state) {
    part.inputs.clear();
    part.outputs.clear();
    part.hosts->drive(part.cycle, part.inputs);
    part.region->tick(part.inputs, part.outputs);
    part.outputs.sort_receptions();
    tell(part.outputs.ahead, state);
    part.hosts->receive(part.outputs, part.cycle);
    ++part.cycle;
}

void Windows::tell(const LinkTokens& tokens, State& state) const {
    for (const LinkPacket& packet : tokens.packets) {
        state.told[part_of_[packet.node]].packets.push_back(packet);
        state.next = std::min(state.next, packet.when.first);
    }
    for (const LinkReturn& freed : tokens.returns) {
        state.told[part_of_[freed.node]].returns.push_back(freed);
        state.next = std::min(state.next, freed.what.first);
    }
}

void Windows::collect(Part& part, std::uint64_t window) {
    try {
        for (const Part& from : parts_) {
            const LinkTokens& told =
                from.states[window % 2].told[static_cast<std::size_t>(&part - parts_.data())];
            if (!told.empty()) part.region->take(told);
        }
    } catch (...) {
        part.thrown = std::current_exception();
    }
}

void Windows::rethrow() {
    Part* first = nullptr;
    for (Part& part : parts_)
        if (part.thrown && (first == nullptr || part.cycle < first->cycle)) first = &part;
    if (first != nullptr) std::rethrow_exception(first->thrown);
}

void Windows::exchange(const std::vector<RegionOutputs>& outputs) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        State& state = parts_[i].states[0];
        for (LinkTokens& told : state.told) told.clear();
        tell(outputs[i].ahead, state);
    }
    for (Part& part : parts_) collect(part, 0);
    rethrow();
}

}  // namespace interlace
