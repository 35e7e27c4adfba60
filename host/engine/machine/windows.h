// Interlace: regions that run on their own between two exchanges
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/machine/node_owners.h"
#include "interlace/engine/region/link_lines.h"
#include "interlace/engine/region/pin_hosts.h"
#include "interlace/engine/region/region.h"
#include "interlace/ranks/communicator.h"
#include "thread_pool.h"

namespace interlace {

/// What a region tells others of: packets and room, or flits and credits, with the cycle in which they are on
/// pins at the far end.
struct Told : LinkTokens {
    template <class Item>
    struct Coming {
        std::uint64_t cycle;
        Item item;
    };
    std::vector<Coming<LinkFlit>> flits;
    std::vector<Coming<RawLinkFlit>> raw_flits;
    std::vector<Coming<Credit>> credits;

    void add(std::uint64_t cycle, const LinkFlit& flit) { flits.push_back({cycle, flit}); }
    void add(std::uint64_t cycle, const RawLinkFlit& flit) { raw_flits.push_back({cycle, flit}); }
    void add(std::uint64_t cycle, const Credit& credit) { credits.push_back({cycle, credit}); }
    void clear() {
        LinkTokens::clear();
        flits.clear();
        raw_flits.clear();
        credits.clear();
    }
};

/// Runs regions with their hosts, each for a window of cycles in which nothing that another one does can
/// reach it. Where regions exchange packets (LinkTokens), what one tells of it knows a link's delay, and two
/// cycles, ahead; flits and credits a link's delay, and one cycle. From a cycle before which nothing happens
/// anywhere, that is how long a window may be. Regions of other ranks are run by those: what these are told
/// is in flight while a rank runs its inner regions, which have no links to them.
class Windows {
  public:
    struct Member {
        Region* region;
        bool any_thread;  ///< false: only that which calls run()
    };
    /// `owners`: of which `regions` are those of this rank. Regions exchange packets where `packets` says so.
    Windows(const Fabric& fabric, const std::vector<Member>& regions, const NodeOwners& owners, bool packets,
            Communicator& ranks);

    /// Runs every region, with the hosts at its number, from `cycle` up to cycle `until`, or to the end of
    /// the one in which the last hosts of all ranks are done. Returns the cycle that comes next. What is
    /// thrown is the first in time, and of one cycle that of the lowest region.
    std::uint64_t run(std::uint64_t cycle, std::uint64_t until, const std::vector<PinHosts*>& hosts,
                      ThreadPool* threads);

    /// What is on its way to a region by links from others.
    LinkLines& arriving(std::uint32_t region) { return parts_[region].arriving; }

    /// Tells regions what others' ticks of one and the same cycle said of packets: `outputs`, [region].
    void exchange(const std::vector<RegionOutputs>& outputs);

  private:
    /// How far regions have come, and whether their hosts are done there.
    struct Outcome {
        std::uint64_t next = UINT64_MAX;  // nothing happens, for what is known, before this cycle
        std::uint64_t last = 0;           // cycle to come
        bool failed = false, any_done = false, all_done = true;
        void add(const Outcome& other);
    };
    /// What the others see of a region in a window.
    struct State {
        std::vector<Told> told;           // [place in Part::near]
        std::uint64_t next = 0;           // nothing happens, for what this one knows, before this cycle
        std::array<Outcome, 2> outcomes;  // of its first meeting, and its second
    };
    struct alignas(64) Part {
        explicit Part(std::uint32_t longest) : arriving(longest) {}
        Region* region = nullptr;
        bool any_thread = true;
        // Regions, and behind those ranks, that links lead to or come from; ascending.
        std::vector<std::uint32_t> near;
        std::vector<std::uint32_t> place;  // [region, or behind those rank]: in `near`
        bool inner = true;                 // none of these is a rank
        PinHosts* hosts = nullptr;
        std::uint64_t cycle = 0;  // to come
        RegionInputs inputs;
        RegionOutputs outputs;
        LinkLines arriving;           // flits and credits from others
        std::array<State, 2> states;  // of even and odd windows
        std::exception_ptr thrown;    // in `cycle`
    };

    void work(std::uint64_t from, std::uint64_t until, std::size_t thread, std::size_t threads,
              ThreadPool* pool);
    void join(std::uint32_t from, std::uint32_t to);
    Outcome meet(std::uint64_t window, std::size_t meeting, std::size_t thread, ThreadPool* pool);
    // A rank that cannot tell the others ends, and mpirun them: noexcept.
    void tell_ranks(std::uint64_t window) noexcept;
    void note_run(const Part& part);
    Outcome ask_ranks(const Outcome& here) noexcept;
    void hear(std::uint32_t rank, ByteReader& bytes);
    void run_window(Part& part, std::uint64_t window, std::uint64_t to);
    Outcome go_on(Part& part, State& state, std::uint64_t to, bool stops) const;
    static std::uint64_t idle(const Part& part);
    void tick(Part& part, State& state) const;
    void tell(const RegionOutputs& outputs, std::uint64_t cycle, const Part& part, State& state) const;
    void collect(Part& part, std::uint64_t window);
    static void take(Part& part, const Told& told);
    void rethrow();
    std::uint32_t own() const { return static_cast<std::uint32_t>(parts_.size()); }  // regions

    const Fabric& f_;
    Communicator& ranks_;
    NodeOwners part_of_;
    std::uint64_t length_ = UINT64_MAX / 2;  // of a window: the shortest link between two regions
    std::vector<Part> parts_;
    std::vector<std::uint32_t> neighbours_;       // ranks that links lead to or come from
    std::uint64_t border_ = 0;                    // regions that are not inner
    std::atomic<std::uint64_t> border_runs_ = 0;  // of these
    std::uint64_t told_runs_ = 0;                 // of these, what came of which ranks know
    std::vector<Told> heard_;                     // from other ranks in a window, [rank * regions + region]
    Outcome agreed_;                              // by all ranks, at the last meeting
};

}  // namespace interlace
