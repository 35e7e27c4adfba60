// Interlace: all-gathers in as few steps as any schedule can take
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/collectives/allgather.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interlace/broadcast/collectives/reducescatter.h"
#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/network/metrics.h"
#include "scatter_flow.h"

namespace interlace {
namespace {

/// Packets at nodes that are looked at, 4 bytes each and some 16 more for each link that could bring one.
constexpr std::uint64_t most_places = std::uint64_t{1} << 25U;

/// One schedule: packets of one origin of each class spread over the network, and in a step each class of
/// links (nodes of a class, an output) carries one packet of one of them; moved to all origins they use every
/// link once.
class Spreading {
  public:
    Spreading(const Network& network, const IncomingLinks& incoming, std::uint32_t chunks, std::uint64_t seed)
        : network_(network),
          incoming_(incoming),
          translations_(network),
          chunks_(chunks),
          seed_(seed),
          nodes_(network.node_count()),
          ports_(network.max_degree()),
          packets_(translations_.classes() * chunks),
          place_(std::size_t{packets_} * nodes_),
          outputs_(std::size_t{translations_.classes()} * ports_) {}

    /// False past `limit` steps.
    bool run(std::uint32_t limit, const std::function<void(double)>& progress) {
        schedule_.chunks = chunks_;
        schedule_.sends.assign(translations_.classes(), {});
        missing_ = std::uint64_t{packets_} * (nodes_ - 1);
        const auto all = static_cast<double>(missing_);
        for (std::uint32_t packet = 0; packet < packets_; ++packet) {
            const NodeId origin = translations_.firsts()[packet / chunks_];
            at(packet, origin).state = State::held;
            offer(packet, origin);
        }
        for (std::uint32_t step = 1; missing_ > 0; ++step) {
            if (step > limit) return false;
            take_step(step);
            if (progress) progress(1 - static_cast<double>(missing_) / all);
        }
        return true;
    }

    SymmetricSchedule take() { return std::move(schedule_); }

  private:
    enum class State : std::uint8_t { lacking, coming, held };
    /// A packet at a node.
    struct Place {
        State state = State::lacking;  ///< coming: in this step
        std::uint16_t bringers = 0;    ///< neighbours that hold it
    };
    /// A node that could send a packet by an output: the least goes first.
    struct Candidate {
        std::uint64_t key;  ///< {neighbours that hold it, 255 - those that lack it, a draw}: of the receiver
        std::uint32_t packet;
        NodeId from;
        bool operator<(const Candidate& other) const { return key > other.key; }
    };
    /// A class of links.
    struct Output {
        std::vector<Candidate> heap;   // some of which others have served meanwhile
        std::uint64_t candidates = 0;  // that nobody has
    };

    Place& at(std::uint32_t packet, NodeId node) { return place_[std::size_t{packet} * nodes_ + node]; }
    bool lacks(std::uint32_t packet, NodeId node) { return at(packet, node).state == State::lacking; }
    Output& output(NodeId from, std::uint32_t port) {
        return outputs_[std::size_t{translations_.class_of(from)} * ports_ + port];
    }

    std::uint64_t key(std::uint32_t packet, NodeId from, NodeId to) {
        std::uint32_t lacking = 0;
        for (const NodeId next : network_.neighbours(to)) lacking += lacks(packet, next) ? 1 : 0;
        return std::uint64_t{at(packet, to).bringers} << 40U |
               std::uint64_t{255 - std::min(lacking, 255U)} << 32U |
               (random_bits(seed_, packet, std::uint64_t{from} << 32U | to) & 0xffffffffU);
    }

    /// The node holds the packet from this step on.
    void offer(std::uint32_t packet, NodeId node) {
        const auto neighbours = network_.neighbours(node);
        for (std::uint32_t port = 0; port < neighbours.size(); ++port) {
            const NodeId to = neighbours[port];
            ++at(packet, to).bringers;
            if (!lacks(packet, to)) continue;
            Output& by = output(node, port);
            ++by.candidates;
            by.heap.push_back({key(packet, node, to), packet, node});
            std::push_heap(by.heap.begin(), by.heap.end());
        }
    }

