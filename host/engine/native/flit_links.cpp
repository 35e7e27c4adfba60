// Interlace: the links between native nodes that are run flit by flit
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "flit_links.h"

#include <algorithm>

namespace interlace::native {

FlitLinks::FlitLinks(const Fabric& fabric, const RegionNodes& global, const RegionPlaces& local, bool layered,
                     bool whole)
    : ports_(fabric.ports),
      vcs_(fabric.vcs),
      sources_(fabric.sources()),
      sinks_(fabric.sinks()),
      longest_(fabric.longest_delay),
      whole_(whole),
      flits_(longest_),
      bodies_(longest_),
      credits_(longest_) {
    outputs_.reserve(global.size() * ports_);
    inputs_.reserve(global.size() * ports_);
    for (std::uint32_t source = 0; source < fabric.link_sources(); ++source)
        channels_[source] = {static_cast<std::uint8_t>(source / vcs_),
                             static_cast<std::uint8_t>(source % vcs_)};
    const auto within = [&](const FarPort& far) {
        return !layered && far.linked() && local[far.node] != RegionPlaces::outside;
    };
    for (std::uint32_t node = 0; node < global.size(); ++node)
        for (std::uint32_t port = 0; port < ports_; ++port) {
            const FarPort to = fabric.to(global[node], port), from = fabric.from(global[node], port);
            outputs_.add(within(to) ? local[to.node] * sources_ + to.port * vcs_ : none,
                         fabric.flit_delay(global[node], port));
            inputs_.add(within(from) ? (local[from.node] * sinks_ + from.port) * vcs_ : none,
                        fabric.credit_delay(global[node], port));
        }
}

void FlitLinks::Wires::add(std::uint32_t first, std::uint32_t delay) {
    if (first_.empty()) delay_ = delay;
    if (delay != delay_ && delays_.empty()) delays_.assign(first_.size(), delay_);
    if (delay != delay_ || !delays_.empty()) delays_.push_back(delay);
    first_.push_back(first);
}

Credit FlitLinks::credit(const Credits& credits) const {
    const std::uint32_t sink = credits.channel / vcs_;
    return {sink / sinks_, static_cast<std::uint8_t>(sink % sinks_),
            static_cast<std::uint8_t>(credits.channel % vcs_), credits.amount};
}

void FlitLinks::push(std::uint32_t delay, const LinkFlit& flit) {
    if (whole_ || flit.flit.head())
        flits_.push(delay, flit);
    else
        bodies_.push(delay, {index(flit)});
}

void FlitLinks::push(std::uint32_t delay, const Credit& credit) {
    credits_.push(delay, {(credit.node * sinks_ + credit.port) * vcs_ + credit.vc, credit.amount});
}

void FlitLinks::advance() {
    flits_.advance();
    bodies_.advance();
    credits_.advance();
}

void FlitLinks::skip(std::uint64_t cycles) {
    flits_.skip(cycles);
    bodies_.skip(cycles);
    credits_.skip(cycles);
}

std::uint64_t FlitLinks::idle() const {
    return std::min({flits_.idle(), bodies_.idle(), credits_.idle()});
}

}  // namespace interlace::native
