// Interlace: configuration files
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/config/config_map.h"

#include <gmock/gmock.h>

#include "interlace/core/error.h"
#include "support/error_of.h"

namespace interlace {
namespace {

TEST(ConfigMap, ErrorsNameFileLineAndKey) {
    ConfigMap map = ConfigMap::from_text("a: 1\nb: x\nc: [1, 2]\n", "f.yaml");
    EXPECT_THAT(error_of([&] { map.integer("b", 0, 9); }), testing::StartsWith("f.yaml:2: b: value 'x'"));
    EXPECT_THAT(error_of([&] { map.text("c"); }), testing::StartsWith("f.yaml:3: c:"));
    EXPECT_THAT(error_of([&] { map.text("d"); }), testing::HasSubstr("d: missing"));
    EXPECT_THAT(error_of([&] { map.finish(); }), testing::StartsWith("f.yaml:1: a: unknown key"));
}

TEST(ConfigMap, AKeyNearlyTheMissingOneIsNamed) {
    ConfigMap map = ConfigMap::from_text("a: 1\nswitchs: 3\n", "f.yaml");
    EXPECT_EQ(error_of([&] { map.text("switches"); }), "f.yaml:2: switchs: unknown key; expected switches");
    EXPECT_THAT(error_of([&] { map.text("trunks"); }), testing::HasSubstr("trunks: missing"));
}

TEST(ConfigMap, RefusesWhatIsNotYamlOrNoMapping) {
    EXPECT_THAT(error_of([] { ConfigMap::from_text("a: [1", "f.yaml"); }), testing::StartsWith("f.yaml:"));
    EXPECT_THAT(error_of([] { ConfigMap::from_text("- 1\n", "f.yaml"); }),
                testing::HasSubstr("not a mapping"));
    EXPECT_THAT(error_of([] { ConfigMap::from_file("/nowhere.yaml"); }), testing::HasSubstr("cannot read"));
}

TEST(ConfigMap, OverridesReplaceAndAddByPath) {
    ConfigMap map = ConfigMap::from_text("a: {b: 1}\n", "f.yaml", {"a.b=7", "c.d=x"});
    EXPECT_EQ(map.map("a").integer("b", 0, 9), 7U);
    EXPECT_EQ(map.map("c").text("d"), "x");
    EXPECT_EQ(error_of([&] { map.map("c").integer("d", 0, 9); }),
              "--set c.d=x: d: value 'x'; expected a whole number from 0 to 9");
    EXPECT_THAT(error_of([] { ConfigMap::from_text("a: 1\n", "f", {"c={d: 1, e: 2}"}).map("c").finish(); }),
                testing::StartsWith("--set c={d: 1, e: 2}: d: unknown key"));
    EXPECT_THAT(error_of([] { ConfigMap::from_text("a: 1\n", "f", {"a.b=2"}); }),
                testing::HasSubstr("no mapping"));
    EXPECT_THAT(error_of([] { ConfigMap::from_text("a: 1\n", "f", {"a"}); }),
                testing::HasSubstr("path=value"));
}

}  // namespace
}  // namespace interlace
