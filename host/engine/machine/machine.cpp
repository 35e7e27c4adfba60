// Interlace: regions that make up a whole network
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/machine/machine.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/engine/machine/link_settings.h"
#include "interlace/engine/region/coming.h"
#include "interlace/engine/region/link_lines.h"
#include "interlace/engine/region/region.h"
#include "interlace/engine/region/usage_state.h"
#include "thread_pool.h"
#include "windows.h"

namespace interlace {
namespace {

/// Of a state: sums of cycles and of what takes time stay below 2^64.
constexpr std::uint64_t most_cycles = std::uint64_t{1} << 60;

std::vector<std::vector<NodeId>> nodes_of(const std::vector<Machine::Part>& parts) {
    std::vector<std::vector<NodeId>> nodes;
    nodes.reserve(parts.size());
    for (const Machine::Part& part : parts) nodes.push_back(part.nodes);
    return nodes;
}

}  // namespace

/// On links that join regions.
class Machine::Between final : public Lookahead {
  public:
    explicit Between(std::uint32_t longest) : lines(longest) {}

    void links(std::uint32_t ahead, RegionInputs& inputs) const override {
        inputs.flits = lines.flits.due_in(ahead);
        inputs.raw_flits = lines.raw_flits.due_in(ahead);
        inputs.credits = lines.credits.due_in(ahead);
    }
    std::unique_ptr<HostLookahead> hosts() const override { return make_hosts(); }

    LinkLines lines;
    MakeHostLookahead make_hosts;
};

Machine::Machine(const Fabric& fabric, std::vector<Part> parts, std::uint32_t threads,
                 std::vector<NamedLinkEnds> link_ends, Communicator& ranks)
    : f_(fabric),
      ranks_(ranks),
      parts_(std::move(parts)),
      owners_(nodes_of(parts_), ranks),
      between_(std::make_unique<Between>(fabric.longest_delay)) {
    const auto own = static_cast<std::uint32_t>(parts_.size());
    region_count_ = static_cast<std::uint32_t>(ranks.reduced(own, Reduction::sum));
    [[maybe_unused]] const std::uint64_t nodes = ranks.reduced(owners_.own().count, Reduction::sum);
    assert(nodes == fabric.nodes);
    inputs_.resize(own);
    outputs_.resize(own);
    for (const Part& part : parts_) part.region->supervise(Supervision::links);
    if (fabric.links.has_layer()) {
        if (link_ends.empty())
            link_ends.push_back({"native", [&](std::size_t links) {
                                     return native_links(links, link_settings(fabric), link_buffer(fabric));
                                 }});
        layer_ = std::make_unique<LinkLayer>(fabric, link_ends);
    }
    if (region_count_ > 1 && !layer_) run_in_windows();
    assert(ranks.alone() || windows_);
    if (threads > 1 && own > 1) thread_pool_ = std::make_unique<ThreadPool>(std::min(threads, own));
}

/// Where regions can run on their own.
void Machine::run_in_windows() {
    const auto all = [this](const auto& can) {
        const bool here =
            std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) { return can(*part.region); });
        return ranks_.reduced(here ? 1 : 0, Reduction::least) != 0;
    };
    if (!all([](const Region& region) { return region.runs_alone(); })) return;
    exchanges_packets_ = all([](Region& region) { return region.packet_exchange() != nullptr; });
    std::vector<Windows::Member> members;
    for (const Part& part : parts_) {
        if (exchanges_packets_) part.region->packet_exchange()->exchange_packets();
        members.push_back({part.region.get(), part.any_thread});
    }
    windows_ = std::make_unique<Windows>(f_, members, owners_, exchanges_packets_, ranks_);
}

Region& Machine::region_of(NodeId node) const {
    return *parts_[owners_.region_of(node)].region;
}

Pins Machine::pins(NodeId node) const {
    return region_of(node).pins(node);
}

