// Interlace: what regions count of their queues, against what their pins and tokens say
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "interlace/engine/machine/machine.h"
#include "interlace/engine/native/native.h"
#include "lockstep/random_configuration.h"

namespace interlace {
namespace {

/// Every queue of a fabric as someone sees it who watches pins and hosts only, cycle by cycle.
class PinWatcher {
  public:
    explicit PinWatcher(const Fabric& fabric)
        : f_(fabric),
          sources_(std::size_t{f_.nodes} * f_.sources()),
          receptions_(std::size_t{f_.nodes} * f_.receptions),
          stalls_(std::size_t{f_.nodes} * f_.sinks(), 0) {
        const auto names = f_.pin_names();
        for (std::size_t i = 0; i < names.size(); ++i) pin_[names[i].name] = i;
    }

    /// Before the tick of `cycle`: what the pins show in it, and the hosts.
    void before(std::uint64_t cycle, const Region& region, const RegionInputs& inputs) {
        for (const LinkFlit& flit : inputs.injections)
            ++arriving_[cycle][flit.node * f_.sources() + f_.link_sources() + flit.port];
        for (std::uint32_t v = 0; v < f_.nodes; ++v) {
            const Pins pins = region.pins(NodeId{v});
            for (std::uint32_t p = 0; p < f_.ports; ++p) {
                if (pins[pin_.at(fmt::format("link_valid_o[{}]", p))] == 0) continue;
                const FarPort far = f_.to(v, p);
                const auto vc = pins[pin_.at(fmt::format("link_vc_o[{}]", p))];
                ++arriving_[cycle + f_.flit_delay(v, p)][far.node * f_.sources() + far.port * f_.vcs + vc];
            }
        }
    }
    /// After it.
    void after(std::uint64_t cycle, const Region& region) {
        for (const auto& [source, flits] : arriving_[cycle]) sources_[source].flits += flits;
        for (std::uint32_t v = 0; v < f_.nodes; ++v) {
            const Pins pins = region.pins(NodeId{v});
            for (std::uint32_t p = 0; p < f_.ports; ++p)
                for (std::uint32_t c = 0; c < f_.vcs; ++c)
                    sources_[v * f_.sources() + p * f_.vcs + c].flits -=
                        pins[pin_.at(fmt::format("credit_o[{}].vc{}", p, c))];
            for (std::uint32_t i = 0; i < f_.injections; ++i)
                sources_[v * f_.sources() + f_.link_sources() + i].flits -=
                    pins[pin_.at(fmt::format("inj_credit_o[{}]", i))];
            for (std::uint32_t r = 0; r < f_.receptions; ++r)
                receptions_[v * f_.receptions + r].flits = pins[pin_.at(fmt::format("rx_count_o[{}]", r))];
            for (std::uint32_t k = 0; k < f_.sinks(); ++k)
                stalls_[v * f_.sinks() + k] += pins[pin_.at("stall_o")] >> k & 1U;
        }
        for (std::size_t s = 0; s < sources_.size(); ++s) count(sources_[s], class_of(s));
        for (Queue& queue : receptions_) count(queue, QueueClass::reception);
    }

    void compare(Region& region) const {
        const auto occupancy = region.usage().occupancy;
        for (std::size_t c = 0; c < queue_classes; ++c) {
            std::map<std::uint64_t, std::uint64_t> counted;
            for (std::size_t flits = 0; flits < occupancy[c].size(); ++flits)
                if (occupancy[c][flits] > 0) counted[flits] = occupancy[c][flits];
            EXPECT_EQ(counted, histogram_[c]) << queue_class_names[c];
        }
        for (std::uint32_t v = 0; v < f_.nodes; ++v) {
            const auto queues = region.queue_watch()->queues(NodeId{v});
            ASSERT_EQ(queues.size(), f_.sources() + f_.receptions);
            for (std::uint32_t q = 0; q < queues.size(); ++q) {
                const Queue& queue = q < f_.sources() ? sources_[v * f_.sources() + q]
                                                      : receptions_[v * f_.receptions + q - f_.sources()];
                std::map<std::uint64_t, std::uint64_t> counted;
                for (std::size_t flits = 0; flits < queues[q].histogram.size(); ++flits)
                    if (queues[q].histogram[flits] > 0) counted[flits] = queues[q].histogram[flits];
                EXPECT_EQ(counted, queue.histogram) << v << " " << q;
                std::uint64_t flit_cycles = 0;
                for (const auto& [flits, cycles] : queue.histogram) flit_cycles += flits * cycles;
                EXPECT_EQ(queues[q].flit_cycles, flit_cycles) << v << " " << q;
                EXPECT_GE(queues[q].high_water, queue.histogram.rbegin()->first) << v << " " << q;
            }
            const auto stalls = region.queue_watch()->stall_cycles(NodeId{v});
            for (std::uint32_t k = 0; k < f_.sinks(); ++k)
                EXPECT_EQ(stalls[k], stalls_[v * f_.sinks() + k]) << v << " " << k;
        }
    }

