// Interlace: regions that make up a whole network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/region/machine.h"

#include <algorithm>
#include <cassert>

#include "interlace/engine/region/delay_line.h"
#include "thread_pool.h"
#include "windows.h"

namespace interlace {

/// On links that join regions.
class Machine::Between final : public Lookahead {
  public:
    explicit Between(std::uint32_t longest) : flits(longest), raw_flits(longest), credits(longest) {}

    void links(std::uint32_t ahead, RegionInputs& inputs) const override {
        inputs.flits = flits.due_in(ahead);
        inputs.raw_flits = raw_flits.due_in(ahead);
        inputs.credits = credits.due_in(ahead);
    }
    std::unique_ptr<Foresight> hosts() const override { return make_hosts(); }

    void advance() {
        flits.advance();
        raw_flits.advance();
        credits.advance();
    }
    std::uint64_t idle() const { return std::min({flits.idle(), raw_flits.idle(), credits.idle()}); }
    void skip(std::uint64_t cycles) {
        flits.skip(cycles);
        raw_flits.skip(cycles);
        credits.skip(cycles);
    }

    DelayLine<LinkFlit> flits;
    DelayLine<RawLinkFlit> raw_flits;
    DelayLine<Credit> credits;
    MakeForesight make_hosts;
};

Machine::Machine(const Fabric& fabric, std::vector<Part> parts, std::uint32_t threads,
                 std::vector<NamedLinkEnds> link_ends)
    : f_(fabric),
      parts_(std::move(parts)),
      part_of_(fabric.nodes, UINT32_MAX),
      inputs_(parts_.size()),
      outputs_(parts_.size()),
      between_(std::make_unique<Between>(fabric.longest_delay)) {
    for (std::uint32_t i = 0; i < parts_.size(); ++i)
        for (const NodeId node : parts_[i].nodes) {
            assert(part_of_[node] == UINT32_MAX);
            part_of_[node] = i;
        }
    assert(std::find(part_of_.begin(), part_of_.end(), UINT32_MAX) == part_of_.end());
    for (const Part& part : parts_) part.region->supervise(Supervision::links);
    if (fabric.links.has_layer()) {
        if (link_ends.empty())
            link_ends.push_back({"native", [&](std::size_t links) {
                                     return native_links(links, link_settings(fabric), link_buffer(fabric));
                                 }});
        layer_ = std::make_unique<LinkLayer>(fabric, link_ends);
    }
    if (parts_.size() > 1 && std::all_of(parts_.begin(), parts_.end(),
                                         [](const Part& part) { return part.region->exchanges_packets(); })) {
        std::vector<Region*> regions;
        for (const Part& part : parts_) regions.push_back(part.region.get());
        for (Region* region : regions) region->exchange_packets();
        windows_ = std::make_unique<Windows>(fabric, std::move(regions), part_of_);
    }
    if (threads > 1 && parts_.size() > 1)
        thread_pool_ = std::make_unique<ThreadPool>(std::min<std::size_t>(threads, parts_.size()));
}

Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;

void Machine::watch(Watch watch) {
    if (windows_)  // whose regions any thread may have, and whose counts take memory
        each_share(parts_.size(), [&](std::size_t i) { parts_[i].region->watch(watch); });
    else
        for (const Part& part : parts_) part.region->watch(watch);
}

void Machine::foresee(MakeForesight hosts) {
    if (layer_) return;  // what ends of links do with frames is not known ahead
    between_->make_hosts = std::move(hosts);
    for (const Part& part : parts_) part.region->look_ahead(*between_);
}

std::vector<NodeRange> Machine::shares() const {
    std::vector<NodeRange> shares;
    std::uint32_t next = 0;
    for (const Part& part : parts_) {
        shares.push_back({next, static_cast<std::uint32_t>(part.nodes.size())});
        for (const NodeId node : part.nodes)
            if (node != next++) return {{0, f_.nodes}};
    }
    if (!windows_ || !observers_.empty()) return {{0, f_.nodes}};
    return shares;
}

void Machine::each_share(std::size_t shares, const std::function<void(std::size_t)>& work) {
    if (!thread_pool_ || shares == 1) {
        for (std::size_t i = 0; i < shares; ++i) work(i);
        return;
    }
    thread_pool_->run([&](std::size_t thread, std::size_t threads) {
        for (std::size_t i = thread; i < shares; i += threads) work(i);
    });
}

std::uint64_t Machine::run(std::uint64_t until, const std::vector<PinHosts*>& hosts) {
    if (hosts.size() > 1) return cycle_ = windows_->run(cycle_, until, hosts, thread_pool_.get());
    RegionInputs inputs;
    RegionOutputs outputs;
    while (cycle_ < until && !hosts[0]->done()) {
        const std::uint64_t free = std::min(hosts[0]->busy_from(cycle_), until) - cycle_;
        if (const std::uint64_t quiet = free == 0 ? 0 : std::min(free, idle()); quiet != 0) {
            skip(quiet);
            continue;
        }
        inputs.clear();
        hosts[0]->drive(cycle_, inputs);
        tick(inputs, outputs);
        hosts[0]->receive(outputs, cycle_ - 1);
    }
    return cycle_;
}

bool Machine::takes_packets() const {
    return observers_.empty() && std::all_of(parts_.begin(), parts_.end(),
                                             [](const Part& part) { return part.region->takes_packets(); });
}

/// What pins show in this cycle. The layer's show what came of the last one.
void Machine::give_inputs(const RegionInputs& hosts) {
    between_->advance();
    const auto give = [this](const auto& items, auto RegionInputs::*kind) {
        for (const auto& item : items) (inputs_[part_of_[item.node]].*kind).push_back(item);
    };
    give(between_->flits.due(), &RegionInputs::flits);
    give(between_->raw_flits.due(), &RegionInputs::raw_flits);
    give(between_->credits.due(), &RegionInputs::credits);
    if (layer_) {
        give(layer_->flits(), &RegionInputs::raw_flits);
        give(layer_->credits(), &RegionInputs::credits);
        layer_->tick();
    }
    for (const LinkFlit& flit : hosts.injections) inputs_[part_of_[flit.node]].injections.push_back(flit);
    for (const Writing& writing : hosts.packets) inputs_[part_of_[writing.node]].packets.push_back(writing);
    for (const Ready& change : hosts.ready) inputs_[part_of_[change.node]].ready.push_back(change);
}

void Machine::tick(const RegionInputs& hosts, RegionOutputs& outputs) {
    give_inputs(hosts);
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].region->begin(inputs_[i]);
    const auto tick_share = [this](std::size_t thread, std::size_t threads) {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (thread != (parts_[i].any_thread ? i % threads : 0)) continue;
            outputs_[i].clear();
            parts_[i].region->tick(inputs_[i], outputs_[i]);
            inputs_[i].clear();
        }
    };
    if (thread_pool_)
        thread_pool_->run(tick_share);
    else
        tick_share(0, 1);
    outputs.clear();
    for (const RegionOutputs& from : outputs_) {
        deliver(from);
        outputs.sent.insert(outputs.sent.end(), from.sent.begin(), from.sent.end());
        outputs.receptions.insert(outputs.receptions.end(), from.receptions.begin(), from.receptions.end());
        outputs.returns.insert(outputs.returns.end(), from.returns.begin(), from.returns.end());
        outputs.injection_credits.insert(outputs.injection_credits.end(), from.injection_credits.begin(),
                                         from.injection_credits.end());
    }
    if (windows_) windows_->exchange(outputs_);
    std::sort(outputs.sent.begin(), outputs.sent.end(), [](const LinkFlit& a, const LinkFlit& b) {
        return std::pair(a.node, a.port) < std::pair(b.node, b.port);
    });
    outputs.sort_receptions();
    for (const Observer& observer : observers_) observer(cycle_, hosts, outputs);
    ++cycle_;
}

