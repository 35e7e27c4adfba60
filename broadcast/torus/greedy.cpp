// Interlace: a greedy scheduler that sends the rarest packet over the most constrained link
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "greedy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include "interlace/core/random.h"
#include "interlace/network/metrics.h"

namespace interlace {
namespace {

using Word = std::uint64_t;
constexpr std::uint32_t word_bits = 64;

/// How many of a node's neighbours hold each packet, as binary digits: bit p of plane i is digit i of packet
/// p's count.
class HolderCounts {
  public:
    explicit HolderCounts(std::uint32_t words) : words_(words), planes_(std::size_t{words} * max_planes) {}

    void clear(std::uint32_t neighbours) {
        used_ = std::min<std::uint32_t>(std::bit_width(neighbours), max_planes);
        std::fill_n(planes_.begin(), std::size_t{used_} * words_, 0);
    }
    void add(const Word* held) {
        for (std::uint32_t w = 0; w < words_; ++w) {
            Word carry = held[w];
            for (std::uint32_t i = 0; i < used_ && carry != 0; ++i) {
                Word& digit = planes_[std::size_t{i} * words_ + w];
                const Word sum = digit ^ carry;
                carry &= digit;
                digit = sum;
            }
        }
    }
    /// Keeps in `set` only the packets with the smallest count.
    void keep_rarest(std::vector<Word>& set) const {
        for (std::uint32_t i = used_; i-- > 0;) {
            const Word* digit = &planes_[std::size_t{i} * words_];
            Word any = 0;
            for (std::uint32_t w = 0; w < words_; ++w) any |= set[w] & ~digit[w];
            if (any == 0) continue;
            for (std::uint32_t w = 0; w < words_; ++w) set[w] &= ~digit[w];
        }
    }

  private:
    static constexpr std::uint32_t max_planes =
        6;  // counts wrap beyond 63 neighbours, which costs quality only
    std::uint32_t words_, used_ = 0;
    std::vector<Word> planes_;
};

class Greedy {
  public:
    Greedy(const Network& network, const IncomingLinks& incoming, const Group& group, NodeId source,
           std::uint32_t packets, Preference preference, std::uint64_t seed)
        : network_(network),
          incoming_(incoming),
          group_(group),
          packets_(packets),
          words_((packets + word_bits - 1) / word_bits),
          seed_(seed),
          held_(std::size_t{network.node_count()} * words_, 0),
          next_(held_),
          count_(network.node_count(), 0),
          holders_(packets, 1),
          outward_(preference == Preference::rarest_outward),
          neighbour_counts_(words_),
          taken_(words_),
          choice_(words_),
          missing_members_(group.size - 1) {
        for (std::uint32_t p = 0; p < packets; ++p) held_[index(source, p)] |= bit(p);
        next_ = held_;
        if (outward_) {
            distance_ = distances_from(network, source, group.carriers());
            for (const std::uint32_t d : distance_)
                if (d != unreachable) levels_ = std::max(levels_, d + 1);
            farther_.assign(std::size_t{packets} * levels_, 0);
            first_sent_.assign(packets, 0);
        }
        count_[source] = packets;
        for (std::uint32_t v = 0; v < network.node_count(); ++v)
            if (v != source && group.may_carry(NodeId{v})) waiting_.emplace_back(v);
        shuffle_waiting();
    }

    GreedySchedule run(std::uint32_t limit, const std::function<void(double)>& progress) {
        GreedySchedule schedule;
        const double deliveries = static_cast<double>(waiting_.size()) * packets_;
        while (missing_members_ > 0) {
            if (progress) progress(static_cast<double>(schedule.sends.size()) / deliveries);
            if (++schedule.steps > limit) return schedule;
            changed_.clear();
            for (std::size_t place = 0; place < waiting_.size(); ++place) {
                fetch_ahead(place);
                serve(waiting_[place], schedule.steps, schedule.sends);
            }
            for (const NodeId node : changed_)
                std::copy_n(&next_[std::size_t{node} * words_], words_, &held_[std::size_t{node} * words_]);
            std::erase_if(waiting_, [&](NodeId node) { return count_[node] == packets_; });
        }
        if (progress) progress(1);
        return schedule;
    }

