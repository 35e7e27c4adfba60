// Interlace: regions that run on their own between two exchanges
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "windows.h"

#include <algorithm>

namespace interlace {

Windows::Windows(const Fabric& fabric, const std::vector<Member>& regions, const NodeOwners& owners,
                 bool packets, Communicator& ranks)
    : f_(fabric), ranks_(ranks), part_of_(owners) {
    parts_.reserve(regions.size());
    for (const Member& member : regions) {
        Part& part = parts_.emplace_back(fabric.longest_delay);
        part.region = member.region;
        part.any_thread = member.any_thread;
        part.place.assign(regions.size() + ranks.size(), UINT32_MAX);
    }
    heard_.resize(ranks.alone() ? 0 : ranks.size() * regions.size());
    const NodeRange own_nodes = owners.own();
    for (std::uint32_t v = own_nodes.first; v < own_nodes.end(); ++v)
        for (std::uint32_t p = 0; p < fabric.ports; ++p) {
            if (const FarPort from = fabric.from(v, p); from.linked()) join(part_of_[v], part_of_[from.node]);
            const FarPort far = fabric.to(v, p);
            if (!far.linked() || part_of_[far.node] == part_of_[v]) continue;
            length_ = std::min<std::uint64_t>(length_, fabric.flit_delay(v, p) + (packets ? 2 : 1));
            join(part_of_[v], part_of_[far.node]);
        }
    for (Part& part : parts_) {
        std::sort(part.near.begin(), part.near.end());
        for (std::uint32_t i = 0; i < part.near.size(); ++i) {
            part.place[part.near[i]] = i;
            if (part.near[i] >= own()) neighbours_.push_back(part.near[i] - own());
        }
        part.inner = part.near.empty() || part.near.back() < own();
        border_ += part.inner ? 0 : 1;
        for (State& state : part.states) state.told.resize(part.near.size());
    }
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    // Windows are as long everywhere.
    length_ = ranks.reduced(length_, Reduction::least);
}

/// A region tells another one, or a rank.
void Windows::join(std::uint32_t from, std::uint32_t to) {
    if (from == to || parts_[from].place[to] != UINT32_MAX) return;
    parts_[from].place[to] = 0;
    parts_[from].near.push_back(to);
}

void Windows::Outcome::add(const Outcome& other) {
    next = std::min(next, other.next);
    last = std::max(last, other.last);
    failed = failed || other.failed;
    any_done = any_done || other.any_done;
    all_done = all_done && other.all_done;
}

std::uint64_t Windows::run(std::uint64_t cycle, std::uint64_t until, const std::vector<PinHosts*>& hosts,
                           ThreadPool* threads) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        parts_[i].hosts = hosts[i];
        parts_[i].cycle = cycle;
    }
    if (threads != nullptr)
        threads->run(
            [&](std::size_t thread, std::size_t count) { work(cycle, until, thread, count, threads); });
    else
        work(cycle, until, 0, 1, nullptr);
    rethrow();
    return parts_[0].cycle;
}

/// What a thread does. Every window has an exchange at its end, at which all threads meet, and one more where
/// some hosts are done: only when all others have run is it known whether that was the end.
void Windows::work(std::uint64_t from, std::uint64_t until, std::size_t thread, std::size_t threads,
                   ThreadPool* pool) {
    const auto each_own = [&](const auto& visit) {
        for (std::size_t i = 0; i < parts_.size(); ++i)
            if (thread == (parts_[i].any_thread ? i % threads : 0)) visit(parts_[i]);
    };
    std::uint64_t next = from;  // nothing happens before
    for (std::uint64_t window = 0;; ++window) {
        std::uint64_t end = next >= until || until - next <= length_ ? until : next + length_;
        each_own([&](Part& part) {
            if (part.inner) return;
            run_window(part, window, end);
            note_run(part);
        });
        if (thread == 0) tell_ranks(window);
        each_own([&](Part& part) {
            if (part.inner) run_window(part, window, end);
        });
        Outcome all = meet(window, 0, thread, pool);
        if (all.failed) return;
        if (all.any_done) {
            const bool over = all.all_done;
            if (over) end = all.last;
            each_own([&](Part& part) {
                State& state = part.states[window % 2];
                state.outcomes[1] = go_on(part, state, end, false);
                note_run(part);
            });
            if (thread == 0) tell_ranks(window);
            all = meet(window, 1, thread, pool);
            if (all.failed) return;
            all.all_done = over;
        }
        next = std::max(all.next, end);
        if (end != until && !all.all_done) continue;
        each_own([&](Part& part) { collect(part, window); });
        return;
    }
}

/// What all regions have come to, when all have.
Windows::Outcome Windows::meet(std::uint64_t window, std::size_t meeting, std::size_t thread,
                               ThreadPool* pool) {
    if (pool != nullptr) pool->meet();
    const auto outcome = [&] {
        Outcome all;
        for (const Part& part : parts_) all.add(part.states[window % 2].outcomes[meeting]);
        return all;
    };
    if (ranks_.alone()) return outcome();
    if (thread == 0) agreed_ = ask_ranks(outcome());
    if (pool != nullptr) pool->meet();
    return agreed_;
}

