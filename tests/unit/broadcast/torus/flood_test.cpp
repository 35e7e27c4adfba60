// Interlace: floods line by line, beside the rule of flood.h carried out in the whole network at once
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "flood.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <tuple>

namespace interlace {
namespace {

struct Link {
    std::uint32_t from, to;
    Direction direction;
};

/// A line of nodes numbered from 1, their source 0 at its head, and a line at each of these nodes, all
/// with some bypasses; nodes at the end that two lines lead to.
std::vector<Link> random_links(std::mt19937& random, std::uint32_t& nodes) {
    std::vector<Link> links;
    const auto both_ways = [&](std::uint32_t a, std::uint32_t b, bool bypass, bool back) {
        links.push_back({a, b, bypass ? Direction::right_bypass : Direction::right_torus});
        if (back) links.push_back({b, a, bypass ? Direction::left_bypass : Direction::left_torus});
    };
    const auto line = [&](std::uint32_t head, std::uint32_t size) {
        std::vector<std::uint32_t> at = {head};
        for (std::uint32_t i = 0; i < size; ++i) at.push_back(nodes++);
        const std::uint32_t skip = 2 + random() % 3;
        for (std::uint32_t i = 1; i <= size; ++i) both_ways(at[i - 1], at[i], false, i > 1);
        for (std::uint32_t i = skip; i <= size; ++i)
            if (random() % 2 != 0) both_ways(at[i - skip], at[i], true, i > skip);
        // The ring is closed from its head.
        if (size > 1) links.push_back({head, at.back(), Direction::left_torus});
        return at;
    };
    nodes = 1;
    const std::vector<std::uint32_t> row = line(0, 2 + random() % 7);
    std::vector<std::vector<std::uint32_t>> columns;
    const std::uint32_t size = 2 + random() % 7;
    for (std::size_t i = 1; i < row.size(); ++i) columns.push_back(line(row[i], size));
    for (std::uint32_t y = 1; y <= size; ++y) {
        links.push_back({columns.front()[y], nodes, Direction::left_torus});
        if (columns.size() > 1) links.push_back({columns.back()[y], nodes, Direction::right_torus});
        ++nodes;
    }
    return links;
}

ColourLinks colour_links(std::vector<Link> links, std::uint32_t nodes) {
    std::stable_sort(links.begin(), links.end(),
                     [](const Link& a, const Link& b) { return a.from < b.from; });
    ColourLinks all;
    for (std::uint32_t v = 0, l = 0; v < nodes; ++v) {
        all.nodes.emplace_back(v);
        all.first.push_back(l);
        for (; l < links.size() && links[l].from == v; ++l) {
            all.to.push_back(links[l].to);
            all.direction.push_back(links[l].direction);
            all.link.emplace_back(l);
        }
    }
    all.first.push_back(static_cast<std::uint32_t>(all.to.size()));
    return all;
}

/// (step, link, packet) of all sends: in each step every link, by its direction, looks at all that
/// its node has, in the order of how these came and when.
using Sends = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;
Sends by_the_rule(const ColourLinks& links, const std::vector<bool>& reversed, std::uint32_t packets) {
    struct Got {
        std::uint32_t packet;
        Direction direction;
    };
    const std::size_t nodes = links.nodes.size();
    std::vector<std::vector<Got>> got(nodes);
    std::vector<std::vector<bool>> has(nodes, std::vector<bool>(packets, false));
    for (std::uint32_t p = 0; p < packets; ++p) got[0].push_back({p, Direction::left_bypass});
    has[0].assign(packets, true);
    Sends sends;
    for (std::uint32_t step = 1;; ++step) {
        std::vector<std::pair<std::uint32_t, Got>> now;
        for (const Direction direction :
             {Direction::right_torus, Direction::left_torus, Direction::right_bypass, Direction::left_bypass})
            for (std::uint32_t v = 0; v < nodes; ++v)
                for (std::uint32_t e = links.first[v]; e < links.first[v + 1]; ++e) {
                    if (links.direction[e] != direction) continue;
                    std::vector<Got> order;
                    for (const Direction came : {Direction::left_bypass, Direction::right_bypass,
                                                 Direction::right_torus, Direction::left_torus})
                        std::copy_if(got[v].begin(), got[v].end(), std::back_inserter(order),
                                     [&](const Got& g) { return g.direction == came; });
                    if (v == 0 && reversed[e]) std::reverse(order.begin(), order.end());
                    const auto next = std::find_if(order.begin(), order.end(),
                                                   [&](const Got& g) { return !has[links.to[e]][g.packet]; });
                    if (next == order.end()) continue;
                    has[links.to[e]][next->packet] = true;
                    now.emplace_back(links.to[e], Got{next->packet, direction});
                    sends.emplace_back(step, e, next->packet);
                }
        if (now.empty()) return sends;
        for (const auto& [node, arrival] : now) got[node].push_back(arrival);
    }
}

using ByLink = std::map<std::uint32_t, std::vector<std::uint32_t>>;  // packets in their order

TEST(Flooding, LineByLineIsTheRuleInTheWholeNetwork) {
    std::mt19937 random(11);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
    for (int i = 0; i < 2000; ++i) {
        std::uint32_t nodes = 0;
        const std::vector<Link> chosen = random_links(random, nodes);
        const ColourLinks links = colour_links(chosen, nodes);
        const std::uint32_t packets = 1 + random() % 12;
        std::vector<bool> reversed(links.first[1]);
        for (std::size_t e = 0; e < reversed.size(); ++e) reversed[e] = random() % 2 != 0;
        const Sends expected = by_the_rule(links, reversed, packets);
        ByLink expected_by_link, found;
        for (const auto& [step, link, packet] : expected) expected_by_link[link].push_back(packet);
        const Flooding flooding(links, 0);
        const auto flood = flooding.flood(reversed, packets, UINT32_MAX);
        ASSERT_TRUE(flood.has_value());
        for (const Send& send : flood->sends) found[send.link].push_back(send.packet);
        ASSERT_EQ(found, expected_by_link) << "case " << i;
        const std::uint32_t steps = std::get<0>(expected.back());
        ASSERT_EQ(flood->steps, steps) << "case " << i;
        EXPECT_FALSE(flooding.flood(reversed, packets, steps).has_value());
        EXPECT_TRUE(flooding.flood(reversed, packets, steps + 1).has_value());
    }
}

TEST(Flooding, OfNoPacketsTakesNoSteps) {
    const ColourLinks links = colour_links({{0, 1, Direction::right_torus}}, 2);
    const auto flood = Flooding(links, 0).flood({true}, 0, UINT32_MAX);
    ASSERT_TRUE(flood.has_value());
    EXPECT_TRUE(flood->sends.empty());
    EXPECT_EQ(flood->steps, 0U);
    EXPECT_FALSE(Flooding(links, 0).flood({true}, 0, 0).has_value());
}

TEST(Flooding, RefusesLinesThatLeadInACycle) {
    const ColourLinks links = colour_links({{0, 1, Direction::right_torus},
                                            {1, 2, Direction::right_torus},
                                            {2, 3, Direction::right_torus},
                                            {3, 1, Direction::right_bypass}},
                                           4);
    EXPECT_THROW(Flooding(links, 0).flood({false}, 1, UINT32_MAX), std::logic_error);
}

}  // namespace
}  // namespace interlace
