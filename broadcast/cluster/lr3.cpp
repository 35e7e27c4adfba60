// Interlace: the contention-free ring with the shortest longest path
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "interlace/broadcast/cluster/rings.h"
#include "interlace/core/parts.h"

// The argument is in docs/rings.md. In short: the machines of a subtree are side by side on the ring (Lemma
// 2), so a switch puts arrays, one of each subtree and one of each machine, into a row. An array has two
// ends, known by their heights, and two ends may meet if their heights add up to `room` or less. Whether a
// choice of arrays can be put into a row depends only on how many ends of each height there are and which
// heights share an array.
namespace interlace {
namespace {

using Height = std::uint32_t;

/// The heights of an array's two ends, the lower one first.
struct Ends {
    Height low = 0, high = 0;
};

/// What the arrays chosen so far offer: for each level (a height h and its complement room - h), low ends
/// less high ends; which levels have ends; and which are joined by arrays (the lowest level of each part).
struct State {
    std::vector<std::int32_t> surplus;
    std::vector<std::uint16_t> present, part;
    bool operator<(const State& that) const {
        return std::tie(surplus, present, part) < std::tie(that.surplus, that.present, that.part);
    }
};

/// The rows that one switch can make of its arrays.
class Rows {
  public:
    /// `choices`: for each subtree, the ends that its array may have. `machines`: arrays of height 0 besides.
    Rows(Height room, std::uint32_t machines, const std::vector<std::vector<Ends>>& choices) : room_(room) {
        collect_levels(machines, choices);
        State start{std::vector<std::int32_t>(levels_.size()), std::vector<std::uint16_t>(levels_.size()),
                    std::vector<std::uint16_t>(levels_.size())};
        std::iota(start.part.begin(), start.part.end(), std::uint16_t{0});
        if (machines > 0) {
            start.surplus[0] = static_cast<std::int32_t>(2 * machines);
            start.present[0] = 1;
        }
        layers_.push_back({{start, {}}});
        for (const auto& options : choices) add_layer(options);
    }

    /// The least open ends that a row can have: no other row has both lower.
    std::vector<Ends> min_ends() const {
        std::vector<Ends> least;
        for (const Height low : heights_)
            for (const Height high : heights_) {
                if (low > high || high >= room_) continue;
                const bool beaten = std::any_of(least.begin(), least.end(), [&](const Ends& e) {
                    return e.low <= low && e.high <= high;
                });
                if (!beaten && last_of_row({room_ - high, room_ - low}) != nullptr)
                    least.push_back({low, high});
            }
        return least;
    }
    bool closes() const {
        return std::any_of(layers_.back().begin(), layers_.back().end(),
                           [&](const auto& node) { return holds(node.first); });
    }

    /// Of each subtree, the number of its choice in a row with open ends `ends`, or in a ring.
    std::vector<std::uint32_t> choices_for(const Ends& ends) const {
        return choices_to(*last_of_row({room_ - ends.high, room_ - ends.low}));
    }
    std::vector<std::uint32_t> choices_for_ring() const {
        for (const auto& node : layers_.back())
            if (holds(node.first)) return choices_to(node);
        return {};
    }

  private:
    struct Step {
        const State* before = nullptr;
        std::uint32_t choice = 0;
    };
    using Layer = std::map<State, Step>;

    Height level_height(Height height) const { return std::min(height, room_ - height); }
    std::size_t level(Height height) const {
        return static_cast<std::size_t>(
            std::lower_bound(levels_.begin(), levels_.end(), level_height(height)) - levels_.begin());
    }

    void collect_levels(std::uint32_t machines, const std::vector<std::vector<Ends>>& choices) {
        if (machines > 0) heights_.push_back(0);
        for (const auto& options : choices)
            for (const Ends& e : options) heights_.insert(heights_.end(), {e.low, e.high});
        const auto tidy = [](std::vector<Height>& values) {
            std::sort(values.begin(), values.end());
            values.erase(std::unique(values.begin(), values.end()), values.end());
        };
        tidy(heights_);
        for (const Height h : heights_) levels_.push_back(level_height(h));
        tidy(levels_);
    }

    void add(State& state, const Ends& ends) const {
        for (const Height h : {ends.low, ends.high}) {
            state.surplus[level(h)] += 2 * h <= room_ ? 1 : -1;
            state.present[level(h)] = 1;
        }
        const auto [to, from] = std::minmax(state.part[level(ends.low)], state.part[level(ends.high)]);
        std::replace(state.part.begin(), state.part.end(), std::uint16_t{from}, std::uint16_t{to});
    }

