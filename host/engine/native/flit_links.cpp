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
      outputs_(global.size() * fabric.ports),
      inputs_(outputs_.size()),
      flits_(longest_),
      bodies_(longest_),
      credits_(longest_) {
    for (std::uint32_t source = 0; source < fabric.link_sources(); ++source)
        channels_[source] = {static_cast<std::uint8_t>(source / vcs_),
                             static_cast<std::uint8_t>(source % vcs_)};
    const auto within = [&](const FarPort& far) {
        return !layered && far.linked() && local[far.node] != RegionPlaces::outside;
    };
    for (std::uint32_t node = 0; node < global.size(); ++node)
        for (std::uint32_t port = 0; port < ports_; ++port) {
            const std::size_t wire = std::size_t{node} * ports_ + port;
            if (const FarPort far = fabric.to(global[node], port); within(far)) {
                const std::uint32_t source = far.port * vcs_;
                outputs_[wire] = {local[far.node] * sources_ + source, fabric.flit_delay(global[node], port),
                                  static_cast<std::uint8_t>(source)};
            }
            if (const FarPort far = fabric.from(global[node], port); within(far))
                inputs_[wire] = {(local[far.node] * sinks_ + far.port) * vcs_,
                                 fabric.credit_delay(global[node], port), 0};
        }
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
        bodies_.push(delay, {index(flit), static_cast<std::uint8_t>(flit.port * vcs_ + flit.vc)});
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
