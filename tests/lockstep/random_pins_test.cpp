// Interlace: one RTL and one SystemC node under pins at random
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "Vil_node_2.h"
#include "Vil_node_4.h"
#include "Vil_node_4_pipelined.h"
#include "Vil_node_6.h"
#include "Vil_node_defect.h"
#include "lockstep/random_pins.h"
#include "support/real_nodes.h"

/// libsystemc asks for it.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

namespace interlace {
namespace {

/// As deep as the RTL nodes are built.
void reserve_all() {
    detail::reserve<systemc::Node<2>>(1, {512, 1024});
    detail::reserve<systemc::Node<4>>(1, {512, 1024});
    detail::reserve<systemc::Node<4>>(1, {512, 1024, 6});
    detail::reserve<systemc::Node<6>>(1, {512, 1024});
}

template <class Model, std::uint32_t port_count, std::uint32_t stages = 1>
struct Pair {
    using Rtl = Model;
    static constexpr std::uint32_t ports = port_count;
    static constexpr std::uint32_t pipeline = stages;
};

template <class Nodes>
class RandomPinsOf : public testing::Test {};
using Sizes = testing::Types<Pair<Vil_node_2, 2>, Pair<Vil_node_4, 4>, Pair<Vil_node_6, 6>,
                             Pair<Vil_node_4_pipelined, 4, 6>>;
TYPED_TEST_SUITE(RandomPinsOf, Sizes);

TYPED_TEST(RandomPinsOf, RtlAndSystemCShowTheSame) {
    constexpr std::uint32_t p = TypeParam::ports;
    reserve_all();
    const NodeSize size{p, 4, p + 2, 2 * (p + 1), 512, TypeParam::pipeline != 1};
    RtlNode<typename TypeParam::Rtl> rtl;
    SystemCNode<systemc::Node<p>, TypeParam::pipeline> systemc;
    std::uint64_t cycles = 0;
    std::uint64_t flits = 0;
    std::array<std::uint32_t, detail::status_bits> errors{};
    const char* const asked = std::getenv("PINS");
    const std::uint64_t episodes = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 2000;
    for (std::uint64_t seed = 0; seed < episodes; ++seed) {
        const Episode episode = run_episode(rtl, systemc, size, seed);
        ASSERT_EQ(episode.differs, "") << "seed " << seed << ", cycle " << episode.cycles;
        cycles += episode.cycles;
        flits += episode.flits;
        for (std::uint32_t bit = 0; bit < errors.size(); ++bit) errors[bit] += episode.status >> bit & 1U;
    }
    fmt::print("{} cycles, {} flits, episodes with each error: {}\n", cycles, flits, fmt::join(errors, " "));
    EXPECT_GT(flits, cycles / 4);
    for (const std::uint32_t count : errors) EXPECT_GT(count, 0U);
}

// The test of the test: planted defects (rtl, IL_DEFECTS) are found, and nothing where there is none.
TEST(RandomPins, FindEveryDefect) {
    reserve_all();
    const NodeSize size{4, 4, 6, 10, 512};
    for (std::uint32_t defect = 0; defect <= 5; ++defect) {
        RtlNode<Vil_node_defect> rtl("+il_defect=" + std::to_string(defect));
        SystemCNode<systemc::Node<4>> systemc;
        std::uint32_t found = 0;
        for (std::uint64_t seed = 0; seed < 100; ++seed)
            found += run_episode(rtl, systemc, size, seed).differs.empty() ? 0 : 1;
        EXPECT_EQ(found > 0, defect > 0) << "defect " << defect;
    }
}

}  // namespace
}  // namespace interlace
