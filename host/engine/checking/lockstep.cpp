// Interlace: the same region in several engines at once, compared pin by pin
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/checking/lockstep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <optional>
#include <utility>

#include "interlace/engine/checking/scoreboard.h"
#include "interlace/engine/checking/waveform.h"
#include "interlace/engine/region/coming.h"
#include "interlace/engine/region/usage_state.h"

namespace interlace {
namespace {

/// Cycles that a waveform of a difference shows.
constexpr std::uint64_t remembered = 200;

class LockstepRegion final : public Region, public RegionCheckpoint, public QueueWatch {
  public:
    LockstepRegion(const Fabric& fabric, std::vector<NodeId> nodes, std::vector<NamedRegion> regions,
                   std::string waveform)
        : f_(fabric),
          names_(fabric.pin_names()),
          nodes_(std::move(nodes)),
          regions_(std::move(regions)),
          waveform_(std::move(waveform)),
          oldest_(nodes_.size(), Pins(names_.size(), 0)),
          newest_(oldest_) {}

    void watch(Watch watch) override {
        watch_ = watch;
        watch_.each_queue = watch.occupancy;  // which are compared
        for (const NamedRegion& region : regions_) region.region->queue_watch()->watch(watch_);
    }

    /// Pins that agree may still show an error; all else that supervision finds is a difference.
    void supervise(Supervision /*level*/) override { supervised_ = !own_level_; }

    /// Of one region, which nothing is compared with: what it is held to from now on.
    void hold_to(Supervision level) {
        own_level_ = level;
        regions_.front().region->supervise(level);
    }

    void look_ahead(const Lookahead& known) override {
        for (const NamedRegion& region : regions_) region.region->look_ahead(known);
    }

    void begin(const RegionInputs& inputs) override {
        leaving_waveform([&] { regions_.front().region->begin(inputs); });
        for (std::size_t i = 1; i < regions_.size(); ++i) regions_[i].region->begin(inputs);
    }

    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        ++cycle_;
        leaving_waveform([&] { regions_.front().region->tick(inputs, outputs); });
        for (std::size_t i = 1; i < regions_.size(); ++i) {
            ignored_.clear();
            regions_[i].region->tick(inputs, ignored_);
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) compare(i);
        forget();
    }

    std::uint64_t idle() const override {
        std::uint64_t idle = UINT64_MAX;
        for (const NamedRegion& region : regions_) idle = std::min(idle, region.region->idle());
        return idle;
    }
    void skip(std::uint64_t cycles) override {
        for (const NamedRegion& region : regions_) region.region->skip(cycles);
        if (cycles == 0) return;
        cycle_ += cycles;
        for (std::size_t i = 0; i < nodes_.size(); ++i) compare(i);
        forget();
    }

    RegionCheckpoint* checkpoint() override { return all(&Region::checkpoint) ? this : nullptr; }
    QueueWatch* queue_watch() override { return all(&Region::queue_watch) ? this : nullptr; }
    RegisterAccess* register_access() override { return regions_.front().region->register_access(); }

    bool keeps_nodes() const override { return true; }
    void state(RegionState& state) override {
        for (const NamedRegion& region : regions_)
            if (state.nodes.loads())
                load(*region.region, state);
            else
                save(*region.region, state);
        cycle_ = state.cycle;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            Archive of_node = state.nodes.of(nodes_[i]);
            of_node(oldest_[i], newest_[i]);
            of_node.expect(oldest_[i].size() == names_.size() && newest_[i].size() == names_.size());
        }
        Archive archive = state.nodes.of(nodes_.front());
        std::vector<Change> changes(changes_.begin(), changes_.end());
        archive.each(changes, [&](Archive& a, Change& c) {
            a(c.cycle);
            a.below(c.node, nodes_.size());
            a.below(c.pin, names_.size());
            a(c.value);
        });
        changes_.assign(changes.begin(), changes.end());
    }