    void take_step(std::uint32_t step) {
        arrived_.clear();
        order_.clear();
        for (std::uint32_t i = 0; i < outputs_.size(); ++i)
            if (outputs_[i].candidates > 0) order_.push_back(i);
        if (outputs_.size() > few) {
            std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
                return outputs_[a].candidates < outputs_[b].candidates;
            });
            for (const std::uint32_t i : order_) send(i, step);
        } else {
            while (!order_.empty()) {
                const auto least =
                    std::min_element(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
                        return outputs_[a].candidates < outputs_[b].candidates;
                    });
                send(*least, step);
                order_.erase(least);
            }
        }
        for (const auto& [packet, node] : arrived_) {
            at(packet, node).state = State::held;
            offer(packet, node);
        }
    }

    void send(std::uint32_t index, std::uint32_t step) {
        Output& by = outputs_[index];
        const std::uint32_t port = index % ports_;
        while (by.candidates > 0) {
            std::pop_heap(by.heap.begin(), by.heap.end());
            Candidate first = by.heap.back();
            by.heap.pop_back();
            const NodeId to = network_.neighbours(first.from)[port];
            if (!lacks(first.packet, to)) continue;
            const std::uint64_t now = key(first.packet, first.from, to);
            if (now != first.key) {  // more than before: others hold the packet, too, or have got it
                first.key = now;
                by.heap.push_back(first);
                std::push_heap(by.heap.begin(), by.heap.end());
                continue;
            }
            arrive(first, to, port, step);
            return;
        }
    }

    void arrive(const Candidate& sent, NodeId to, std::uint32_t port, std::uint32_t step) {
        at(sent.packet, to).state = State::coming;
        --missing_;
        for (std::uint32_t k = 0; k < incoming_.links_into(to).size(); ++k) {
            const NodeId other = incoming_.senders_to(to)[k];
            if (at(sent.packet, other).state != State::held) continue;
            --output(other, incoming_.links_into(to)[k] - network_.first_link(other)).candidates;
        }
        arrived_.emplace_back(sent.packet, to);
        schedule_.sends[sent.packet / chunks_].push_back({step, sent.from, port, sent.packet % chunks_});
    }

    static constexpr std::size_t few = 64;

    const Network& network_;
    const IncomingLinks& incoming_;
    const Translations translations_;
    const std::uint32_t chunks_;
    const std::uint64_t seed_;
    const std::uint32_t nodes_, ports_, packets_;  // packets: of one origin a class
    std::vector<Place> place_;                     // [packet][node]
    std::vector<Output> outputs_;                  // [class][port]
    std::vector<std::uint32_t> order_;
    std::vector<std::pair<std::uint32_t, NodeId>> arrived_;  // in this step
    std::uint64_t missing_ = 0;
    SymmetricSchedule schedule_;
};

/// A node gets the packets of all others no sooner than in a gather, which is a scatter on reversed links.
void raise_by_flows(AllGatherBound& bound, const Network& network, const Translations& translations,
                    std::uint32_t chunks, std::uint32_t enough) {
    if (bound.steps >= enough) return;
    const Network reversed = reversed_links(network);
    for (const NodeId node : translations.firsts()) {
        const FewestSteps fewest =
            fewest_steps(reversed, node, chunks, bound.steps, enough, translations.classes());
        if (fewest.steps > bound.steps)
            bound = {AllGatherBound::Kind::flow, fewest.steps, node, 0, fewest.packets_before};
    }
}

}  // namespace

AllGatherBound allgather_bound(const Network& network, std::uint32_t chunks, std::uint32_t enough) {
    const IncomingLinks incoming(network);
    AllGatherBound bound;
    bound.links = UINT32_MAX;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const auto links = static_cast<std::uint32_t>(incoming.links_into(NodeId{v}).size());
        if (links >= bound.links) continue;
        bound.links = links;
        bound.node = NodeId{v};
    }
    const std::uint64_t packets = (network.node_count() - std::uint64_t{1}) * chunks;
    bound.steps =
        bound.links == 0 ? 0 : static_cast<std::uint32_t>((packets + bound.links - 1) / bound.links);
    const Translations translations(network);
    for (const NodeId origin : translations.firsts()) {
        const std::vector<std::uint32_t> distance = distances_from(network, origin);
        const auto farthest = std::max_element(distance.begin(), distance.end());
        if (*farthest == unreachable)
            throw InputError(fmt::format("there is no path from node {} to node {} of {}", +origin,
                                         farthest - distance.begin(), network.name()),
                             "a network whose nodes all reach one another");
        if (*farthest <= bound.steps) continue;
        bound = {AllGatherBound::Kind::diameter, *farthest,
                 NodeId{static_cast<std::uint32_t>(farthest - distance.begin())}, 0, 0};
    }
    raise_by_flows(bound, network, translations, chunks, enough);
    return bound;
}

OptimalAllGather optimal_allgather(const Network& network, std::uint32_t chunks,
                                   const AllGatherOptions& options) {
    const std::uint64_t one = std::uint64_t{Translations(network).classes()} * chunks * network.node_count();
    if (one > most_places)
        throw InputError(
            fmt::format("cannot schedule {} chunk{} of {} different nodes to {}", chunks,
                        chunks == 1 ? "" : "s", Translations(network).classes(), network.node_count()),
            fmt::format(
                "a product of {} at most: fewer chunks or nodes, or a torus or iBT, whose nodes are alike",
                most_places));
    OptimalAllGather best;
    best.bound = allgather_bound(network, chunks);
    best.steps = UINT32_MAX;
    const IncomingLinks incoming(network);
    std::uint64_t attempts = 0;
    do {
        Spreading spreading(network, incoming, chunks, options.seed + attempts);
        if (!spreading.run(best.steps - 1, attempts++ == 0 ? options.progress : nullptr)) continue;
        best.schedule = spreading.take();
        best.steps = best.schedule.steps();
        if (attempts == 1) best.bound = allgather_bound(network, chunks, best.steps);
    } while (best.steps > best.bound.steps && (attempts + 1) * one <= options.effort);
    return best;
}

}  // namespace interlace
