// Interlace: native and RTL nodes side by side: every output pin of every node in every cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interlace/engine/lockstep.h"
#include "interlace/engine/native.h"
#include "interlace/engine/systemc.h"
#include "interlace/engine/verilated.h"
#include "lockstep/random_configuration.h"
#include "support/temporary_file.h"

#include "Vil_node_defect.h"
#include "verilated_region.h"

namespace interlace {
namespace {

/// Every SystemC node that the tests of this process will need: SystemC elaborates once.
void reserve_systemc() {
    for (const std::uint32_t ports : built_ports) systemc_reserve(ports, 36);
}

const EngineUnderTest native = {"native", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                    return native_region(fabric, nodes, &tables, true);
                                }};
const EngineUnderTest rtl = {"rtl", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                 return verilated_region(fabric, nodes, &tables);
                             }};
const EngineUnderTest systemc = {"systemc", [](const Fabric& fabric, const auto& nodes, const auto& tables) {
                                     return systemc_region(fabric, nodes, &tables);
                                 }};

TEST(Lockstep, NativeRtlAndSystemCAgreeInEveryPinOnRandomConfigurations) {
    reserve_systemc();
    std::uint64_t packets = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Configuration configuration = random_configuration(seed);
        SCOPED_TRACE(configuration.text);
        ASSERT_NO_THROW(packets += run_lockstep(configuration, 2000, {native, rtl, systemc}));
    }
    EXPECT_GT(packets, 100'000U);
}

// The test of the test: each defect (rtl, IL_DEFECTS) is found by some configuration, and none without a
// defect. A waveform shows the difference in its last cycle.
TEST(Lockstep, FindsEveryDefect) {
    const TemporaryFile waveform;
    for (std::uint32_t defect = 0; defect <= 5; ++defect) {
        const EngineUnderTest broken = {
            "rtl", [defect](const Fabric& fabric, const auto& nodes, const auto& tables) {
                return std::make_unique<detail::VerilatedRegion<Vil_node_defect>>(fabric, nodes, &tables,
                                                                                  defect);
            }};
        std::uint32_t found = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Configuration configuration = random_configuration(seed);
            if (Fabric(configuration.network, configuration.node).ports != 4) continue;
            try {
                run_lockstep(configuration, 500, {native, broken}, waveform.path());
            } catch (const LockstepError& error) {
                if (found++ == 0) std::printf("defect %u: %s\n", defect, error.what());
            }
        }
        EXPECT_EQ(found > 0, defect > 0) << "defect " << defect;
    }
}

}  // namespace
}  // namespace interlace
