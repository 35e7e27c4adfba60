// Interlace: what users choose by name
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/names.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/error_of.h"

namespace interlace {
namespace {

constexpr Names<int, 3> numbers = {{{"one", 1, "the first"}, {"two", 2}, {"three", 3, "the last"}}};

TEST(Names, AreListedAsTheyStand) {
    EXPECT_EQ(bar_list(choices_of(numbers)), "one|two|three");
    EXPECT_EQ(or_list(choices_of(numbers)), "one, two or three");
    EXPECT_EQ(or_list({{"one", ""}}), "one");
    EXPECT_EQ(or_list({}), "");
    EXPECT_EQ(explained(choices_of(numbers)), "one: the first; three: the last");
}

TEST(Names, AreFoundOrRefusedWithTheList) {
    EXPECT_EQ(value_of(numbers, "two", "number"), 2);
    EXPECT_EQ(name_of(numbers, 3), "three");
    EXPECT_TRUE(has_name(numbers, "one"));
    EXPECT_FALSE(has_name(numbers, "four"));
    EXPECT_EQ(error_of([] { value_of(numbers, "four", "number"); }),
              "cannot use number 'four'; expected one, two or three");
}

/// By the recursive definition.
std::size_t plain_distance(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty()) return a.size() + b.size();
    const std::string x = a.substr(1);
    const std::string y = b.substr(1);
    std::size_t kept = plain_distance(x, y) + (a[0] == b[0] ? 0 : 1);
    if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0])
        kept = std::min(kept, plain_distance(a.substr(2), b.substr(2)) + 1);
    return std::min({kept, plain_distance(x, b) + 1, plain_distance(a, y) + 1});
}

TEST(Names, DistancesAreThoseOfTheDefinition) {
    std::vector<std::string> words = {""};
    for (std::size_t i = 0; i < words.size() && words.size() < 40; ++i)
        for (const char letter : {'a', 'b'}) words.push_back(words[i] + letter);
    for (const std::string& a : words)
        for (const std::string& b : words)
            EXPECT_EQ(edit_distance(a, b), plain_distance(a, b)) << a << ' ' << b;
}

TEST(Names, OneThatIsCloseMayBeMeant) {
    const std::vector<std::string> names = {"packets", "packet_flits", "pace"};
    EXPECT_EQ(did_you_mean("packtes", names), " (did you mean packets?)");
    EXPECT_EQ(did_you_mean("packet", names), " (did you mean packets?)");
    EXPECT_EQ(did_you_mean("p", names), "");
    EXPECT_EQ(did_you_mean("network", names), "");
    EXPECT_EQ(did_you_mean("pace", {}), "");
}

// What stands behind a colon is no part of a name.
TEST(Names, UnknownOnesAreRefusedWithTheListAndTheClosest) {
    const Choices choices = {{"torus:64x64", ""}, {"mesh:8x8", ""}, {"hotspot:SHARE:NODES", ""}};
    const std::string list = "torus:64x64, mesh:8x8 or hotspot:SHARE:NODES";
    EXPECT_STREQ(unknown_name("kind", "tours:8x8", choices).what(),
                 ("cannot use kind 'tours:8x8' (did you mean torus?); expected " + list).c_str());
    EXPECT_STREQ(unknown_name("kind", "hotspots:0.1:5", choices).what(),
                 ("cannot use kind 'hotspots:0.1:5' (did you mean hotspot?); expected " + list).c_str());
    EXPECT_STREQ(unknown_name("kind", "cube:8", choices).what(),
                 ("cannot use kind 'cube:8'; expected " + list).c_str());
    EXPECT_EQ(error_of([] { value_of(numbers, "thre", "number"); }),
              "cannot use number 'thre' (did you mean three?); expected one, two or three");
}

}  // namespace
}  // namespace interlace