    Pins pins(NodeId node) const override { return regions_.front().region->pins(node); }
    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const override {
        return regions_.front().region->reception_flits(node, queue);
    }
    std::uint64_t stalled(NodeId node) const override { return regions_.front().region->stalled(node); }
    Usage usage() const override {
        Usage first = regions_.front().region->usage();
        for (const NamedRegion& other : regions_)
            if (!(other.region->usage() == first))
                throw LockstepError(fmt::format("cycle {}, queue figures: {} {}, {} {}", cycle_,
                                                regions_.front().name, text(first), other.name,
                                                text(other.region->usage())));
        if (watch_.each_queue)
            for (const NodeId node : nodes_) compare_queues(node);
        return first;
    }
    std::vector<QueueUse> queues(NodeId node) const override { return first_watch().queues(node); }
    std::vector<std::uint64_t> stall_cycles(NodeId node) const override {
        return first_watch().stall_cycles(node);
    }

  private:
    /// Whether every region has an optional interface.
    template <class Interface>
    bool all(Interface* (Region::*has)()) const {
        return std::all_of(regions_.begin(), regions_.end(), [&](const NamedRegion& region) {
            return (region.region.get()->*has)() != nullptr;
        });
    }
    const QueueWatch& first_watch() const { return *regions_.front().region->queue_watch(); }

    // Each region has the state of its nodes and links to itself, and what it has counted: they count some
    // things sooner or later than one another.

    void save(Region& region, RegionState& all) const {
        NodeStates nodes(nodes_);
        LinkLines links(f_.longest_delay);
        Coming coming(f_, nodes_);
        region.checkpoint()->give_links(links);
        coming.add(links);
        coming.state(nodes);
        Usage counted;
        RegionState own{all.cycle, counted, nodes};
        region.checkpoint()->state(own);
        Archive archive = all.nodes.of(nodes_.front());
        usage_state(counted, archive);
        std::vector<Bytes> states = nodes.take();
        for (std::size_t i = 0; i < nodes_.size(); ++i) all.nodes.of(nodes_[i])(states[i]);
    }
    void load(Region& region, RegionState& all) const {
        Archive archive = all.nodes.of(nodes_.front());
        Usage counted = usage_state({}, archive);
        std::vector<Bytes> states(nodes_.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i) all.nodes.of(nodes_[i])(states[i]);
        NodeStates nodes(nodes_, std::move(states));
        LinkLines links(f_.longest_delay);
        Coming coming(f_, nodes_);
        coming.state(nodes);
        coming.each([&](std::uint32_t delay, const auto& item) { links.push(delay, item); });
        region.checkpoint()->take_links(links);
        RegionState own{all.cycle, counted, nodes};
        region.checkpoint()->state(own);
        if (!nodes.at_end()) throw BrokenBytes();
    }

    template <class Action>
    void leaving_waveform(const Action& action) const {
        try {
            action();
        } catch (const NodeFault& fault) {
            const auto place = std::find(nodes_.begin(), nodes_.end(), fault.node());
            throw NodeFault(fault, leave_waveform(static_cast<std::size_t>(place - nodes_.begin())));
        }
    }

    static std::string text(const Usage& usage) {
        return fmt::format("high water {}, stall cycles {}, hops {}, occupancy {}", usage.high_water,
                           usage.stall_cycles, usage.hops, usage.occupancy);
    }

    void compare_queues(NodeId node) const {
        for (const NamedRegion& other : regions_)
            if (other.region->queue_watch()->queues(node) != queues(node) ||
                other.region->queue_watch()->stall_cycles(node) != stall_cycles(node))
                throw LockstepError(fmt::format("cycle {}, queue figures of node {}: {} and {} differ",
                                                cycle_, +node, regions_.front().name, other.name));
    }

    /// A pin that changed, as all regions agreed.
    struct Change {
        std::uint64_t cycle;
        std::uint32_t node, pin;  // node: its place in nodes_
        std::uint64_t value;
    };