  private:
    std::size_t index(NodeId node, std::uint32_t packet) const {
        return std::size_t{node} * words_ + packet / word_bits;
    }
    static Word bit(std::uint32_t packet) { return Word{1} << (packet % word_bits); }
    const Word* held(NodeId node) const { return &held_[std::size_t{node} * words_]; }

    void shuffle_waiting() {
        if (seed_ == 0) return;
        for (std::size_t i = waiting_.size(); i > 1; --i)
            std::swap(waiting_[i - 1], waiting_[random_bits(seed_, 1, i) % i]);
    }

    /// What nodes that are served soon, in no order, will need comes from memory meanwhile. GCC leaves out
    /// calls of functions that do nothing else, unless they are inlined.
    [[gnu::always_inline]] void fetch_ahead(std::size_t place) const {
        constexpr std::size_t soon = 8, later = 16, last = 32;
        if (place + last < waiting_.size()) __builtin_prefetch(&incoming_.first[waiting_[place + last]]);
        if (place + later < waiting_.size()) {
            const NodeId node = waiting_[place + later];
            __builtin_prefetch(incoming_.senders_to(node).data());
            __builtin_prefetch(incoming_.links_into(node).data());
            __builtin_prefetch(network_.neighbours(node).data());
            __builtin_prefetch(held(node));
        }
        if (place + soon >= waiting_.size()) return;
        const NodeId node = waiting_[place + soon];
        __builtin_prefetch(&count_[node], 1);
        for (const NodeId sender : incoming_.senders_to(node)) {
            __builtin_prefetch(&count_[sender]);
            __builtin_prefetch(held(sender));
        }
        for (const NodeId neighbour : network_.neighbours(node))
            __builtin_prefetch(&next_[std::size_t{neighbour} * words_]);
    }

    struct Offer {
        LinkId link;
        NodeId sender;
        std::uint32_t candidates;
    };

    /// The links that could bring `node` something, those that could bring the least first.
    void collect_offers(NodeId node) {
        offers_.clear();
        const auto senders = incoming_.senders_to(node);
        const Word* mine = held(node);
        for (std::size_t i = 0; i < senders.size(); ++i) {
            if (count_[senders[i]] == 0 || !group_.may_carry(senders[i])) continue;
            const Word* theirs = held(senders[i]);
            std::uint32_t candidates = 0;
            for (std::uint32_t w = 0; w < words_; ++w)
                candidates += static_cast<std::uint32_t>(std::popcount(theirs[w] & ~mine[w]));
            if (candidates > 0) offers_.push_back({incoming_.links_into(node)[i], senders[i], candidates});
        }
        std::stable_sort(offers_.begin(), offers_.end(),
                         [](const Offer& a, const Offer& b) { return a.candidates < b.candidates; });
    }

    void serve(NodeId node, std::uint32_t step, std::vector<Send>& sends) {
        collect_offers(node);
        if (offers_.empty()) return;
        neighbour_counts_.clear(network_.degree(node));
        for (const NodeId neighbour : network_.neighbours(node))
            if (group_.may_carry(neighbour)) neighbour_counts_.add(&next_[std::size_t{neighbour} * words_]);
        std::copy_n(held(node), words_, taken_.begin());
        const std::uint32_t before = count_[node];
        for (const Offer& offer : offers_) {
            const Word* theirs = held(offer.sender);
            Word any = 0;
            for (std::uint32_t w = 0; w < words_; ++w) any |= choice_[w] = theirs[w] & ~taken_[w];
            if (any == 0) continue;
            if (!outward_) neighbour_counts_.keep_rarest(choice_);
            const std::uint32_t packet = outward_ ? fewest_farther(node, step) : fewest_holders(node, step);
            taken_[packet / word_bits] |= bit(packet);
            ++holders_[packet];
            if (outward_) note_holder(node, packet, step);
            ++count_[node];
            sends.push_back({offer.link, PacketId{packet}});
        }
        if (count_[node] == before) return;
        std::copy(taken_.begin(), taken_.end(),
                  next_.begin() + static_cast<std::ptrdiff_t>(std::size_t{node} * words_));
        changed_.push_back(node);
        if (count_[node] == packets_ && group_.member[node]) --missing_members_;
    }

