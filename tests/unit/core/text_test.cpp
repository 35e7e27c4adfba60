// Interlace: numbers and lists from text
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/text.h"

#include <gtest/gtest.h>

#include "interlace/core/error.h"
#include "interlace/core/one_line.h"

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
    EXPECT_EQ(file_names_in("x.csv"), std::vector<std::string>{"x.csv"});
    EXPECT_EQ(file_names_in("trace:x.csv"), (std::vector<std::string>{"trace:x.csv", "x.csv"}));
    EXPECT_EQ(file_names_in("graph:x.csv:hosts=2"),
              (std::vector<std::string>{"graph:x.csv:hosts=2", "x.csv:hosts=2", "x.csv"}));
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

TEST(Text, AByteOrderMarkIsNoPartOfIt) {
    EXPECT_EQ(without_byte_order_mark("\xef\xbb\xbf"
                                      "a"),
              "a");
    EXPECT_EQ(without_byte_order_mark("\xef\xbb"), "\xef\xbb");
    EXPECT_EQ(without_byte_order_mark(""), "");
}

// What is kept of a text of 10 MB is a few lines of a terminal, with its beginning, its end, and whole
// characters of UTF-8.
TEST(Text, AnErrorLeavesOutTheMiddleOfALongText) {
    std::string value = "begin";
    for (int i = 0; i < 5'000'000; ++i) value += "ü";
    const std::string error = InputError("cannot use '" + value + "'", "a number").what();
    EXPECT_LT(error.size(), 5'000U);
    EXPECT_TRUE(error.starts_with("cannot use 'beginüü"));
    EXPECT_TRUE(error.ends_with("üü'; expected a number"));
    const std::string left_out = error.substr(error.find(" [... "));
    const std::size_t bytes = std::stoull(left_out.substr(6));
    const std::string note = " [... " + std::to_string(bytes) + " bytes ...] ";
    EXPECT_EQ(bytes + error.size() - note.size(), value.size() + 2 + 11 + 19);
    EXPECT_EQ(bytes % 2, 0U) << "or a character was cut";
    const std::string whole(4'000, 'x');
    EXPECT_EQ(one_line(whole), whole);
    EXPECT_LT(std::string(InputError("p", "e").at(value).what()).size(), 5'000U);
}

}  // namespace
}  // namespace interlace