    void compare(std::size_t i) {
        const Pins first = regions_.front().region->pins(nodes_[i]);
        for (std::size_t r = 1; r < regions_.size(); ++r) {
            const Pins other = regions_[r].region->pins(nodes_[i]);
            const auto [a, b] = std::mismatch(first.begin(), first.end(), other.begin(), other.end());
            if (a == first.end() && b == other.end()) continue;
            const auto pin = static_cast<std::size_t>(a - first.begin());
            throw LockstepError(fmt::format("cycle {}, node {}, {}: {} {:#x}, {} {:#x}{}", cycle_, +nodes_[i],
                                            names_.at(pin).name, regions_.front().name, *a, regions_[r].name,
                                            *b, leave_waveform(i)));
        }
        if (supervised_ && first.back() != 0)
            throw NodeFault(nodes_[i], cycle_, status_meaning(first.back()) + leave_waveform(i));
        for (std::size_t p = 0; p < first.size(); ++p)
            if (first[p] != newest_[i][p]) {
                changes_.push_back(
                    {cycle_, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(p), first[p]});
                newest_[i][p] = first[p];
            }
    }

    void forget() {
        for (; !changes_.empty() && changes_.front().cycle + remembered <= cycle_; changes_.pop_front())
            oldest_[changes_.front().node][changes_.front().pin] = changes_.front().value;
    }

    /// The node and its neighbours, over the cycles that are remembered, in every region.
    std::string leave_waveform(std::size_t differing) const {
        if (waveform_.empty()) return {};
        std::vector<std::size_t> shown;
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (i == differing || adjacent(nodes_[i], nodes_[differing])) shown.push_back(i);
        std::ofstream out(waveform_);
        std::vector<std::string> scopes;
        for (const NamedRegion& region : regions_)
            for (const std::size_t i : shown)
                scopes.push_back(fmt::format("{}_node{}", region.name, +nodes_[i]));
        Waveform waveform(out, names_, scopes);
        std::vector<Pins> pins = oldest_;
        auto change = changes_.begin();
        const std::uint64_t begin = cycle_ < remembered ? 1 : cycle_ - remembered + 1;
        for (std::uint64_t cycle = begin; cycle <= cycle_; ++cycle) {
            for (; change != changes_.end() && change->cycle <= cycle; ++change)
                pins[change->node][change->pin] = change->value;
            for (std::size_t r = 0; r < regions_.size(); ++r)
                for (std::size_t k = 0; k < shown.size(); ++k)
                    waveform.show(
                        cycle, r * shown.size() + k,
                        cycle == cycle_ ? regions_[r].region->pins(nodes_[shown[k]]) : pins[shown[k]]);
        }
        return "; waveform in " + waveform_;
    }

    bool adjacent(NodeId a, NodeId b) const {
        for (std::uint32_t p = 0; p < f_.ports; ++p)
            if (f_.to(a, p).node == b || f_.from(a, p).node == b) return true;
        return false;
    }

    const Fabric& f_;
    std::vector<PinName> names_;
    std::vector<NodeId> nodes_;
    std::vector<NamedRegion> regions_;
    std::string waveform_;  // file
    Watch watch_;
    bool supervised_ = false;
    std::optional<Supervision> own_level_;
    RegionOutputs ignored_;
    std::uint64_t cycle_ = 0;  // of the pins that were compared last
    std::vector<Pins> oldest_, newest_;
    std::deque<Change> changes_;
};

}  // namespace

std::unique_ptr<Region> lockstep_region(const Fabric& fabric, std::vector<NodeId> nodes,
                                        std::vector<NamedRegion> regions, const std::string& waveform) {
    return std::make_unique<LockstepRegion>(fabric, std::move(nodes), std::move(regions), waveform);
}

std::unique_ptr<Region> supervised_region(const Fabric& fabric, std::vector<NodeId> nodes, NamedRegion region,
                                          Supervision level, const std::string& waveform) {
    std::vector<NamedRegion> alone;
    alone.push_back(std::move(region));
    auto held = std::make_unique<LockstepRegion>(fabric, std::move(nodes), std::move(alone), waveform);
    held->hold_to(level);
    return held;
}

}  // namespace interlace
