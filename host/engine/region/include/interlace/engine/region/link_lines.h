// Interlace: flits and credits on their way between regions
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/delay_line.h"
#include "interlace/engine/region/tokens.h"

namespace interlace {

/// What will be on the pins of nodes at the far ends of links.
struct LinkLines {
    explicit LinkLines(std::uint32_t longest) : flits(longest), raw_flits(longest), credits(longest) {}

    void push(std::uint32_t delay, const LinkFlit& flit) { flits.push(delay, flit); }
    void push(std::uint32_t delay, const RawLinkFlit& flit) { raw_flits.push(delay, flit); }
    void push(std::uint32_t delay, const Credit& credit) { credits.push(delay, credit); }
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

    /// visit(delay, item) for each item, as it would be pushed now.
    template <class Visit>
    void each_coming(const Visit& visit) const {
        flits.each_coming(visit);
        raw_flits.each_coming(visit);
        credits.each_coming(visit);
    }

    DelayLine<LinkFlit> flits;
    DelayLine<RawLinkFlit> raw_flits;
    DelayLine<Credit> credits;
};

/// Calls visit(delay, item) for each flit and credit that pins of links show after a tick: as the node at the
/// far end will see it, `delay` cycles beyond the next.
template <class Visit>
void each_arrival(const Fabric& fabric, const RegionOutputs& outputs, const Visit& visit) {
    const auto each_flit = [&](const auto& flits) {
        for (auto flit : flits) {
            const FarPort far = fabric.to(flit.node, flit.port);
            const std::uint32_t delay = fabric.flit_delay(flit.node, flit.port);
            flit.node = far.node;
            flit.port = far.port;
            visit(delay, flit);
        }
    };
    each_flit(outputs.flits);
    each_flit(outputs.raw_flits);
    for (Credit credit : outputs.credits) {
        const FarPort far = fabric.from(credit.node, credit.port);
        const std::uint32_t delay = fabric.credit_delay(credit.node, credit.port);
        credit.node = far.node;
        credit.port = far.port;
        visit(delay, credit);
    }
}

}  // namespace interlace
