// Interlace: one RTL and one SystemC node under pins at random
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>

#include "Vil_node_2.h"
#include "Vil_node_4.h"
#include "Vil_node_4_pipelined.h"
#include "Vil_node_6.h"
#include "Vil_node_6_few.h"
#include "Vil_node_defect.h"
#include "Vil_node_fixed.h"
#include "Vil_node_narrow.h"
#include "Vil_node_onward.h"
#include "Vil_node_wide.h"
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
    detail::reserve<systemc::Node<2>>(1, {512, 1024, 7});
    detail::reserve<systemc::Node<4>>(1, {512, 1024});
    detail::reserve<systemc::Node<4>>(1, {512, 1024, 7});
    detail::reserve<systemc::Node<6>>(1, {512, 1024});
    detail::reserve<systemc::Node<6, 2, 1, 1>>(1, {512, 1024});
}

template <class Model, std::uint32_t port_count, std::uint32_t stages = 1, std::uint32_t flit_words = 2>
struct Pair {
    using Rtl = Model;
    using SystemC = systemc::Node<port_count>;
    static constexpr std::uint32_t ports = port_count;
    static constexpr std::uint32_t pipeline = stages;
    static NodeSize size() {
        return {port_count, 4,           port_count + 2, 2 * (port_count + 1),
                512,        stages != 1, built_slots,    flit_words};
    }
};

/// With few channels and queues.
template <class Model, std::uint32_t port_count>
struct Few : Pair<Model, port_count> {
    using SystemC = systemc::Node<port_count, 2, 1, 1>;
    static NodeSize size() { return {port_count, 2, 1, 1, 512}; }
};

/// Whose registers are constants, of an adaptive node: those of an episode.
template <class Model, std::uint64_t episode, std::uint32_t stages>
struct Fixed : Pair<Model, 4, stages> {
    static NodeSize size() {
        NodeSize size = Pair<Model, 4, stages>::size();
        size.fixed = episode;
        return size;
    }
};
using FixedNode = Fixed<Vil_node_fixed, 15946, 1>;
using OnwardNode = Fixed<Vil_node_onward, 7429025, 7>;

template <class Nodes>
class RandomPinsOf : public testing::Test {};
using Sizes = testing::Types<Pair<Vil_node_2, 2>, Pair<Vil_node_4, 4>, Pair<Vil_node_6, 6>,
                             Pair<Vil_node_4_pipelined, 4, 7>, Pair<Vil_node_narrow, 2, 1, 1>,
                             Pair<Vil_node_wide, 2, 7, 4>, Few<Vil_node_6_few, 6>, FixedNode, OnwardNode>;
TYPED_TEST_SUITE(RandomPinsOf, Sizes);

TYPED_TEST(RandomPinsOf, RtlAndSystemCShowTheSame) {
    reserve_all();
    const NodeSize size = TypeParam::size();
    RtlNode<typename TypeParam::Rtl> rtl;
    SystemCNode<typename TypeParam::SystemC, TypeParam::pipeline> systemc;
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

// FixedConfig: what is built in is what the episodes write.
template <class Nodes>
void expect_constants_of_the_episode() {
    using Model = typename Nodes::Rtl;
    RtlNode<Model> node;
    const RandomPins pins(Nodes::size(), 1);
    Model& model = node.pins();
    const auto cycle = [&](bool reads, std::uint32_t address) {
        model.cfg_read_i = reads;
        model.cfg_addr_i = static_cast<std::uint16_t>(address);
        node.clock();
        return model.cfg_data_o;
    };
    model.clk_en_i = 1;
    model.rst_ni = 0;
    cycle(false, 0);
    model.rst_ni = 1;
    model.cfg_valid_i = 0;
    std::map<std::uint32_t, std::uint32_t> last;
    for (const auto& [address, data] : pins.writes()) last.emplace(address, data);
    const std::uint32_t fields[] = {0, 3, 15, 0xffff, 0xffff, 15, 7, 0xffff, 31, 0xff, 0xff, 0xff7f7fff};
    for (std::uint32_t address = 1; address <= 11; ++address)
        EXPECT_EQ(cycle(true, address), last.at(address) & fields[address]) << "register " << address;
    for (const std::uint32_t dimension : {0x10U, 0x11U})  // the size; where the node is, is no constant
        EXPECT_EQ(cycle(true, dimension), last.at(dimension) & 0xffff0000U);
    for (std::uint32_t port = 0x20; port < 0x24; ++port)
        EXPECT_EQ(cycle(true, port), last.at(port) & 0xfffffU);
}

TEST(RandomPins, ConstantsAreThoseOfTheEpisode) {
    expect_constants_of_the_episode<FixedNode>();
    expect_constants_of_the_episode<OnwardNode>();
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
