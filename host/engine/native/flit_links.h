// Interlace: the links between native nodes that are run flit by flit
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "flit_state.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/delay_line.h"
#include "interlace/engine/region/region_nodes.h"
#include "interlace/engine/region/tokens.h"

namespace interlace::native {

/// The links within a region, and what is on its way on them. Flits behind the heads of packets go without
/// these: where they go, their packet is known.
class FlitLinks {
  public:
    /// A port's link: of an output, the source that is its first channel's, among those of all nodes; of an
    /// input, the first channel of the sink that it comes from. `none`: it leads out of the region.
    struct Wire {
        std::uint32_t first, delay;

        bool within() const { return first != none; }
    };
    /// A flit behind a head.
    struct Body {
        std::uint32_t index;  // of the source among those of all nodes
    };
    struct Credits {
        std::uint32_t channel;  // of the sink, among those of all nodes
        std::uint8_t amount;
    };
    /// A link's.
    struct Channel {
        std::uint8_t port = 0, vc = 0;
    };

    /// `layered`: every link leads out. `whole`: all flits go with their packets, as between pipelined nodes.
    FlitLinks(const Fabric& fabric, const RegionNodes& global, const RegionPlaces& local, bool layered,
              bool whole);

    Wire output(std::uint32_t node, std::uint32_t port) const { return outputs_.at(node * ports_ + port); }
    Wire input(std::uint32_t node, std::uint32_t port) const { return inputs_.at(node * ports_ + port); }
    /// Of its node.
    std::uint32_t source(const Body& body) const { return body.index % sources_; }
    /// Of a source that is a link's.
    Channel channel(std::uint32_t source) const { return channels_[source]; }
    Credit credit(const Credits& credits) const;

    void push_body(const Wire& output, std::uint32_t vc) { bodies_.push(output.delay, {output.first + vc}); }
    void push_credits(const Wire& input, std::uint32_t vc, std::uint8_t amount) {
        credits_.push(input.delay, {input.first + vc, amount});
    }
    /// As tokens have them, but for nodes of the region.
    void push(std::uint32_t delay, const LinkFlit& flit);
    void push(std::uint32_t delay, const Credit& credit);

    void advance();
    void skip(std::uint64_t cycles);
    std::uint64_t idle() const;
    /// With their packets: heads, or all.
    const std::vector<LinkFlit>& flits() const { return flits_.due(); }
    const std::vector<Body>& bodies() const { return bodies_.due(); }
    const std::vector<Credits>& credits() const { return credits_.due(); }

    /// visit(delay, flit) for all flits that have not arrived; `next`: [source among all], the flit that
    /// comes next there, of a packet whose head has arrived.
    template <class Next, class Visit>
    void each_coming_flit(const Next& next, const Visit& visit) const {
        std::unordered_map<std::uint32_t, Flit> coming;  // of sources of which a flit has been visited
        const auto of = [&](std::uint32_t index) -> Flit& {
            const auto found = coming.find(index);
            return found != coming.end() ? found->second : coming.emplace(index, next(index)).first->second;
        };
        for (std::uint32_t delay = 0; delay <= longest_; ++delay) {
            for (const LinkFlit& flit : flits_.due_in(delay + 1)) {
                if (!whole_) of(index(flit)) = {flit.flit.packet, 1};
                visit(delay, flit);
            }
            for (const Body& body : bodies_.due_in(delay + 1)) {
                const auto [port, vc] = channels_[source(body)];
                Flit& flit = of(body.index);
                visit(delay, LinkFlit{body.index / sources_, port, vc, flit});
                ++flit.index;
            }
        }
    }
    template <class Visit>
    void each_coming_credit(const Visit& visit) const {
        credits_.each_coming(
            [&](std::uint32_t delay, const Credits& credits) { visit(delay, credit(credits)); });
    }

  private:
    /// [node * ports + port]; delays only where not all are the same.
    class Wires {
      public:
        void reserve(std::size_t wires) { first_.reserve(wires); }
        void add(std::uint32_t first, std::uint32_t delay);
        Wire at(std::uint32_t wire) const { return {first_[wire], delays_.empty() ? delay_ : delays_[wire]}; }

      private:
        std::vector<std::uint32_t> first_, delays_;
        std::uint32_t delay_ = 0;
    };

    std::uint32_t index(const LinkFlit& flit) const {
        return flit.node * sources_ + flit.port * vcs_ + flit.vc;
    }

    std::uint32_t ports_, vcs_, sources_, sinks_, longest_;
    bool whole_;
    std::array<Channel, 64> channels_{};  // [source]
    Wires outputs_, inputs_;
    DelayLine<LinkFlit> flits_;
    DelayLine<Body> bodies_;
    DelayLine<Credits> credits_;
};

}  // namespace interlace::native
