// Interlace: regions that make up a whole network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/machine/link_layer.h"
#include "interlace/engine/machine/node_owners.h"
#include "interlace/engine/region/lookahead.h"
#include "interlace/engine/region/node_states.h"
#include "interlace/engine/region/pin_hosts.h"
#include "interlace/engine/region/tokens.h"
#include "interlace/engine/region/usage.h"
#include "interlace/ranks/communicator.h"

namespace interlace {

class Region;
class RegisterAccess;
class ThreadPool;
class Windows;

/// A fabric cut into regions, each advanced by its own engine and joined by tokens. What it does depends
/// neither on the cut nor on the threads, nor on the ranks that it is run by: of those each has a machine
/// with the regions that are its own.
class Machine {
  public:
    struct Part {
        std::vector<NodeId> nodes;
        std::unique_ptr<Region> region;
        bool any_thread = true;  ///< false: the region ticks on the thread that calls tick() or run()
    };
    /// Every node belongs to exactly one part; all regions are supervised. `threads`: that tick regions side
    /// by side. `link_ends`: what the links' layer is made of, where the fabric has one
    /// (LinkParameters::has_layer); empty: native. Called by all `ranks`, which have to stay, with the parts
    /// that are theirs, whose nodes the fabric has wired; where there are several, the nodes of a rank follow
    /// one another and those of the rank before, all regions run alone (Region::runs_alone), and links have
    /// no layer.
    Machine(const Fabric& fabric, std::vector<Part> parts, std::uint32_t threads = 1,
            std::vector<NamedLinkEnds> link_ends = {}, Communicator& ranks = no_other_ranks());
    ~Machine();
    Machine(Machine&&) noexcept;

    /// Sees the number of a cycle, what the hosts' pins showed in it, and what came of it.
    using Observer = std::function<void(std::uint64_t, const RegionInputs&, const RegionOutputs&)>;

    /// Called before the first tick, if at all. Throws InputError where a region keeps no account of what is
    /// asked for (Region::queue_watch).
    void watch(Watch watch);
    /// `every_cycle`: skipped ones, in which nothing happens, too, so that none is skipped. `state`: passes
    /// what the observer remembers, as part of state(); empty: nothing.
    void observe(Observer observer, bool every_cycle = true, std::function<void(Archive&)> state = {}) {
        observers_.push_back(std::move(observer));
        if (state) states_.push_back(std::move(state));
        skips_ = skips_ && !every_cycle;
    }
    /// Whether the host of a node may hand over whole packets: its region takes them, and nobody looks at the
    /// hosts' pins.
    bool takes_packets(NodeId node) const;
    /// One cycle of every region; NodeFault as Region::supervise says. `hosts`: what the hosts' pins show in
    /// this cycle (injections, packets, ready). `outputs`: as Region::tick leaves them, with nothing for
    /// links but what is watched; cleared first; in the order of the nodes.
    void tick(const RegionInputs& hosts, RegionOutputs& outputs);
    /// The nodes of this rank in as many shares as hosts may be divided into, one of them for each, because
    /// nothing joins those of two shares but what regions exchange. One share of all nodes where somebody
    /// observes, and where regions do not run alone (Region::runs_alone) or are not of nodes that follow one
    /// another.
    std::vector<NodeRange> shares() const;
    /// work(i) for each of `shares` shares, on as many threads as there are.
    void each_share(std::size_t shares, const std::function<void(std::size_t)>& work);
    /// Called by all ranks. Goes on to cycle `until`, or to the end of the cycle in which the last hosts are
    /// done, with the hosts of each of shares(), which are called on any thread, but no two of one share at
    /// once. Leaves out cycles in which nothing can happen. Returns the cycle to come.
    std::uint64_t run(std::uint64_t until, const std::vector<PinHosts*>& hosts);
    /// Hosts that are known ahead of time: so devices may be. Called before the first tick, if at all.
    void foresee(MakeHostLookahead hosts);
    /// Of the bit errors of links. Called before the first tick, if at all.
    void seed_errors(std::uint64_t seed) {
        if (layer_) layer_->seed_errors(seed);
    }
    /// As Region's; 0 while someone observes every cycle.
    std::uint64_t idle() const;
    void skip(std::uint64_t cycles);
    std::uint32_t region_count() const { return region_count_; }  ///< of all ranks
    Communicator& ranks() const { return ranks_; }
    /// Whether it is this rank's, and whose it is.
    bool owns(NodeId node) const { return owners_.owns(node); }
    std::uint32_t rank_of(NodeId node) const { return owners_.rank_of(node); }
    NodeRange own_nodes() const { return owners_.own(); }
    /// Of this rank, ascending.
    std::vector<NodeId> nodes() const;
    /// Whether state() is there: all regions have one, and so has the links' layer. Called by all ranks.
    bool has_state() const;
    /// Called by all ranks: between two calls of run() or tick(), of which one has been before, to save; or,
    /// to load, before the first one and after watch(), observe() and foresee(). `whole`: what nodes have in
    /// common. Another cut may load it, unless a region keeps its nodes (RegionCheckpoint), or native
    /// nodes that are run packet by packet have neighbours of another engine: InputError.
    void state(NodeStates& nodes, Archive& whole);
    std::uint64_t cycle() const { return cycle_; }  ///< to come
    // Of nodes of this rank.
    Pins pins(NodeId node) const;
    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const;
    std::uint64_t stalled(NodeId node) const;
    /// Of all regions, called by all ranks.
    Usage usage() const;
    /// Null where the node has no registers, or works ahead of its host.
    RegisterAccess* registers_of(NodeId node) const;
    /// With Watch::each_queue.
    std::vector<QueueUse> queues(NodeId node) const;
    std::vector<std::uint64_t> stall_cycles(NodeId node) const;

  private:
    class Between;
    Region& region_of(NodeId node) const;
    void run_in_windows();
    void give_inputs(const RegionInputs& hosts);
    void deliver(const RegionOutputs& outputs);
    Usage of_all_ranks(const Usage& own) const;
    std::uint64_t needed_cut() const;
    void save_links(NodeStates& nodes) const;
    void load_links(NodeStates& nodes);

    const Fabric& f_;
    Communicator& ranks_;
    std::uint32_t region_count_ = 0;
    std::vector<Part> parts_;           // of this rank
    NodeOwners owners_;                 // by their places in parts_
    std::vector<RegionInputs> inputs_;  // of the coming cycle
    std::vector<RegionOutputs> outputs_;
    std::unique_ptr<Between> between_;  // what is in flight between regions
    std::unique_ptr<LinkLayer> layer_;  // or in this
    std::unique_ptr<Windows> windows_;  // or in this, of regions that run alone
    bool exchanges_packets_ = false;    // which it does also where they tick side by side
    std::vector<Observer> observers_;
    std::vector<std::function<void(Archive&)>> states_;  // of those that have one
    bool skips_ = true;
    std::uint64_t cycle_ = 0;
    std::unique_ptr<ThreadPool> thread_pool_;  // of more than one thread
};

}  // namespace interlace