std::uint64_t Machine::idle() const {
    if (!skips_ || layer_) return 0;
    std::uint64_t idle = UINT64_MAX;
    for (const Part& part : parts_) {
        idle = std::min(idle, part.region->idle());
        if (idle == 0) return 0;
    }
    return std::min(idle, between_->idle());
}

void Machine::skip(std::uint64_t cycles) {
    between_->skip(cycles);
    for (const Part& part : parts_) part.region->skip(cycles);
    cycle_ += cycles;
}

void Machine::deliver(const RegionOutputs& outputs) {
    if (layer_) {
        for (const LinkFlit& flit : outputs.flits) layer_->show(flit);
        for (const RawLinkFlit& flit : outputs.raw_flits) layer_->show(flit);
        for (const Credit& credit : outputs.credits) layer_->show(credit);
        return;
    }
    const auto deliver = [this](const auto& flit, auto& line) {
        const FarPort far = f_.to[std::size_t{flit.node} * f_.ports + flit.port];
        line.push(f_.flit_delay(flit.node, flit.port), {far.node, far.port, flit.vc, flit.flit});
    };
    for (const LinkFlit& flit : outputs.flits) deliver(flit, between_->flits);
    for (const RawLinkFlit& flit : outputs.raw_flits) deliver(flit, between_->raw_flits);
    for (const Credit& credit : outputs.credits) {
        const FarPort far = f_.from[std::size_t{credit.node} * f_.ports + credit.port];
        between_->credits.push(f_.credit_delay(credit.node, credit.port),
                               {far.node, far.port, credit.vc, credit.amount});
    }
}

Usage Machine::usage() const {
    Usage use;
    for (const Part& part : parts_) use.add(part.region->usage());
    if (layer_) use.link_layer = layer_->use();
    return use;
}

}  // namespace interlace
