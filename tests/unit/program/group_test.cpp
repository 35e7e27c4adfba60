// Interlace: who a broadcast is for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/group.h"

#include <gmock/gmock.h>

#include "interlace/core/error.h"

namespace interlace {
namespace {

TEST(Group, LineAndRectangleHoldTheNodesThatDifferInTheirAxesOnly) {
    const Network network = make_network("torus:4x3x5");
    const NodeId source = network.lattice()->node({1, 2, 3});
    EXPECT_EQ(axes_group(network, source, {1}).size, 3U);
    const Group rectangle = axes_group(network, source, {2, 0});
    EXPECT_EQ(rectangle.size, 20U);
    EXPECT_TRUE(rectangle.member[network.lattice()->node({0, 2, 4})]);
    EXPECT_FALSE(rectangle.member[network.lattice()->node({0, 1, 4})]);
}

TEST(Group, UsableLinksOfALineAreItsOwn) {
    const Network network = make_network("ibt:12x12:b=4");
    // Along x from node 0: 12 nodes with 2 torus links each, and every second node has 2 bypass links along
    // x.
    EXPECT_EQ(usable_links(network, axes_group(network, NodeId{0}, {0})), 12U * 2 + 6 * 2);
    EXPECT_EQ(usable_links(network, global_group(network)), 144U * 6);
}

TEST(Group, AxesByLetterOrNumber) {
    EXPECT_EQ(parse_axes("zx"), (std::vector<std::uint32_t>{2, 0}));
    EXPECT_EQ(parse_axes("0,4"), (std::vector<std::uint32_t>{0, 4}));
    for (const char* wrong : {"", "a", "0,", "17"}) EXPECT_THROW(parse_axes(wrong), InputError) << wrong;
    const Network network = make_network("torus:4x4");
    EXPECT_THROW(axes_group(network, NodeId{0}, {2}), InputError);
    EXPECT_THROW(axes_group(network, NodeId{0}, {1, 1}), InputError);
}

}  // namespace
}  // namespace interlace