std::uint32_t Machine::reception_flits(NodeId node, std::uint32_t queue) const {
    return region_of(node).reception_flits(node, queue);
}

std::uint64_t Machine::stalled(NodeId node) const {
    return region_of(node).stalled(node);
}

RegisterAccess* Machine::registers_of(NodeId node) const {
    return region_of(node).register_access();
}

std::vector<QueueUse> Machine::queues(NodeId node) const {
    return region_of(node).queue_watch()->queues(node);
}

std::vector<std::uint64_t> Machine::stall_cycles(NodeId node) const {
    return region_of(node).queue_watch()->stall_cycles(node);
}

Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;

void Machine::watch(Watch watch) {
    const bool asks = watch.occupancy || watch.links;
    for (const Part& part : parts_)
        if (asks && part.region->queue_watch() == nullptr)
            throw InputError("cannot watch the queues and links of an engine that does not count them",
                             "an engine with Region::queue_watch()");
    const auto watch_part = [&](std::size_t i) {
        if (QueueWatch* account = parts_[i].region->queue_watch()) account->watch(watch);
    };
    if (windows_)  // whose regions any thread may have, and whose counts take memory
        each_share(parts_.size(), watch_part);
    else
        for (std::size_t i = 0; i < parts_.size(); ++i) watch_part(i);
}

void Machine::foresee(MakeHostLookahead hosts) {
    if (layer_) return;  // what ends of links do with frames is not known ahead
    between_->make_hosts = std::move(hosts);
    for (const Part& part : parts_) part.region->look_ahead(*between_);
}

