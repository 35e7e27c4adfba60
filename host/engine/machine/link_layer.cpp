// Interlace: the link layer of a fabric: ends, wires and what damages them (docs/links.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/machine/link_layer.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/engine/machine/link_settings.h"
#include "interlace/engine/region/node_fault.h"

namespace interlace {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

/// What is on wires.
template <class Frame>
void wire_state(DelayLine<Frame>& wire, std::uint32_t longest, std::size_t links, Archive& archive) {
    std::vector<std::pair<std::uint32_t, Frame>> coming;
    wire.each_coming([&](std::uint32_t delay, const Frame& frame) { coming.emplace_back(delay, frame); });
    archive.each(coming, [&](Archive& a, auto& item) {
        a.below(item.first, longest + 1U);
        a.below(item.second.link, links);
        a(item.second.bits);
    });
    if (!archive.loads()) return;
    for (const auto& [delay, frame] : coming) wire.push(delay, frame);
}

}  // namespace

LinkLayer::LinkLayer(const Fabric& fabric, const std::vector<NamedLinkEnds>& kinds)
    : f_(fabric),
      settings_(link_settings(fabric)),
      by_output_(std::size_t{fabric.nodes} * fabric.ports, none),
      by_input_(by_output_.size(), none),
      forward_(fabric.longest_delay),
      back_(fabric.longest_delay),
      errors_(fabric.links.bit_error_rate, fabric.links.error_burst, fabric.parameters.flit_bytes) {
    for (std::uint32_t v = 0; v < f_.nodes; ++v)
        for (std::uint32_t p = 0; p < f_.ports; ++p) {
            const std::size_t output = std::size_t{v} * f_.ports + p;
            const FarPort to = f_.to(v, p);
            if (!to.linked()) continue;
            by_output_[output] = by_input_[std::size_t{to.node} * f_.ports + to.port] =
                static_cast<std::uint32_t>(links_.size());
            links_.push_back({{v, static_cast<std::uint8_t>(p)},
                              to,
                              f_.flit_delay(v, p),
                              f_.credit_delay(to.node, to.port)});
        }
    inputs_.resize(links_.size());
    for (const NamedLinkEnds& kind : kinds) {
        names_.push_back(kind.name);
        ends_.push_back(kind.make(links_.size()));
        outputs_.emplace_back(links_.size());
    }
}

void LinkLayer::show(std::uint32_t node, std::uint8_t port, std::uint8_t vc, const RawFlit& flit) {
    LinkInputs& in = inputs_[by_output_[std::size_t{node} * f_.ports + port]];
    in.link_valid = true;
    in.vc = vc;
    in.flit = flit;
    ++use_.flits;
}

void LinkLayer::show(const Credit& credit) {
    inputs_[by_input_[std::size_t{credit.node} * f_.ports + credit.port]].credits[credit.vc] = credit.amount;
}

void LinkLayer::tick() {
    forward_.advance();
    back_.advance();
    for (const Forward& frame : forward_.due()) {
        inputs_[frame.link].frame_valid = true;
        inputs_[frame.link].frame = frame.bits;
    }
    for (const Back& frame : back_.due()) {
        inputs_[frame.link].back_valid = true;
        inputs_[frame.link].back = frame.bits;
    }
    clock_ends();
    ++cycle_;
    flits_.clear();
    credits_.clear();
    for (std::uint32_t link = 0; link < links_.size(); ++link) take_outputs(link);
    for (LinkInputs& in : inputs_) {
        in.link_valid = in.frame_valid = in.back_valid = false;
        in.credits = {};
    }
}

