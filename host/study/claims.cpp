// Interlace: what a paper says of many networks at once
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "interlace/broadcast/torus/paper.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

constexpr std::uint32_t packets = 32;

struct Claim {
    ReproducedRow row;
    std::string holds, at, held;
    std::vector<std::string> networks;
    std::uint32_t source = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
};

/// Of how many it holds.
struct Count {
    std::size_t holds = 0, all = 0;
};

std::uint32_t line_steps(const std::string& name, std::uint32_t source, const Patterns& patterns) {
    return paper_broadcast(make_network(name), NodeId{source}, {0}, packets, patterns).steps;
}

template <class Item, class Test>
Count count(const std::vector<Item>& items, const Test& test) {
    return {static_cast<std::size_t>(std::count_if(items.begin(), items.end(), test)), items.size()};
}

Count favourable_patterns(const Claim& claim) {
    return count(claim.networks, [&](const std::string& name) {
        return line_steps(name, claim.source, {1, 3, 5, 7}) ==
               line_steps(name, claim.source, paper_patterns(1));
    });
}

Count node_0_not_slower(const Claim& claim) {
    return count(claim.networks, [](const std::string& name) {
        return line_steps(name, 0, paper_patterns(1)) <= line_steps(name, 1, paper_patterns(1));
    });
}

Count sources_alike(const Claim& claim) {
    return count(claim.networks, [](const std::string& name) {
        const std::uint32_t first = line_steps(name, 0, paper_patterns(1));
        const std::uint32_t second = line_steps(name, 1, paper_patterns(1));
        return std::max(first, second) - std::min(first, second) <= 1;
    });
}

Count lowest(const Claim& claim) {
    std::map<std::uint32_t, std::uint32_t> least, here;  // T_xy by number of nodes
    for (const std::string& name : claim.networks) {
        const Network network = make_network(name);
        const std::uint32_t steps =
            paper_broadcast(network, NodeId{0}, {0, 1}, packets, paper_patterns(2)).steps;
        const auto [known, first] = least.emplace(network.node_count(), steps);
        if (!first) known->second = std::min(known->second, steps);
        if (name.ends_with("b=" + claim.at)) here[network.node_count()] = steps;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sizes(here.begin(), here.end());
    return count(sizes, [&](const auto& size) { return size.second == least.at(size.first); });
}

Count printed_in_order(const Claim& claim) {
    return count(claim.pairs, [](const auto& pair) { return pair.first <= pair.second; });
}

const std::vector<std::pair<std::string, std::function<Count(const Claim&)>>> tests = {
    {"favourable_patterns", favourable_patterns},
    {"node_0_not_slower", node_0_not_slower},
    {"sources_alike", sources_alike},
    {"lowest", lowest},
    {"printed_in_order", printed_in_order}};

Claim read_claim(ConfigMap& config) {
    Claim claim;
    claim.row.quantity = config.text("claim");
    claim.holds = config.text("holds");
    claim.row.verdict = config.text("verdict", "reproduced");
    claim.row.why = config.text("why", "");
    claim.at = config.text("at", "");
    config.update("source", claim.source, 0, max_nodes - 1);
    if (config.has("pairs")) claim.pairs = config.pairs("pairs", 0, 1'000'000);
    if (config.has("network")) claim.networks = config.texts("network");
    if (claim.row.verdict != "reproduced") {
        claim.held = config.text("computed");
        if (claim.row.why.empty())
            throw InputError("a claim differs without saying why", "the key why").at(config.place());
    }
    if (claim.networks.empty() == claim.pairs.empty())
        throw InputError("cannot use the claim '" + claim.row.quantity + "'", "either network or pairs")
            .at(config.place());
    if (std::none_of(tests.begin(), tests.end(), [&](const auto& test) { return test.first == claim.holds; }))
        throw InputError("cannot use holds '" + claim.holds + "'",
                         "favourable_patterns, node_0_not_slower, sources_alike, lowest or printed_in_order")
            .at(config.place("holds"));
    config.finish();
    return claim;
}

ReproducedRow run_claim(const Claim& claim) {
    const auto test = std::find_if(tests.begin(), tests.end(),
                                   [&](const auto& known) { return known.first == claim.holds; });
    const Count count = test->second(claim);
    ReproducedRow row = claim.row;
    if (claim.networks.empty())
        row.network = fmt::format("{} pairs", claim.pairs.size());
    else
        row.network = fmt::format("{} networks", claim.networks.size());
    row.published = fmt::format("{} of {}", count.all, count.all);
    row.computed = fmt::format("{} of {}", count.holds, count.all);
    judge(row);
    if (!claim.held.empty()) hold(row, claim.held);
    return row;
}

}  // namespace

RowJob claim_row(ConfigMap config) {
    const Claim claim = read_claim(config);
    return [claim] { return run_claim(claim); };
}

}  // namespace interlace
