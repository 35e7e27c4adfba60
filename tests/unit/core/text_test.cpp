// Interlace: numbers and lists from text
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/text.h"

#include <gtest/gtest.h>

#include "interlace/core/error.h"

namespace interlace {
namespace {

TEST(Text, SplitKeepsEmptyPieces) {
    EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
    EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

TEST(Text, NamesMayHaveParametersBehindAColon) {
    EXPECT_EQ(before_colon("torus:8x8"), "torus");
    EXPECT_EQ(before_colon("hotspot:0.1:5,7"), "hotspot");
    EXPECT_EQ(before_colon("uniform"), "uniform");
}

TEST(Text, IntegerTakesTheWholeTextAndItsRangeOnly) {
    EXPECT_EQ(parse_integer("7", "n", 7, 7), 7U);
    for (const char* wrong : {"", "6", "8", "7 ", "+7", "7.0", "0x7", "99999999999999999999"})
        EXPECT_THROW(parse_integer(wrong, "n", 7, 7), InputError) << wrong;
}

TEST(Text, ErrorNamesPlaceProblemAndExpectation) {
    const InputError error = InputError("size 2", "3 or more").at("f.yaml:4: size");
    EXPECT_STREQ(error.what(), "f.yaml:4: size: size 2; expected 3 or more");
}

}  // namespace
}  // namespace interlace