std::vector<NodeRange> Machine::shares() const {
    if (!windows_ || !observers_.empty()) return {{0, f_.nodes}};
    std::vector<NodeRange> shares;
    std::uint32_t next = +parts_.front().nodes.front();
    for (const Part& part : parts_) {
        shares.push_back({next, static_cast<std::uint32_t>(part.nodes.size())});
        for (const NodeId node : part.nodes)
            if (node != next++) return {{0, f_.nodes}};
    }
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
    if (hosts.size() > 1 || !ranks_.alone())
        return cycle_ = windows_->run(cycle_, until, hosts, thread_pool_.get());
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

bool Machine::takes_packets(NodeId node) const {
    return observers_.empty() && region_of(node).takes_packets();
}

/// What pins show in this cycle. The layer's show what came of the last one.
void Machine::give_inputs(const RegionInputs& hosts) {
    between_->lines.advance();
    const auto give = [this](const auto& items, auto RegionInputs::*kind) {
        for (const auto& item : items) (inputs_[owners_.region_of(item.node)].*kind).push_back(item);
    };
    give(between_->lines.flits.due(), &RegionInputs::flits);
    give(between_->lines.raw_flits.due(), &RegionInputs::raw_flits);
    give(between_->lines.credits.due(), &RegionInputs::credits);
    if (layer_) {
        give(layer_->flits(), &RegionInputs::raw_flits);
        give(layer_->credits(), &RegionInputs::credits);
        layer_->tick();
    }
    for (const LinkFlit& flit : hosts.injections)
        inputs_[owners_.region_of(flit.node)].injections.push_back(flit);
    for (const Writing& writing : hosts.packets)
        inputs_[owners_.region_of(writing.node)].packets.push_back(writing);
    for (const Ready& change : hosts.ready) inputs_[owners_.region_of(change.node)].ready.push_back(change);
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
    if (exchanges_packets_) windows_->exchange(outputs_);
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
    return std::min(idle, between_->lines.idle());
}

void Machine::skip(std::uint64_t cycles) {
    between_->lines.skip(cycles);
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
    each_arrival(f_, outputs,
                 [this](std::uint32_t delay, const auto& item) { between_->lines.push(delay, item); });
}

Usage Machine::usage() const {
    Usage use;
    for (const Part& part : parts_) use.add(part.region->usage());
    if (layer_) use.link_layer = layer_->use();
    return of_all_ranks(use);
}

Usage Machine::of_all_ranks(const Usage& own) const {
    if (ranks_.alone()) return own;
    ByteWriter bytes;
    own.write(bytes);
    Usage all;
    for (const Bytes& told : ranks_.gather(bytes.take())) {
        ByteReader reader(told);
        all.add(Usage::read(reader));
    }
    return all;
}

std::vector<NodeId> Machine::nodes() const {
    std::vector<NodeId> nodes;
    for (const Part& part : parts_) nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

bool Machine::has_state() const {
    const bool here = (!layer_ || layer_->has_state()) &&
                      std::all_of(parts_.begin(), parts_.end(),
                                  [](const Part& part) { return part.region->checkpoint() != nullptr; });
    return ranks_.reduced(here ? 1 : 0, Reduction::least) != 0;
}

void Machine::state(NodeStates& nodes, Archive& whole) {
    std::uint64_t cut = needed_cut();
    whole.below(cycle_, most_cycles);
    whole.expect(cycle_ > 0);
    whole(cut);
    if (cut != needed_cut())
        throw InputError(
            "cannot resume with other regions: nodes of several engines, in lockstep or of a device",
            "the same regions");
    if (layer_) layer_->state(whole);
    for (const auto& of_observer : states_) of_observer(whole);
    if (nodes.loads())
        load_links(nodes);
    else
        save_links(nodes);
    Usage counted = nodes.loads() ? usage_state({}, whole) : Usage();
    if (ranks_.rank() != 0) counted = {};
    RegionState state{cycle_, counted, nodes};
    for (const Part& part : parts_) part.region->checkpoint()->state(state);
    if (!nodes.loads()) usage_state(of_all_ranks(counted), whole);
}

/// Where packets are known ahead inside regions and not between them, what a node's state says depends on
/// that, and some regions keep their nodes: a hash of the regions; 0 elsewhere.
std::uint64_t Machine::needed_cut() const {
    const auto any = [this](const auto& is) {
        return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) { return is(*part.region); });
    };
    const bool packets =
        !exchanges_packets_ && any([](Region& region) { return region.packet_exchange() != nullptr; });
    const bool kept = any([](Region& region) { return region.checkpoint()->keeps_nodes(); });
    if ((!packets && !kept) || region_count_ == 1) return 0;
    std::uint64_t cut = 1;
    for (std::uint32_t node = 0; node < f_.nodes; ++node) cut = mixed_bits(cut ^ owners_[node]);
    return cut;
}

/// On the lines of regions, and between them.
void Machine::save_links(NodeStates& nodes) const {
    LinkLines inside(f_.longest_delay);
    Coming coming(f_, nodes.nodes());
    for (const Part& part : parts_) part.region->checkpoint()->give_links(inside);
    coming.add(inside);
    coming.add(between_->lines);
    for (std::uint32_t i = 0; windows_ && i < parts_.size(); ++i) coming.add(windows_->arriving(i));
    coming.state(nodes);
}

void Machine::load_links(NodeStates& nodes) {
    std::vector<LinkLines> inside(parts_.size(), LinkLines(f_.longest_delay));
    const bool on_their_own = shares().size() > 1 || !ranks_.alone();
    Coming coming(f_, nodes.nodes());
    coming.state(nodes);
    coming.each([&](std::uint32_t delay, const auto& item) {
        const bool credit = std::is_same_v<decltype(item), const Credit&>;
        const FarPort far = credit ? f_.to(item.node, item.port) : f_.from(item.node, item.port);
        const std::uint32_t here = owners_.region_of(item.node);
        if (owners_[far.node] == here)
            inside[here].push(delay, item);
        else if (on_their_own)
            windows_->arriving(here).push(delay, item);
        else
            between_->lines.push(delay, item);
    });
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].region->checkpoint()->take_links(inside[i]);
}

}  // namespace interlace
