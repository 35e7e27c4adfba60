// Interlace: the algorithms of papers for collectives over links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "collective_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "collective_best.h"
#include "collective_check.h"
#include "collective_unicast.h"
#include "interlace/broadcast/rounds/algorithms.h"
#include "interlace/broadcast/rounds/routed_rounds.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

using E = CollectiveExperiment;
using Kind = DirectCollective;

template <Rounds (*make)(const Network&, std::uint32_t)>
Rounds plainly(const E& e, const Network& network) {
    return make(network, e.chunks);
}
template <Rounds (*gather)(const Network&, std::uint32_t)>
Rounds back(const E& e, const Network& network) {
    return reversed(gather(network, e.chunks));
}
template <Rounds (*gather)(const Network&, std::uint32_t)>
Rounds there_and_back(const E& e, const Network& network) {
    Rounds rounds = gather(network, e.chunks);
    return joined(reversed(rounds), rounds);
}
template <Nearest nearest>
Rounds doubling(const Network& network, std::uint32_t chunks) {
    return recursive_doubling_allgather(network, chunks, nearest);
}
template <RoundTree tree>
Rounds of_root(const E& e, const Network& network) {
    const NodeId root{e.root};
    if (e.collective == Kind::reduce) return reversed(tree_broadcast(network, tree, root, e.chunks));
    Rounds scatter = tree_scatter(network, tree, root, e.chunks);
    return e.collective == Kind::gather ? reversed_copies(std::move(scatter)) : scatter;
}

constexpr const char* ring_text = "rings on Hamiltonian cycles, in both directions";
constexpr const char* bucket_text = "a ring in each dimension, one after another";
constexpr const char* swing_text =
    "Swing (arXiv 2401.09356): partners at short distances on both sides in turn";
constexpr const char* binomial_text = "a binomial tree, by the numbers of nodes";
constexpr const char* bine_text = "a Bine tree (arXiv 2508.17311): distances one third shorter";

const std::array<RoundAlgorithm, 26> algorithms = {{
    {Kind::allgather, "ring", ring_text, plainly<ring_allgather>},
    {Kind::allgather, "bucket", bucket_text, plainly<bucket_allgather>},
    {Kind::allgather, "recursive_doubling", "partners at distances 1, 2, 4, ...",
     plainly<doubling<Nearest::first>>},
    {Kind::allgather, "bruck", "to the node 1, 2, 4, ... before", plainly<bruck_allgather>},
    {Kind::allgather, "swing", swing_text, plainly<swing_allgather>},
    {Kind::reducescatter, "ring", ring_text, back<ring_allgather>},
    {Kind::reducescatter, "bucket", bucket_text, back<bucket_allgather>},
    {Kind::reducescatter, "recursive_halving", "partners at distances ..., 4, 2, 1",
     back<doubling<Nearest::first>>},
    {Kind::reducescatter, "swing", swing_text, back<swing_allgather>},
    {Kind::allreduce, "ring", ring_text, there_and_back<ring_allgather>},
    {Kind::allreduce, "bucket", bucket_text, there_and_back<bucket_allgather>},
    {Kind::allreduce, "recursive_doubling", "whole vectors, to partners at distances 1, 2, 4, ...",
     plainly<recursive_doubling_allreduce>},
    {Kind::allreduce, "rabenseifner", "halves of vectors at distances 1, 2, 4, ..., and back",
     there_and_back<doubling<Nearest::last>>},
    {Kind::allreduce, "swing", swing_text, there_and_back<swing_allgather>},
    {Kind::allreduce, "swing_vectors", "Swing of whole vectors, in half of its rounds",
     plainly<swing_allreduce_of_vectors>},
    {Kind::alltoall, "direct", "all messages at once", plainly<direct_alltoall>},
    {Kind::alltoall, "pairwise", "in round k with node r XOR k, or r + k", plainly<pairwise_alltoall>},
    {Kind::alltoall, "bruck", "together with others, 1, 2, 4, ... nodes on", plainly<bruck_alltoall>},
    {Kind::alltoall, "two_phase", "along the longest dimension, then from there (Blue Gene/L)",
     plainly<two_phase_alltoall>},
    {Kind::reduce, "binomial", binomial_text, of_root<RoundTree::binomial>},
    {Kind::reduce, "bine", bine_text, of_root<RoundTree::bine>},
    {Kind::scatter, "binomial", binomial_text, of_root<RoundTree::binomial>},
    {Kind::scatter, "bine", bine_text, of_root<RoundTree::bine>},
    {Kind::gather, "binomial", binomial_text, of_root<RoundTree::binomial>},
    {Kind::gather, "bine", bine_text, of_root<RoundTree::bine>},
    {Kind::barrier, "dissemination", "in round k node r tells node r + 2^k",
     [](const E&, const Network& network) { return dissemination_barrier(network); }},
}};