    void add_layer(const std::vector<Ends>& options) {
        Layer next;
        for (const auto& [state, step] : layers_.back())
            for (std::uint32_t i = 0; i < options.size(); ++i) {
                State after = state;
                add(after, options[i]);
                next.try_emplace(std::move(after), Step{&state, i});
            }
        layers_.push_back(std::move(next));
    }

    /// Whether all ends of `state` can be joined two by two into one ring: every high end finds a low one,
    /// and where these are just enough (nothing can cross that level), arrays lead on.
    bool holds(const State& state) const {
        Parts parts(static_cast<std::uint32_t>(levels_.size()));
        std::int32_t surplus = 0;
        std::uint32_t open = UINT32_MAX;  // a level below that ends may cross from
        for (std::uint32_t l = 0; l < levels_.size(); ++l) {
            parts.join(l, state.part[l]);
            surplus += state.surplus[l];
            if (surplus < 0) return false;
            if (state.present[l] == 0) continue;
            if (open != UINT32_MAX) parts.join(l, open);
            open = surplus > 0 ? l : UINT32_MAX;
        }
        std::uint32_t first = UINT32_MAX;
        for (std::uint32_t l = 0; l < levels_.size(); ++l) {
            if (state.present[l] == 0) continue;
            if (first == UINT32_MAX) first = l;
            if (parts.of(l) != parts.of(first)) return false;
        }
        return true;
    }

    /// A state that becomes a ring with one more array of ends `closing`: what the row's open ends are joined
    /// by.
    const Layer::value_type* last_of_row(const Ends& closing) const {
        for (const auto& node : layers_.back()) {
            State closed = node.first;
            add(closed, closing);
            if (holds(closed)) return &node;
        }
        return nullptr;
    }

    std::vector<std::uint32_t> choices_to(const Layer::value_type& last) const {
        std::vector<std::uint32_t> choices(layers_.size() - 1);
        const Step* step = &last.second;
        for (std::size_t i = choices.size(); i-- > 0;) {
            choices[i] = step->choice;
            if (i > 0) step = &layers_[i].find(*step->before)->second;
        }
        return choices;
    }

    Height room_;
    std::vector<Height> heights_, levels_;
    std::vector<Layer> layers_;
};

/// Machines in a row, and the heights of the row's ends.
struct Array {
    std::vector<NodeId> machines;
    Ends ends;  // of the first and the last machine, whichever is lower
};

/// Puts arrays into a ring in which ends that meet add up to `room` or less. There is one.
class Joiner {
  public:
    Joiner(Height room, const std::vector<Array>& arrays) : room_(room), mate_(2 * arrays.size()) {
        for (const Array& array : arrays) heights_.insert(heights_.end(), {array.ends.low, array.ends.high});
        std::vector<std::uint32_t> order(heights_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return heights_[a] < heights_[b]; });
        for (std::size_t i = 0; i < order.size(); ++i) mate_[order[i]] = order[order.size() - 1 - i];
        merge(static_cast<std::uint32_t>(arrays.size()));
    }

    /// Arrays as they follow one another from array 0 on, true: from its first end (low) to its last (high).
    std::vector<std::pair<std::uint32_t, bool>> ring() const {
        std::vector<std::pair<std::uint32_t, bool>> ring;
        std::uint32_t end = 0;
        do {
            ring.emplace_back(end / 2, end % 2 == 0);
            end = mate_[end ^ 1U];
        } while (end / 2 != 0);
        return ring;
    }

  private:
    bool may_meet(std::uint32_t a, std::uint32_t b) const { return heights_[a] + heights_[b] <= room_; }
    void join(std::uint32_t a, std::uint32_t b) {
        mate_[a] = b;
        mate_[b] = a;
    }
    /// Two rings become one where an end of each changes its mate.
    bool exchange(std::uint32_t a, std::uint32_t c) {
        const std::uint32_t b = mate_[a];
        const std::uint32_t d = mate_[c];
        if (may_meet(a, c) && may_meet(b, d)) {
            join(a, c);
            join(b, d);
            return true;
        }
        if (!may_meet(a, d) || !may_meet(b, c)) return false;
        join(a, d);
        join(b, c);
        return true;
    }
    void merge(std::uint32_t arrays) {
        Parts rings(arrays);
        for (std::uint32_t end = 0; end < mate_.size(); ++end) rings.join(end / 2, mate_[end] / 2);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t a = 0; a < mate_.size(); ++a)
                for (std::uint32_t c = 0; c < a; ++c)
                    if (rings.of(a / 2) != rings.of(c / 2) && exchange(a, c)) {
                        rings.join(a / 2, c / 2);
                        changed = true;
                        break;
                    }
        }
    }

    Height room_;
    std::vector<Height> heights_;  // of ends; array i has the ends 2 i and 2 i + 1
    std::vector<std::uint32_t> mate_;
};

