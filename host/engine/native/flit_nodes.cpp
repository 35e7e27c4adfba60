// Interlace: the state of native nodes that are run flit by flit
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "flit_nodes.h"

#include "flit_nodes_check.h"

namespace interlace::native {
namespace {

void state(Archive& a, Flit& flit) {
    a(flit.packet, flit.index);
}

void state(Archive& a, Entry& e) {
    a(e.packet, e.route, e.started, e.finished, e.length, e.arrived, e.channels, e.room, e.cost, e.choices,
      e.escape, e.escape_channels, e.adaptive, e.enters, e.closing, e.taken, e.chosen);
}

void state(Archive& a, Requests& requests) {
    for (Request& r : requests.of) a(r.cycle, r.sources, r.high, r.asked);
    a(requests.rests_in);
}

void state(Archive& a, Entering& e) {
    bool raw = e.flit.index() == 1;
    a(e.source, raw);
    if (a.loads() && raw) e.flit = RawFlit{};
    if (raw)
        a(std::get<RawFlit>(e.flit));
    else
        state(a, std::get<Flit>(e.flit));
}

void state(Archive& a, Leaving& e) {
    a(e.sink, e.vc);
    state(a, e.flit);
}

void state(Archive& a, Returned& e) {
    a(e.sink, e.vc, e.amount);
}

void state(Archive& a, Freed& e) {
    a(e.source, e.amount);
}

/// Of each node, [node], what is on its way there.
template <class Item>
void line_state(DelayLine<Item>& line, std::uint32_t longest, std::vector<Archive>& archives) {
    struct Coming {
        std::uint32_t delay = 0;
        Item item = {};
    };
    std::vector<std::vector<Coming>> of(archives.size());
    line.each_coming([&](std::uint32_t delay, const Item& item) { of[item.node].push_back({delay, item}); });
    for (std::uint32_t node = 0; node < archives.size(); ++node) {
        archives[node].each(of[node], [&](Archive& a, Coming& coming) {
            coming.item.node = node;
            a.below(coming.delay, longest + 1U);
            state(a, coming.item);
        });
        if (!archives[node].loads()) continue;
        for (const Coming& coming : of[node]) line.push(coming.delay, coming.item);
    }
}

}  // namespace

FlitNodes::FlitNodes(const Fabric& fabric, std::size_t nodes)
    : ports_(fabric.ports),
      vcs_(fabric.vcs),
      link_sources_(fabric.link_sources()),
      sources_(fabric.sources()),
      sinks_(fabric.sinks()),
      source_(nodes * fabric.sources()),
      sink_(nodes * fabric.sinks()),
      branch_(nodes * fabric.sinks() * fabric.vcs),
      credits_(branch_.size()),
      receptions_(nodes * fabric.receptions),
      busy_(nodes, 0),
      asking_(fabric.adaptive() ? nodes : 0, 0),
      turn_(asking_.size(), 0),
      status_(nodes, 0),
      active_(nodes),
      pipelined_(fabric.parameters.pipelined()),
      entering_(longest_stage),
      leaving_(longest_stage),
      returned_(longest_stage),
      freed_in_flight_(longest_stage),
      fabric_(fabric) {
    for (std::size_t s = 0; s < sink_.size(); ++s)
        for (std::uint32_t v = 0; v < fabric.vcs; ++v)
            credits_[s * fabric.vcs + v] = depth_behind(s % fabric.sinks());
    if (fabric.adaptive()) stored_.resize(source_.size(), 0);
    if (fabric.links.cycles_per_flit > 1) busy_until_.resize(sink_.size(), 0);
    if (!pipelined_) return;
    flits_shown_.resize(source_.size(), 0);
    requests_.resize(sink_.size());
    levels_.resize(source_.size());
    gone_.resize(nodes);
}

void FlitNodes::append(Source& queue, std::uint32_t entry) {
    queue.single = queue.head == none;
    if (queue.single)
        queue.head = entry;
    else
        entries_[entries_[queue.head].last].next = entry;
    entries_[queue.head].last = entry;
}

void FlitNodes::nodes_state(const std::vector<NodeId>& nodes, std::vector<Archive>& archives) {
    for (std::uint32_t node = 0; node < archives.size(); ++node) node_state(node, archives[node]);
    if (pipelined_) stages_state(archives);
    if (!archives.front().loads()) return;
    const Check check(*this, nodes);
    for (std::uint32_t node = 0; node < archives.size(); ++node) archives[node].expect(check.is_whole(node));
}

void FlitNodes::node_state(std::uint32_t node, Archive& archive) {
    for (std::uint32_t s = 0; s < fabric_.sources(); ++s) source_state(node, s, archive);
    for (std::uint32_t k = 0; k < fabric_.sinks(); ++k) sink_state(node, k, archive);
    for (std::uint32_t r = 0; r < fabric_.receptions; ++r)
        receptions_.state(node * fabric_.receptions + r, archive);
    archive(busy_[node], status_[node]);
    if (!asking_.empty()) archive(asking_[node], turn_[node]);
    if (archive.loads() && (busy_[node] != 0 || asking(node) != 0)) active_.add(node);
}

void FlitNodes::source_state(std::uint32_t node, std::uint32_t source, Archive& archive) {
    const std::size_t at = source_index(node, source);
    Source& queue = source_[at];
    std::vector<Entry> entries;
    for (std::uint32_t i = queue.head; i != none; i = entries_[i].next) entries.push_back(entries_[i]);
    if (!entries.empty()) entries.back().arrived = queue.tail_arrived;
    archive.each(entries, [](Archive& a, Entry& entry) { state(a, entry); });
    std::uint32_t is_stored = stored(at), is_shown = shown(at);
    archive(queue.flits, is_stored, is_shown);
    if (!archive.loads()) return;
    if (!stored_.empty()) stored_[at] = is_stored;
    if (!flits_shown_.empty()) flits_shown_[at] = is_shown;
    archive.expect(stored(at) == is_stored && shown(at) == is_shown);
    for (const Entry& entry : entries) {
        const std::uint32_t index = entries_.make();
        entries_[index] = entry;
        entries_[index].next = none;
        append(queue, index);
    }
    if (entries.empty()) return;
    queue.head_arrived = entries.front().arrived;
    queue.tail_arrived = entries.back().arrived;
}

/// A branch is of its source's head packet.
void FlitNodes::sink_state(std::uint32_t node, std::uint32_t k, Archive& archive) {
    const std::size_t index = sink_index(node, k);
    FlitSink& sink = sink_[index];
    std::uint64_t busy_until = busy_until_.empty() ? 0 : busy_until_[index];
    std::uint64_t want = sink.want;
    archive(want, sink.arbiter, sink.held, busy_until);
    sink.want = want;
    if (!busy_until_.empty()) busy_until_[index] = busy_until;
    for (std::uint32_t vc = 0; vc < fabric_.vcs; ++vc) {
        archive.below(credits_[index * fabric_.vcs + vc], depth_behind(k) + 1U);
        if ((sink.held >> vc & 1U) == 0) continue;
        Branch& branch = branch_[index * fabric_.vcs + vc];
        archive.below(branch.source, fabric_.sources());
        archive(branch.sent);
        const std::uint32_t entry = head(node, branch.source);
        if (!archive.loads() || entry == none) continue;
        branch.length = entries_[entry].length;
        branch.single = is_single(entries_[entry].route);
    }
}

void FlitNodes::stages_state(std::vector<Archive>& archives) {
    line_state(entering_, longest_stage, archives);
    line_state(leaving_, longest_stage, archives);
    line_state(returned_, longest_stage, archives);
    line_state(freed_in_flight_, longest_stage, archives);
    for (std::uint32_t node = 0; node < archives.size(); ++node) {
        Archive& archive = archives[node];
        for (std::uint32_t k = 0; k < fabric_.sinks(); ++k) state(archive, requests_[sink_index(node, k)]);
        for (std::uint32_t s = 0; s < fabric_.sources(); ++s) archive(levels_[source_index(node, s)]);
        archive(gone_[node].cycle, gone_[node].sources);
    }
}

}  // namespace interlace::native
