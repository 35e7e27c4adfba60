// Interlace: configuration files
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/config/config_map.h"

#include <gmock/gmock.h>

#include <sstream>
#include <tuple>

#include "interlace/core/error.h"
#include "support/error_of.h"

namespace interlace {
namespace {

TEST(ConfigMap, ErrorsNameFileLineAndKey) {
    ConfigMap map = ConfigMap::from_text("a: 1\nb: x\nc: [1, 2]\n", "f.yaml");
    EXPECT_THAT(error_of([&] { map.integer("b", 0, 9); }),
                testing::StartsWith("f.yaml:2: b: cannot use value 'x'"));
    EXPECT_THAT(error_of([&] { map.text("c"); }), testing::StartsWith("f.yaml:3: c:"));
    EXPECT_THAT(error_of([&] { map.text("d"); }), testing::HasSubstr("d: this key is missing"));
    EXPECT_THAT(error_of([&] { map.finish(); }), testing::StartsWith("f.yaml:1: a: this is an unknown key"));
}

/// The place of the error that `action` throws, its text aside, and what was expected.
template <class Action>
std::tuple<std::string, std::size_t, std::string, std::string> place_of_error(const Action& action) {
    try {
        action();
    } catch (const InputError& error) {
        const Place& place = error.place();
        return {place.file, place.line, place.key, error.expected()};
    }
    return {};
}

TEST(ConfigMap, ErrorsKnowFileLineAndKey) {
    using Found = std::tuple<std::string, std::size_t, std::string, std::string>;
    ConfigMap map =
        ConfigMap::from_text("a: 1\nb: x\nm: {k: [1, 2]}\n", "f.yaml", std::vector<std::string>{"o=y"});
    EXPECT_EQ(place_of_error([&] { map.integer("b", 0, 9); }),
              Found("f.yaml", 2, "b", "a whole number from 0 to 9"));
    EXPECT_EQ(place_of_error([&] { map.map("m").text("k"); }), Found("f.yaml", 3, "k", "one value"));
    EXPECT_EQ(place_of_error([&] { map.map("o"); }), Found("", 0, "o", "keys with values"));
    EXPECT_EQ(place_of_error([] { ConfigMap::from_text("a: 1\nb: {a, a: 1, a: 2}\n", "f.yaml"); }),
              Found("f.yaml", 2, "", "each key once"));
    EXPECT_EQ(place_of_error([] { ConfigMap::from_text("a: x", "").integer("a", 0, 9); }),
              Found("", 0, "a", "a whole number from 0 to 9"));
    // Where it was found first: in the file that another one names.
    EXPECT_EQ(place_of_error([&] {
                  try {
                      map.integer("b", 0, 9);
                  } catch (const InputError& error) {
                      throw error.at("a flag").at(Place{"g.yaml:7: base", "g.yaml", 7, "base"});
                  }
              }),
              Found("f.yaml", 2, "b", "a whole number from 0 to 9"));
}

TEST(ConfigMap, AKeyNearlyTheMissingOneIsNamed) {
    ConfigMap map = ConfigMap::from_text("a: 1\nswitchs: 3\n", "f.yaml");
    EXPECT_EQ(error_of([&] { map.text("switches"); }),
              "f.yaml:2: switchs: this is an unknown key; expected switches");
    EXPECT_THAT(error_of([&] { map.text("trunks"); }), testing::HasSubstr("trunks: this key is missing"));
}

TEST(ConfigMap, RefusesWhatIsNotYamlOrNoMapping) {
    EXPECT_THAT(error_of([] { ConfigMap::from_text("a: [1", "f.yaml"); }), testing::StartsWith("f.yaml:"));
    EXPECT_THAT(error_of([] { ConfigMap::from_text("- 1\n", "f.yaml"); }),
                testing::HasSubstr("not a mapping"));
    EXPECT_THAT(error_of([] { ConfigMap::from_file("/nowhere.yaml"); }), testing::HasSubstr("cannot read"));
}

// What YAML allows and a tree of values cannot hold: one of two values would be lost, or a walk would not
// end.
TEST(ConfigMap, RefusesWhatATreeCannotShow) {
    const auto error = [](const std::string& text) {
        return error_of([&] { ConfigMap::from_text(text, "f.yaml"); });
    };
    EXPECT_EQ(error("a: 1\nb: {c: 1,\n c: 2}\n"), "f.yaml:3: c: duplicate key; expected each key once");
    EXPECT_THAT(error("a: 1\n\na: 1\n"), testing::StartsWith("f.yaml:3: a: duplicate key"));
    EXPECT_EQ(error("event: &a\n  frame: *a\n"),
              "f.yaml:2: an alias is inside its own value; expected a value");
    EXPECT_THAT(error("a: &a [1, [*a]]\n"), testing::StartsWith("f.yaml:1: an alias is inside"));
    EXPECT_EQ(error("a: 1\n---\na: 2\n"), "f.yaml:2: there is a second document; expected one in a file");
    EXPECT_EQ(error("a: 1\n...\n"), "no error");
    EXPECT_THAT(error("{[1]: 2}\n"), testing::HasSubstr("a key is not text"));
    EXPECT_THAT(error("{&a b: 1, *a : 2}\n"), testing::HasSubstr("a key is not text"));
    EXPECT_THAT(error(std::string(100'000, '[')), testing::StartsWith("f.yaml:1: "));
    // Ten aliases of ten aliases ...: 10^9 values in a kilobyte; 11 x 10^6 and more in a6.
    std::ostringstream laughs;
    laughs << "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 9; ++i) {
        laughs << 'a' << i << ": &a" << i << " [";
        for (int j = 0; j < 10; ++j) laughs << (j == 0 ? "*a" : ", *a") << i - 1;
        laughs << "]\n";
    }
    EXPECT_THAT(error(laughs.str()), testing::StartsWith("f.yaml:7: there are too many values"));
    // An alias of what is whole is a value like any other.
    ConfigMap map = ConfigMap::from_text("a: &a {b: 7}\nc: *a\n", "f.yaml");
    EXPECT_EQ(map.map("c").integer("b", 0, 9), 7U);
}

// yaml-cpp takes a second for 10,000 keys and a minute for 100,000.
TEST(ConfigMap, AMappingHasAThousandKeysAtMost) {
    const auto keys = [](int count) {
        std::string text;
        for (int i = 1; i <= count; ++i) text += "k" + std::to_string(i) + ": 1\n";
        return text;
    };
    EXPECT_EQ(ConfigMap::from_text(keys(1'000), "f.yaml").keys().size(), 1'000U);
    EXPECT_EQ(error_of([&] { ConfigMap::from_text(keys(100'000), "f.yaml"); }),
              "f.yaml:1001: there are too many keys; expected at most 1000 in a mapping");
}

TEST(ConfigMap, NumbersAreDecimalAndFinite) {
    ConfigMap map = ConfigMap::from_text("a: 010\nb: .inf\nc: .nan\nd: 0\ne: 1e3\n", "f.yaml");
    EXPECT_EQ(
        error_of([&] { map.integer("a", 0, 99); }),
        "f.yaml:1: a: cannot use value '010'; expected a whole number from 0 to 99, without a 0 in front");
    for (const char* key : {"b", "c"})
        EXPECT_THAT(error_of([&] { map.number(key); }), testing::HasSubstr("expected a number")) << key;
    EXPECT_EQ(map.integer("d", 0, 9), 0U);
    EXPECT_EQ(map.number("e"), 1000);
}

TEST(ConfigMap, MessagesStayOnOneLine) {
    ConfigMap map = ConfigMap::from_text("a: \"x\\ny\\e[1m\"\n", "f\n.yaml");
    EXPECT_EQ(error_of([&] { map.integer("a", 0, 9); }),
              "f\\n.yaml:1: a: cannot use value 'x\\ny\\x1b[1m'; expected a whole number from 0 to 9");
}

TEST(ConfigMap, OverridesReplaceAndAddByPath) {
    ConfigMap map = ConfigMap::from_text("a: {b: 1}\n", "f.yaml", std::vector<std::string>{"a.b=7", "c.d=x"});
    EXPECT_EQ(map.map("a").integer("b", 0, 9), 7U);
    EXPECT_EQ(map.map("c").text("d"), "x");
    EXPECT_EQ(error_of([&] { map.map("c").integer("d", 0, 9); }),
              "--set c.d=x: d: cannot use value 'x'; expected a whole number from 0 to 9");
    EXPECT_THAT(
        error_of([] {
            ConfigMap::from_text("a: 1\n", "f", std::vector<std::string>{"c={d: 1, e: 2}"}).map("c").finish();
        }),
        testing::StartsWith("--set c={d: 1, e: 2}: d: this is an unknown key"));
    EXPECT_THAT(error_of([] { ConfigMap::from_text("a: 1\n", "f", std::vector<std::string>{"a.b=2"}); }),
                testing::HasSubstr("not a mapping"));
    EXPECT_THAT(error_of([] { ConfigMap::from_text("a: 1\n", "f", std::vector<std::string>{"a"}); }),
                testing::HasSubstr("path=value"));
    EXPECT_THAT(
        error_of([] { ConfigMap::from_text("a: 1\n", "f", std::vector<std::string>{"b.c=2"}).finish(); }),
        testing::HasSubstr("f:1: a: this is an unknown key"));
    ConfigMap made = ConfigMap::from_text("a: {x: 1}\n", "f", std::vector<std::string>{"a.b.c=2"});
    ConfigMap a = made.map("a");
    a.has("x");
    EXPECT_THAT(error_of([&] { a.finish(); }),
                testing::StartsWith("--set a.b.c=2: b: this is an unknown key"));
    // What is wrong with an override is not the file's fault.
    EXPECT_THAT(error_of([] { ConfigMap::from_text("a: 1\n", "f", std::vector<std::string>{"a=["}); }),
                testing::StartsWith("--set a=[: "));
    EXPECT_THAT(
        error_of([] { ConfigMap::from_text("a: 1\n", "f", std::vector<std::string>{"a=&b {c: *b}"}); }),
        testing::StartsWith("--set a=&b {c: *b}: an alias is inside"));
}

}  // namespace
}  // namespace interlace