void Windows::note_run(const Part& part) {
    if (part.inner) return;
    border_runs_.fetch_add(1, std::memory_order_release);
    border_runs_.notify_one();
}

void Windows::run_window(Part& part, std::uint64_t window, std::uint64_t to) {
    State& state = part.states[window % 2];
    for (Told& told : state.told) told.clear();
    state.next = UINT64_MAX;
    if (window != 0) collect(part, window - 1);
    state.outcomes[0] = go_on(part, state, to, true);
}

std::uint64_t Windows::idle(const Part& part) {
    return std::min(part.region->idle(), part.arriving.idle());
}

/// `stops`: when its hosts are done.
Windows::Outcome Windows::go_on(Part& part, State& state, std::uint64_t to, bool stops) const {
    try {
        while (part.cycle < to && !part.thrown && !(stops && part.hosts->done())) {
            const std::uint64_t free = std::min(part.hosts->busy_from(part.cycle), to) - part.cycle;
            const std::uint64_t quiet = free == 0 ? 0 : std::min(free, idle(part));
            if (quiet == 0) {
                tick(part, state);
            } else {
                part.region->skip(quiet);
                part.arriving.skip(quiet);
                part.cycle += quiet;
            }
        }
        const std::uint64_t busy = part.hosts->busy_from(part.cycle);
        const std::uint64_t quiet = busy == part.cycle ? 0 : idle(part);
        state.next =
            std::min({state.next, busy, quiet > UINT64_MAX - part.cycle ? UINT64_MAX : part.cycle + quiet});
    } catch (...) {
        part.thrown = std::current_exception();
    }
    const bool done = part.hosts->done();
    return {state.next, part.cycle, part.thrown != nullptr, done, done};
}

void Windows::tick(Part& part, State& state) const {
    part.inputs.clear();
    part.outputs.clear();
    part.arriving.advance();
    part.inputs.flits = part.arriving.flits.due();
    part.inputs.raw_flits = part.arriving.raw_flits.due();
    part.inputs.credits = part.arriving.credits.due();
    part.hosts->drive(part.cycle, part.inputs);
    part.region->tick(part.inputs, part.outputs);
    part.outputs.sort_receptions();
    tell(part.outputs, part.cycle, part, state);
    part.hosts->receive(part.outputs, part.cycle);
    ++part.cycle;
}

/// What came of `cycle`.
void Windows::tell(const RegionOutputs& outputs, std::uint64_t cycle, const Part& part, State& state) const {
    const auto told = [&](std::uint32_t node) -> Told& { return state.told[part.place[part_of_[node]]]; };
    for (const LinkPacket& packet : outputs.ahead.packets) {
        told(packet.node).packets.push_back(packet);
        state.next = std::min(state.next, packet.when.first);
    }
    for (const LinkReturn& freed : outputs.ahead.returns) {
        told(freed.node).returns.push_back(freed);
        state.next = std::min(state.next, freed.what.first);
    }
    each_arrival(f_, outputs, [&](std::uint32_t delay, const auto& item) {
        const std::uint64_t when = cycle + 1 + delay;
        told(item.node).add(when, item);
        state.next = std::min(state.next, when);
    });
}

/// In the order of the regions of all ranks.
void Windows::collect(Part& part, std::uint64_t window) {
    const auto number = static_cast<std::uint32_t>(&part - parts_.data());
    const auto ranks = std::lower_bound(part.near.begin(), part.near.end(), own());
    const auto take_from = [&](auto first, auto last) {
        for (; first != last; ++first) {
            Told& told = heard_[(*first - own()) * own() + number];
            take(part, told);
            told.clear();
        }
    };
    const auto higher = std::lower_bound(ranks, part.near.end(), own() + ranks_.rank());
    try {
        take_from(ranks, higher);
        for (auto from = part.near.begin(); from != ranks; ++from)
            take(part, parts_[*from].states[window % 2].told[parts_[*from].place[number]]);
        take_from(higher, part.near.end());
    } catch (...) {
        part.thrown = std::current_exception();
    }
}

void Windows::take(Part& part, const Told& told) {
    if (!told.empty()) part.region->packet_exchange()->take(told);
    const auto push = [&](const auto& coming) {
        for (const auto& [cycle, item] : coming)
            part.arriving.push(static_cast<std::uint32_t>(cycle - part.cycle), item);
    };
    push(told.flits);
    push(told.raw_flits);
    push(told.credits);
}

void Windows::rethrow() {
    const Part* first = &parts_.front();
    for (const Part& part : parts_)
        if (part.thrown && (!first->thrown || part.cycle < first->cycle)) first = &part;
    rethrow_first(ranks_, first->cycle, first->thrown);
}

void Windows::exchange(const std::vector<RegionOutputs>& outputs) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        State& state = parts_[i].states[0];
        for (Told& told : state.told) told.clear();
        tell(outputs[i], 0, parts_[i], state);
    }
    for (Part& part : parts_) collect(part, 0);
    rethrow();
}

}  // namespace interlace
