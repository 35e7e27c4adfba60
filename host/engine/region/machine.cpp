// Interlace: regions that make up a whole network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/machine.h"

#include <algorithm>
#include <cassert>

#include "workers.h"

namespace interlace {

Machine::Machine(const Fabric& fabric, std::vector<Part> parts, std::uint32_t threads,
                 std::vector<NamedLinkEnds> link_ends)
    : f_(fabric),
      parts_(std::move(parts)),
      part_of_(fabric.nodes, UINT32_MAX),
      inputs_(parts_.size()),
      outputs_(parts_.size()),
      flits_(fabric.longest_delay),
      raw_flits_(fabric.longest_delay),
      credits_(fabric.longest_delay) {
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
    if (threads > 1 && parts_.size() > 1)
        workers_ = std::make_unique<Workers>(std::min<std::size_t>(threads, parts_.size()));
}

Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;

void Machine::watch(Watch watch) {
    for (const Part& part : parts_) part.region->watch(watch);
}

/// What pins show in this cycle. The layer's show what came of the last one.
void Machine::give_inputs(const RegionInputs& hosts) {
    flits_.advance();
    raw_flits_.advance();
    credits_.advance();
    const auto give = [this](const auto& items, auto RegionInputs::*kind) {
        for (const auto& item : items) (inputs_[part_of_[item.node]].*kind).push_back(item);
    };
    give(flits_.due(), &RegionInputs::flits);
    give(raw_flits_.due(), &RegionInputs::raw_flits);
    give(credits_.due(), &RegionInputs::credits);
    if (layer_) {
        give(layer_->flits(), &RegionInputs::raw_flits);
        give(layer_->credits(), &RegionInputs::credits);
        layer_->tick();
    }
    for (const LinkFlit& flit : hosts.injections) inputs_[part_of_[flit.node]].injections.push_back(flit);
    for (const Ready& change : hosts.ready) inputs_[part_of_[change.node]].ready.push_back(change);
}

void Machine::tick(const RegionInputs& hosts, RegionOutputs& outputs) {
    give_inputs(hosts);
    const auto tick_share = [this](std::size_t thread, std::size_t threads) {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (thread != (parts_[i].any_thread ? i % threads : 0)) continue;
            outputs_[i].clear();
            parts_[i].region->tick(inputs_[i], outputs_[i]);
            inputs_[i].clear();
        }
    };
    if (workers_)
        workers_->run(tick_share);
    else
        tick_share(0, 1);
    outputs.clear();
    for (const RegionOutputs& from : outputs_) {
        deliver(from);
        outputs.sent.insert(outputs.sent.end(), from.sent.begin(), from.sent.end());
        outputs.receptions.insert(outputs.receptions.end(), from.receptions.begin(), from.receptions.end());
        outputs.injection_credits.insert(outputs.injection_credits.end(), from.injection_credits.begin(),
                                         from.injection_credits.end());
    }
    std::sort(outputs.sent.begin(), outputs.sent.end(), [](const LinkFlit& a, const LinkFlit& b) {
        return std::pair(a.node, a.port) < std::pair(b.node, b.port);
    });
    std::sort(outputs.receptions.begin(), outputs.receptions.end(),
              [](const Reception& a, const Reception& b) {
                  return std::pair(a.node, a.queue) < std::pair(b.node, b.queue);
              });
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
    return std::min({idle, flits_.idle(), raw_flits_.idle(), credits_.idle()});
}

void Machine::skip(std::uint64_t cycles) {
    flits_.skip(cycles);
    raw_flits_.skip(cycles);
    credits_.skip(cycles);
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
    for (const LinkFlit& flit : outputs.flits) deliver(flit, flits_);
    for (const RawLinkFlit& flit : outputs.raw_flits) deliver(flit, raw_flits_);
    for (const Credit& credit : outputs.credits) {
        const FarPort far = f_.from[std::size_t{credit.node} * f_.ports + credit.port];
        credits_.push(f_.credit_delay(credit.node, credit.port),
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