  private:
    struct Queue {
        std::uint64_t flits = 0;
        std::map<std::uint64_t, std::uint64_t> histogram = {};
    };

    /// No link leads into the channels of some ports: they are no queues.
    QueueClass class_of(std::size_t s) const {
        return s % f_.sources() < f_.link_sources() ? QueueClass::channel : QueueClass::injection;
    }
    bool exists(std::size_t s) const {
        const std::size_t port = s % f_.sources() / f_.vcs;
        return port >= f_.ports || f_.from(s / f_.sources(), port).linked();
    }
    void count(Queue& queue, QueueClass of) {
        ++queue.histogram[queue.flits];
        if (of != QueueClass::reception && !exists(static_cast<std::size_t>(&queue - sources_.data())))
            return;
        ++histogram_[static_cast<std::size_t>(of)][queue.flits];
    }

    const Fabric& f_;
    std::map<std::string, std::size_t> pin_;
    std::map<std::uint64_t, std::map<std::size_t, std::uint64_t>> arriving_;  // [tick][source]: flits
    std::vector<Queue> sources_, receptions_;
    std::vector<std::uint64_t> stalls_;
    std::map<std::uint64_t, std::uint64_t> histogram_[queue_classes];
};

// An escape channel counts packets at their full size, which pins do not show: without adaptive routing.
TEST(Occupancy, IsWhatPinsAndHostsShow) {
    int compared = 0;
    for (std::uint64_t seed = 0; compared < 25; ++seed) {
        const Configuration c = random_configuration(seed, true);
        if (c.node.routing == Routing::adaptive_bubble || c.network.node_count() > 16) continue;
        ++compared;
        SCOPED_TRACE(c.text);
        const Fabric fabric(c.network, c.node, c.links);
        const PortTables tables = random_tables(fabric, c.traffic, routing_tables(c.network, fabric).ports);
        const auto region = native_region(fabric, all_nodes(fabric), &tables);
        region->queue_watch()->watch({.occupancy = true, .each_queue = true});
        RandomHosts hosts(fabric, c.traffic, tables);
        PinWatcher watcher(fabric);
        RegionInputs inputs;
        RegionOutputs outputs;
        for (std::uint64_t cycle = 0; cycle < 400; ++cycle) {
            inputs.clear();
            hosts.drive(cycle, outputs.injection_credits, inputs);
            outputs.clear();
            watcher.before(cycle, *region, inputs);
            region->tick(inputs, outputs);
            watcher.after(cycle, *region);
        }
        watcher.compare(*region);
    }
}

/// The six functions of an engine, and no more.
class NoAccount final : public Region {
  public:
    explicit NoAccount(std::unique_ptr<Region> nodes) : nodes_(std::move(nodes)) {}
    void supervise(Supervision level) override { nodes_->supervise(level); }
    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override { nodes_->tick(inputs, outputs); }
    Pins pins(NodeId node) const override { return nodes_->pins(node); }
    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const override {
        return nodes_->reception_flits(node, queue);
    }
    std::uint64_t stalled(NodeId node) const override { return nodes_->stalled(node); }
    Usage usage() const override { return nodes_->usage(); }

  private:
    std::unique_ptr<Region> nodes_;
};

TEST(Watch, IsRefusedWhereARegionKeepsNoAccount) {
    const Network network = make_network("torus:4");
    const Fabric fabric(network, NodeParameters{});
    std::vector<Machine::Part> parts;
    parts.push_back(
        {all_nodes(fabric), std::make_unique<NoAccount>(native_region(fabric, all_nodes(fabric)))});
    Machine machine(fabric, std::move(parts));
    EXPECT_NO_THROW(machine.watch({}));
    EXPECT_THROW(machine.watch({.occupancy = true}), InputError);
    EXPECT_THROW(machine.watch({.links = true}), InputError);
}

}  // namespace
}  // namespace interlace
