// Interlace: regions that run on their own between two exchanges of packets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "interlace/engine/region/fabric.h"
#include "interlace/engine/region/pin_hosts.h"
#include "thread_pool.h"

namespace interlace {

/// Runs regions with their hosts, each for a window of cycles in which nothing that another one does can
/// reach it: what one tells of (LinkTokens) it knows a link's delay, and two cycles, ahead. From a cycle
/// before which nothing happens anywhere, that is how long a window may be.
class Windows {
  public:
    /// What each of `regions` tells of goes to the region, `part_of`[node], of the node that it names; both
    /// have to stay.
    Windows(const Fabric& fabric, std::vector<Region*> regions, std::span<const std::uint32_t> part_of);

    /// Runs every region, with the hosts at its number, from `cycle` up to cycle `until`, or to the end of
    /// the one in which the last hosts are done. Returns the cycle that comes next. What is thrown is the
    /// first in time, and of one cycle that of the lowest region.
    std::uint64_t run(std::uint64_t cycle, std::uint64_t until, const std::vector<PinHosts*>& hosts,
                      ThreadPool* threads);

    /// Tells regions what others' ticks of one and the same cycle said: `outputs`, [region].
    void exchange(const std::vector<RegionOutputs>& outputs);

  private:
    /// How far a region has come, and whether its hosts are done there.
    struct End {
        std::uint64_t cycle = 0;
        bool done = false, failed = false;
    };
    /// What the others see of a region in a window; of `ends` the first one at its first meeting.
    struct State {
        std::vector<LinkTokens> told;  // [region]
        std::uint64_t next = 0;        // nothing happens, for what this one knows, before this cycle
        std::array<End, 2> ends;
    };
    struct alignas(64) Part {
        Region* region = nullptr;
        PinHosts* hosts = nullptr;
        std::uint64_t cycle = 0;  // to come
        RegionInputs inputs;
        RegionOutputs outputs;
        std::array<State, 2> states;  // of even and odd windows
        std::exception_ptr thrown;    // in `cycle`
    };
    /// Of all parts.
    struct Outcome {
        bool failed = false, any_done = false, all_done = true;
        std::uint64_t last = 0;
    };

    void work(std::uint64_t until, std::size_t thread, std::size_t threads, ThreadPool* pool);
    std::uint64_t next_after(std::uint64_t window) const;
    Outcome outcome(std::uint64_t window, std::size_t meeting) const;
    void run_window(Part& part, std::uint64_t window, std::uint64_t to);
    End go_on(Part& part, State& state, std::uint64_t to, bool stops);
    void tick(Part& part, State& state);
    void tell(const LinkTokens& tokens, State& state) const;
    void collect(Part& part, std::uint64_t window);
    void rethrow();

    std::span<const std::uint32_t> part_of_;
    std::uint64_t length_ = UINT64_MAX / 2;  // of a window: the shortest link between two regions
    std::vector<Part> parts_;
};

}  // namespace interlace