    /// Of the packets in choice_, the one that the fewest nodes hold; ties by a hash.
    std::uint32_t fewest_holders(NodeId node, std::uint32_t step) const {
        std::uint32_t best = 0;
        std::uint32_t fewest = UINT32_MAX;
        std::uint64_t best_hash = 0;
        const std::uint64_t salt = random_bits(seed_, node, step);
        for (std::uint32_t w = 0; w < words_; ++w) {
            for (Word set = choice_[w]; set != 0; set &= set - 1) {
                const std::uint32_t packet =
                    w * word_bits + static_cast<std::uint32_t>(std::countr_zero(set));
                if (holders_[packet] > fewest) continue;
                const std::uint64_t hash = (salt ^ packet) * 0x9e3779b97f4a7c15U;
                if (holders_[packet] == fewest && hash >= best_hash) continue;
                best = packet;
                fewest = holders_[packet];
                best_hash = hash;
            }
        }
        return best;
    }

    void note_holder(NodeId node, std::uint32_t packet, std::uint32_t step) {
        if (first_sent_[packet] == 0) first_sent_[packet] = step;
        for (std::uint32_t d = 0; d < distance_[node]; ++d) ++farther_[std::size_t{packet} * levels_ + d];
    }

    /// Of the packets in choice_, the one that the fewest nodes farther from the source than `node` hold,
    /// then the one that left the source first; ties by a hash.
    std::uint32_t fewest_farther(NodeId node, std::uint32_t step) const {
        using Rank = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;
        std::uint32_t best = 0;
        Rank least{UINT32_MAX, UINT32_MAX, UINT64_MAX};
        const std::uint64_t salt = random_bits(seed_, node, step);
        for (std::uint32_t w = 0; w < words_; ++w) {
            for (Word set = choice_[w]; set != 0; set &= set - 1) {
                const std::uint32_t packet =
                    w * word_bits + static_cast<std::uint32_t>(std::countr_zero(set));
                const Rank rank{farther_[std::size_t{packet} * levels_ + distance_[node]],
                                first_sent_[packet], (salt ^ packet) * 0x9e3779b97f4a7c15U};
                if (rank >= least) continue;
                best = packet;
                least = rank;
            }
        }
        return best;
    }

    const Network& network_;
    const IncomingLinks& incoming_;
    const Group& group_;
    std::uint32_t packets_, words_;
    std::uint64_t seed_;
    std::vector<Word> held_, next_;       // packets of each node: before this step, and with those sent in it
    std::vector<std::uint32_t> count_;    // of next_, per node
    std::vector<std::uint32_t> holders_;  // of next_, per packet
    bool outward_;                        // rank packets by fewest_farther()
    std::uint32_t levels_ = 0;            // distances from the source: 0 to levels_ - 1
    std::vector<std::uint32_t> distance_, farther_, first_sent_;  // farther_: packet, distance exceeded
    HolderCounts neighbour_counts_;
    std::vector<Word> taken_, choice_;
    std::vector<Offer> offers_;
    std::vector<NodeId> waiting_, changed_;
    std::uint32_t missing_members_;
};

}  // namespace

GreedySchedule greedy_schedule(const Network& network, const IncomingLinks& incoming, const Group& group,
                               NodeId source, std::uint32_t packets, Preference preference,
                               std::uint64_t seed, std::uint32_t limit,
                               const std::function<void(double)>& progress) {
    return Greedy(network, incoming, group, source, packets, preference, seed).run(limit, progress);
}

}  // namespace interlace