void LinkLayer::clock_ends() {
    for (std::size_t kind = 0; kind < ends_.size(); ++kind) {
        try {
            ends_[kind]->clock(inputs_, outputs_[kind]);
        } catch (const LinkOverflow& overflow) {
            const FarPort from = links_[overflow.link].from;
            throw FellShort(
                fmt::format("cycle {}: node {} has sent more flits through port {} than the channels behind "
                            "it hold: it ignores its credits",
                            cycle_, from.node, from.port));
        }
        if (kind == 0 || outputs_[kind] == outputs_[0]) continue;
        const auto [a, b] = std::mismatch(outputs_[0].begin(), outputs_[0].end(), outputs_[kind].begin());
        const Link& link = links_[static_cast<std::size_t>(a - outputs_[0].begin())];
        throw LockstepError(fmt::format("cycle {}, link of node {}, port {}: the ends of {} and of {} differ",
                                        cycle_ + 1, link.from.node, link.from.port, names_[0], names_[kind]));
    }
}

void LinkLayer::take_outputs(std::uint32_t i) {
    const LinkOutputs& out = outputs_[0][i];
    Link& link = links_[i];
    if (out.frame_valid) {
        Forward frame{i, out.frame};
        const bool hit =
            errors_.damage_forward(frame.bits, seed_, cycle_ * 2 * links_.size() + 2 * std::uint64_t{i});
        use_.damaged += hit ? 1U : 0U;
        ++use_.frames;
        const auto sequence = static_cast<std::uint16_t>(out.frame[0] | out.frame[1] << 8U);
        if (sequence == link.fresh)
            ++link.fresh;
        else
            ++use_.retransmitted;
        forward_.push(link.flit_delay, frame);
    }
    if (out.back_valid) {
        Back frame{i, out.back};
        const bool hit =
            errors_.damage_back(frame.bits, seed_, cycle_ * 2 * links_.size() + 2 * std::uint64_t{i} + 1);
        use_.damaged_back += hit ? 1U : 0U;
        ++use_.back_frames;
        back_.push(link.credit_delay, frame);
    }
    if (out.link_valid && out.vc < f_.vcs)  // what is of no channel comes to none
        flits_.push_back({link.to.node, link.to.port, out.vc, out.flit});
    for (std::uint8_t v = 0; v < f_.vcs; ++v)
        if (out.credits[v] != 0) credits_.push_back({link.from.node, link.from.port, v, out.credits[v]});
    if (out.dead) dead(i);
}

bool LinkLayer::has_state() const {
    return std::all_of(ends_.begin(), ends_.end(), [](const auto& ends) { return ends->has_state(); });
}

void LinkLayer::state(Archive& archive) {
    archive(cycle_, use_);
    for (Link& link : links_) archive(link.fresh);
    for (LinkInputs& in : inputs_) archive(in.link_valid, in.vc, in.flit, in.credits);
    wire_state(forward_, f_.longest_delay, links_.size(), archive);
    wire_state(back_, f_.longest_delay, links_.size(), archive);
    const auto pin_state = [&](Archive& a, auto& item) {
        a.below(item.node, f_.nodes);
        a.below(item.port, f_.ports);
        a.below(item.vc, f_.vcs);
    };
    archive.each(flits_, [&](Archive& a, RawLinkFlit& flit) {
        pin_state(a, flit);
        a.expect(by_input_[std::size_t{flit.node} * f_.ports + flit.port] != none);
        a(flit.flit);
    });
    archive.each(credits_, [&](Archive& a, Credit& credit) {
        pin_state(a, credit);
        a.expect(by_output_[std::size_t{credit.node} * f_.ports + credit.port] != none);
        a(credit.amount);
    });
    for (const auto& ends : ends_) ends->state(archive);
}

void LinkLayer::dead(std::uint32_t i) const {
    const Link& link = links_[i];
    throw DeadLink(fmt::format(
        "cycle {}: the link by which node {} sends through port {} to node {} is dead: {} repetitions in a "
        "row "
        "did not arrive (bit error rate {:g})",
        cycle_, link.from.node, link.from.port, link.to.node, settings_.attempts, f_.links.bit_error_rate));
}

}  // namespace interlace