/// A ring with no path of more than room + 1 switches, if there is one.
class Search {
  public:
    Search(const SwitchTree& tree, Height room) : tree_(tree), room_(room), ends_(tree.size()) {
        rows_.reserve(tree.size());  // their steps point into themselves
    }

    bool succeeds() {
        for (std::uint32_t s = tree_.size(); s-- > 0;) {
            rows_.push_back(rows(s));
            if (s == 0) return rows_.back().closes();
            ends_[s] = rows_.back().min_ends();
            if (ends_[s].empty()) return false;
            for (Ends& e : ends_[s]) e = {e.low + 1, e.high + 1};  // seen from the switch above
        }
        return false;
    }

    Ring ring() const {
        std::vector<std::uint32_t> chosen(tree_.size());
        for (std::uint32_t s = 0; s < tree_.size(); ++s) {
            const Rows& rows = rows_[tree_.size() - 1 - s];
            const auto choices = s == 0 ? rows.choices_for_ring() : rows.choices_for(open_ends(s, chosen[s]));
            std::size_t i = 0;
            for (const std::uint32_t below : tree_.neighbours(s))
                if (below > s) chosen[below] = choices[i++];
        }
        std::vector<Array> arrays(tree_.size());
        for (std::uint32_t s = tree_.size(); s-- > 0;) {
            arrays[s] = {row(s, open_ends(s, chosen[s]), arrays), {}};
            if (s > 0) arrays[s].ends = ends_[s][chosen[s]];
        }
        return arrays[0].machines;
    }

  private:
    Rows rows(std::uint32_t s) const {
        std::vector<std::vector<Ends>> choices;
        for (const std::uint32_t below : tree_.neighbours(s))
            if (below > s) choices.push_back(ends_[below]);
        return {room_, static_cast<std::uint32_t>(tree_.machines(s).size()), choices};
    }

    /// Of the array that switch s was chosen to have, as heights below s.
    Ends open_ends(std::uint32_t s, std::uint32_t choice) const {
        if (s == 0) return {};
        return {ends_[s][choice].low - 1, ends_[s][choice].high - 1};
    }

    std::vector<NodeId> row(std::uint32_t s, const Ends& open, std::vector<Array>& arrays) const {
        std::vector<Array> parts;
        if (s > 0) parts.push_back({{}, {room_ - open.high, room_ - open.low}});  // closes the row
        for (const std::uint32_t below : tree_.neighbours(s))
            if (below > s) parts.push_back(std::move(arrays[below]));
        for (const NodeId machine : tree_.machines(s)) parts.push_back({{machine}, {}});
        std::vector<NodeId> row;
        // From the closing part's second end, which stands for the lower open end, round to its first.
        for (auto [i, forward] : Joiner(room_, parts).ring()) {
            const std::vector<NodeId>& part = parts[i].machines;
            if (forward)
                row.insert(row.end(), part.begin(), part.end());
            else
                row.insert(row.end(), part.rbegin(), part.rend());
        }
        return row;
    }

    const SwitchTree& tree_;
    Height room_;
    std::vector<std::vector<Ends>> ends_;
    std::vector<Rows> rows_;  // of the last switch first
};

}  // namespace

Ring ring_lr3(const SwitchTree& tree) {
    if (tree.machine_count() == 1) return unaware_ring(tree);
    // A longer path is never worse to be allowed: steps up that grow, then halves.
    Height fails = 0;  // the longest path allowed, at which no ring was found
    Height works = 1;
    while (!Search(tree, works - 1).succeeds()) {
        fails = works;
        works += 1 + works / 4;
    }
    while (works - fails > 1) {
        const Height middle = fails + (works - fails) / 2;
        (Search(tree, middle - 1).succeeds() ? works : fails) = middle;
    }
    Search search(tree, works - 1);
    search.succeeds();
    return search.ring();
}

}  // namespace interlace
