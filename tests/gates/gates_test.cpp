// Interlace: gates that Yosys makes of rtl/ do what the SystemC node does
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "Vil_gates_1.h"
#include "Vil_gates_7.h"
#include "lockstep/random_pins.h"
#include "support/real_nodes.h"

/// libsystemc asks for it.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

namespace interlace {
namespace {

using Peer = systemc::Node<2, 2>;

template <class Model, std::uint32_t stages>
struct Kind {
    using Gates = Model;
    static constexpr std::uint32_t pipeline = stages;
};

template <class Nodes>
class GatesOf : public testing::Test {};
using Kinds = testing::Types<Kind<Vil_gates_1, 1>, Kind<Vil_gates_7, 7>>;
TYPED_TEST_SUITE(GatesOf, Kinds);

TYPED_TEST(GatesOf, RtlShowTheSameAsSystemC) {
    for (const std::uint32_t pipeline : {1U, 7U}) detail::reserve<Peer>(1, {64, 64, pipeline});
    const NodeSize size{2, 2, 4, 6, 64, TypeParam::pipeline != 1, 64, 1};
    RtlNode<typename TypeParam::Gates> gates;
    SystemCNode<Peer, TypeParam::pipeline> systemc;
    std::uint64_t flits = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Episode episode = run_episode(gates, systemc, size, seed);
        ASSERT_EQ(episode.differs, "") << "seed " << seed << ", cycle " << episode.cycles;
        flits += episode.flits;
    }
    EXPECT_GT(flits, 50'000U);
}

}  // namespace
}  // namespace interlace
