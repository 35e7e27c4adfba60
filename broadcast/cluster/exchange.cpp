// Interlace: complete exchange in phases free of contention
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/broadcast/cluster/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint32_t nobody = UINT32_MAX;

std::uint64_t load_of(std::uint64_t behind, std::uint64_t machines) {
    return behind * (machines - behind);
}

/// Section 4.1: from a bottleneck link on, away from its smaller side, to the first switch with two branches
/// more.
std::uint32_t find_root(const SwitchTree& tree) {
    const std::vector<std::uint32_t> behind = tree.machines_behind();
    const std::uint32_t machines = tree.machine_count();
    std::uint32_t bottleneck = 0;  // the trunk from this switch to its parent; 0: a machine's link
    std::uint64_t most = machines - 1;
    for (std::uint32_t s = 1; s < tree.size(); ++s)
        if (load_of(behind[s], machines) > most ||
            (bottleneck == 0 && load_of(behind[s], machines) == most)) {
            bottleneck = s;
            most = load_of(behind[s], machines);
        }
    if (bottleneck == 0)
        return tree.home(NodeId{0});  // one switch: no trunk has less load than a machine's link
    std::uint32_t from = bottleneck;
    std::uint32_t to = tree.parent(bottleneck);
    if (2 * behind[bottleneck] > machines) std::swap(from, to);
    while (tree.machines(to).empty() && tree.neighbours(to).size() == 2)
        from = std::exchange(to, tree.neighbours(to)[tree.neighbours(to)[0] == from ? 1 : 0]);
    return to;
}

/// Section 4: who sends and who receives in each phase, subtree by subtree.
class Assignment {
  public:
    explicit Assignment(const std::vector<std::vector<NodeId>>& subtrees) : trees_(subtrees) {
        std::uint64_t machines = 0;
        for (const auto& tree : trees_) machines += tree.size();
        total_ = size(0) * (machines - size(0));
        phases_.resize(total_);
        sender_.resize(total_, nobody);
        receiver_.resize(total_, nobody);
    }

    std::vector<Phase> run() {
        const auto count = static_cast<std::uint32_t>(trees_.size());
        for (std::uint32_t j = 1; j < count; ++j) from_first(j);  // step 1
        for (std::uint32_t i = 1; i < count; ++i) to_first(i);    // step 2
        local_in_first();                                         // step 3
        for (std::uint32_t j = 1; j < count; ++j)
            for (std::uint32_t i = j + 1; i < count; ++i) broadcast_pattern(i, j);  // step 4
        for (std::uint32_t i = 1; i < count; ++i) local(i);                         // step 5
        for (std::uint32_t i = 1; i < count; ++i)
            for (std::uint32_t j = i + 1; j < count; ++j) broadcast_pattern(i, j);  // step 6
        return std::move(phases_);
    }

  private:
    std::uint64_t size(std::uint32_t i) const { return trees_[i].size(); }
    std::uint64_t sizes(std::uint32_t first, std::uint32_t last) const {
        std::uint64_t sum = 0;
        for (std::uint32_t n = first; n <= last; ++n) sum += size(n);
        return sum;
    }
    /// The first of the |M_i| |M_j| phases of T_i -> T_j (section 4.2).
    std::uint64_t start(std::uint32_t i, std::uint32_t j) const {
        return i < j ? size(i) * sizes(i + 1, j - 1) : total_ - size(j) * sizes(j + 1, i);
    }
    /// The receiver in T_j of phase p that steps 1 and 4 align: (p - total) mod |M_j|.
    std::uint64_t aligned(std::uint64_t p, std::uint32_t j) const {
        return (size(j) - (total_ - p) % size(j)) % size(j);
    }
    void put(std::uint64_t p, std::uint32_t i, std::uint64_t a, std::uint32_t j, std::uint64_t b) {
        phases_[p].emplace_back(trees_[i][a], trees_[j][b]);
    }

    /// T_0 -> T_j, the senders by the rotate pattern (section 4.3.1): moved on by one each lcm(|M_0|, |M_j|)
    /// phases.
    void from_first(std::uint32_t j) {
        const std::uint64_t first = start(0, j);
        const std::uint64_t round = std::max<std::uint64_t>(1, std::lcm(size(0), size(j)));
        for (std::uint64_t q = 0; q < size(0) * size(j); ++q) {
            const std::uint64_t sender = (q + q / round) % size(0);
            sender_[first + q] = static_cast<std::uint32_t>(sender);
            put(first + q, 0, sender, j, aligned(first + q, j));
        }
    }
    /// T_i -> T_0, the receivers by Table 3: in round r the machine r + 1 after the sender. In every |M_0|-th
    /// round that would be the sender itself, nothing local depends on it, and Table 4 has the receivers by
    /// number instead.
    void to_first(std::uint32_t i) {
        const std::uint64_t first = start(i, 0);
        for (std::uint64_t q = 0; q < size(0) * size(i); ++q) {
            const std::uint64_t p = first + q;
            const std::uint64_t ahead = p / size(0) % size(0) + 1;
            const std::uint64_t receiver = ahead == size(0) ? p % size(0) : (sender_[p] + ahead) % size(0);
            receiver_[p] = static_cast<std::uint32_t>(receiver);
            put(p, i, q / size(0), 0, receiver);
        }
    }
    void local_in_first() {
        for (std::uint64_t p = 0; p < size(0) * (size(0) - 1); ++p) put(p, 0, receiver_[p], 0, sender_[p]);
    }
    void broadcast_pattern(std::uint32_t i, std::uint32_t j) {
        const std::uint64_t first = start(i, j);
        for (std::uint64_t q = 0; q < size(i) * size(j); ++q) put(first + q, i, q / size(j), j, q % size(j));
    }
    /// Local messages of T_i in the phases of T_i -> T_{i-1}: from the receiver that is or would be, to the
    /// sender.
    void local(std::uint32_t i) {
        const std::uint64_t first = start(i, i - 1);
        std::vector<bool> placed(size(i) * size(i));
        for (std::uint64_t q = 0; q < size(i) * size(i - 1); ++q) {
            const std::uint64_t to = q / size(i - 1);
            const std::uint64_t from = aligned(first + q, i);
            if (from == to || placed[from * size(i) + to]) continue;
            placed[from * size(i) + to] = true;
            put(first + q, i, from, i, to);
        }
    }