/// Each packet of a message takes memory.
void check_rounds_size(const E& e, const Network& network) {
    constexpr std::uint64_t most = std::uint64_t{1} << 23U;
    const std::uint64_t nodes = network.node_count();
    const bool for_all = !has_root(e.collective) && e.collective != Kind::barrier;
    const std::uint64_t packets = nodes * (for_all ? nodes : 1) * std::max(e.chunks, 1U);
    constexpr std::uint64_t most_nodes = 8192;  // of a tree, with a path from each
    if (nodes > most_nodes)
        throw InputError(fmt::format("cannot run {} on {} nodes", e.algorithm, nodes),
                         fmt::format("{} at most", most_nodes));
    if (packets > most)
        throw InputError(fmt::format("cannot run {} with {} packets", e.algorithm, packets),
                         fmt::format("{} at most: fewer chunks or nodes", most));
}

/// Its rounds, or why it has none here.
Rounds make_rounds(const RoundAlgorithm& algorithm, const E& e, const Network& network) {
    check_rounds_size(e, network);
    try {
        return algorithm.make(e, network);
    } catch (const InputError& error) {
        throw InputError("cannot run " + e.algorithm + " on " + network.name(), error.expected());
    }
}

std::vector<TimedSend> plain_sends(const std::vector<MessageSend>& rows) {
    std::vector<TimedSend> sends;
    sends.reserve(rows.size());
    for (const MessageSend& row : rows) sends.push_back(row.send);
    return sends;
}

CollectiveCost cost_of(const Rounds& rounds, const RoundLoads& loads) {
    CollectiveCost cost;
    for (const RoundLoad& load : loads.rounds) {
        cost.starts += load.starts;
        cost.hops += load.hops;
        cost.packets += load.packets;
    }
    if (rounds.pipelined) cost.packets = loads.packets_together;
    return cost;
}

}  // namespace

Choices collective_algorithms(DirectCollective collective) {
    Choices choices = {{"optimal", "few steps over all links, with a lower bound"}};
    for (const RoundAlgorithm& algorithm : algorithms)
        if (algorithm.collective == collective) choices.push_back({algorithm.name, algorithm.text});
    choices.push_back({best_algorithm, "the fastest of all these, after running them"});
    return choices;
}

Choices with_algorithms_of_machines(DirectCollective collective, const Choices& of_machines) {
    Choices choices = collective_algorithms(collective);
    for (const Choice& other : of_machines) {
        const auto same = std::find_if(choices.begin(), choices.end(),
                                       [&](const Choice& choice) { return choice.name == other.name; });
        if (same == choices.end())
            choices.push_back(other);
        else
            same->text += ", or between machines " + other.text;
    }
    return choices;
}

bool is_of_machines_too(const std::string& algorithm) {
    constexpr std::array<std::string_view, 4> names = {"ring", "recursive_doubling", "pairwise",
                                                       best_algorithm};
    return std::find(names.begin(), names.end(), algorithm) != names.end();
}

const RoundAlgorithm* round_algorithm(const E& e) {
    const auto found =
        std::find_if(algorithms.begin(), algorithms.end(), [&](const RoundAlgorithm& algorithm) {
            return algorithm.collective == e.collective && algorithm.name == e.algorithm;
        });
    return found == algorithms.end() ? nullptr : &*found;
}

std::uint32_t parts_of(const E& e, const Network& network) {
    const RoundAlgorithm* algorithm = round_algorithm(e);
    if (algorithm == nullptr) return 1;
    E of_one = e;
    of_one.chunks = 1;
    return make_rounds(*algorithm, of_one, network).parts;
}

namespace {

/// What is known of them before they are scheduled.
void describe(CollectiveRun& run, const Rounds& rounds) {
    run.rounds = static_cast<std::uint32_t>(rounds.rounds.size());
    run.node_packets = rounds.packets_of_a_node();
}

}  // namespace

std::optional<CollectiveRun> cost_of_rounds(const E& e) {
    const RoundAlgorithm* algorithm = round_algorithm(e);
    if (algorithm == nullptr) return {};
    CollectiveRun run{e, make_network(e.network)};
    try {
        if (run.experiment.chunks == 0) run.experiment.chunks = parts_of(e, run.network);
        const Rounds rounds = make_rounds(*algorithm, run.experiment, run.network);
        describe(run, rounds);
        run.cost = cost_of(rounds, round_loads(run.network, rounds, e.seed));
    } catch (const InputError&) {
        return {};  // it does not run here
    }
    return run;
}

void schedule_rounds(CollectiveRun& run, const RoundAlgorithm& algorithm) {
    const E& e = run.experiment;
    const Rounds rounds = make_rounds(algorithm, e, run.network);
    describe(run, rounds);
    RoutedRounds found = routed(run.network, rounds, e.seed);
    run.cost = cost_of(rounds, found.loads);
    if (is_unicast(e)) run.transfers = transfers_of(found.sends);
    if (reduces(e.collective)) {
        run.report = check_sums(e, run.network, found.sends);
        run.schedule = std::move(found.sends);
    } else {
        const auto& sends = run.schedule.emplace<std::vector<TimedSend>>(plain_sends(found.sends));
        run.report = check_copies(e, run.network, sends);
    }
}

}  // namespace interlace