    const std::vector<std::vector<NodeId>>& trees_;
    std::uint64_t total_ = 0;
    std::vector<Phase> phases_;
    std::vector<std::uint32_t> sender_, receiver_;  // of T_0 in each phase
};

std::vector<std::vector<NodeId>> subtrees_of(const SwitchTree& tree, std::uint32_t root) {
    std::vector<std::vector<NodeId>> subtrees;
    for (const NodeId machine : tree.machines(root)) subtrees.push_back({machine});
    for (const std::uint32_t neighbour : tree.neighbours(root)) {
        std::vector<NodeId>& machines = subtrees.emplace_back();
        std::vector<std::pair<std::uint32_t, std::uint32_t>> open = {{neighbour, root}};
        while (!open.empty()) {
            const auto [at, from] = open.back();
            open.pop_back();
            machines.insert(machines.end(), tree.machines(at).begin(), tree.machines(at).end());
            for (const std::uint32_t to : tree.neighbours(at))
                if (to != from) open.emplace_back(to, at);
        }
        std::sort(machines.begin(), machines.end());
    }
    std::sort(subtrees.begin(), subtrees.end(), [](const auto& a, const auto& b) {
        return a.size() != b.size() ? a.size() > b.size() : a.front() < b.front();
    });
    return subtrees;
}

/// Of the messages `before` each one, those that are not before another of them too. The messages of a sender
/// are in a row, so what is before a message is known by its last message of each sender.
std::vector<Dependence> without_redundant(const std::vector<std::vector<std::uint32_t>>& before,
                                          const std::vector<Phase>& phases, std::uint32_t machines) {
    std::vector<std::uint32_t> sender;
    for (const Phase& phase : phases)
        for (const auto& [from, to] : phase) sender.push_back(from);
    std::vector<std::uint32_t> known(before.size() * machines);  // 1 + the last of that sender's; 0: none
    std::vector<Dependence> dependences;
    for (std::uint32_t m = 0; m < before.size(); ++m) {
        std::uint32_t* mine = &known[std::size_t{m} * machines];
        for (auto b = before[m].rbegin(); b != before[m].rend(); ++b) {
            if (mine[sender[*b]] > *b) continue;
            dependences.push_back({*b, m});
            const std::uint32_t* theirs = &known[std::size_t{*b} * machines];
            for (std::uint32_t i = 0; i < machines; ++i) mine[i] = std::max(mine[i], theirs[i]);
            mine[sender[*b]] = *b + 1;
        }
    }
    return dependences;
}

}  // namespace

std::uint64_t exchange_load(const SwitchTree& tree) {
    const std::uint32_t machines = tree.machine_count();
    std::uint64_t most = machines - 1;
    for (const std::uint32_t behind : tree.machines_behind())
        most = std::max(most, load_of(behind, machines));
    return most;
}

ExchangePlan schedule_exchange(const SwitchTree& tree) {
    const std::uint64_t machines = tree.machine_count();
    if (machines * machines > (std::uint64_t{1} << 28U))
        throw InputError(fmt::format("cannot plan a complete exchange of {} machines", machines),
                         "at most 2^14 machines");
    ExchangePlan plan;
    plan.root = find_root(tree);
    plan.subtrees = subtrees_of(tree, plan.root);
    if (machines > 1) plan.phases = Assignment(plan.subtrees).run();
    return plan;
}

std::vector<Dependence> exchange_dependences(const SwitchTree& tree, const std::vector<Phase>& phases) {
    // The messages of a link are in a row, one a phase, so only neighbours in such rows can be left.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last_on;  // link -> message
    std::vector<std::vector<std::uint32_t>> before;                            // of each message, ascending
    const std::uint32_t machines = tree.machine_count();
    for (const Phase& phase : phases)
        for (const auto& [from, to] : phase) {
            const auto message = static_cast<std::uint32_t>(before.size());
            std::vector<std::uint32_t>& mine = before.emplace_back();
            std::vector<std::uint32_t> nodes = {from};
            for (const std::uint32_t s : tree.path(from, to)) nodes.push_back(machines + s);
            nodes.push_back(to);
            for (std::size_t h = 1; h < nodes.size(); ++h) {
                const auto [last, fresh] = last_on.try_emplace({nodes[h - 1], nodes[h]}, message);
                if (!fresh) mine.push_back(std::exchange(last->second, message));
            }
            std::sort(mine.begin(), mine.end());
            mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
        }
    return without_redundant(before, phases, machines);
}

}  // namespace interlace
