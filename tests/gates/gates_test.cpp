// Interlace: gates that Yosys makes of rtl/ do what the SystemC node does, also where signals may be unknown
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

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

constexpr NodeSize size_of(std::uint32_t pipeline) {
    return {2, 2, 4, 6, 64, pipeline != 1, 64, 1};
}

std::string hex(std::uint64_t pin) {
    return fmt::format("{:x}", pin);
}

template <std::size_t words>
std::string hex(const VlWide<words>& pin) {
    std::string digits;
    for (std::size_t w = words; w-- > 0;) digits += fmt::format("{:08x}", pin[w]);
    return digits;
}

/// Gates that write the pins of each cycle as tests/gates/four_valued.v reads them.
template <class Model>
struct RecordedGates : RtlNode<Model> {
    explicit RecordedGates(const std::filesystem::path& file) : lines(file) {}

    void clock() {
        const Model& m = this->pins();
        write(m.rst_ni, m.clk_en_i, m.cfg_valid_i, m.cfg_read_i, m.cfg_addr_i, m.cfg_data_i, m.link_valid_i,
              m.link_vc_i, m.link_flit_i, m.credit_i, m.inj_valid_i, m.inj_flit_i, m.rx_ready_i);
        RtlNode<Model>::clock();
        write(m.cfg_data_o, m.link_valid_o, m.link_vc_o, m.link_flit_o, m.credit_o, m.inj_credit_o,
              m.rx_valid_o, m.rx_flit_o, m.rx_count_o, m.stall_o, m.status_o);
        lines << '\n';
    }
    template <class... Pins>
    void write(const Pins&... pins) {
        ((lines << hex(pins) << ' '), ...);
    }
    std::ofstream lines;
};

template <class Nodes>
class GatesOf : public testing::Test {};
using Kinds = testing::Types<Kind<Vil_gates_1, 1>, Kind<Vil_gates_7, 7>>;
TYPED_TEST_SUITE(GatesOf, Kinds);

TYPED_TEST(GatesOf, RtlShowTheSameAsSystemC) {
    for (const std::uint32_t pipeline : {1U, 7U}) detail::reserve<Peer>(1, {64, 64, pipeline});
    const NodeSize size = size_of(TypeParam::pipeline);
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

// Four-valued, what a register has before it is written is unknown, and so is all that follows from it: no
// pin shows any of it after the first reset.
TEST(Gates, RtlShowNothingUnknownUnderIcarus) {
    if (std::system("command -v iverilog > /dev/null") != 0) GTEST_SKIP() << "no iverilog (Debian: iverilog)";
    detail::reserve<Peer>(1, {64, 64, 1});
    const std::filesystem::path work = std::filesystem::path(GATES_FOLDER) / "four_valued";
    std::filesystem::create_directories(work);
    SystemCNode<Peer> systemc;
    std::uint64_t cycles = 0, flits = 0;
    {
        RecordedGates<Vil_gates_1> gates(work / "pins");
        for (std::uint64_t seed = 1000; cycles < 2'000; ++seed) {
            const Episode episode = run_episode(gates, systemc, size_of(1), seed);
            ASSERT_EQ(episode.differs, "") << "seed " << seed << ", cycle " << episode.cycles;
            cycles += episode.cycles;
            flits += episode.flits;
        }
    }
    EXPECT_GT(flits, 300U);
    const std::string run = fmt::format("{} {}/gates_1.v {}/pins {} > {}/shown", FOUR_VALUED, GATES_FOLDER,
                                        work.string(), work.string(), work.string());
    ASSERT_EQ(std::system(run.c_str()), 0) << run;
    std::stringstream shown;
    shown << std::ifstream(work / "shown").rdbuf();
    EXPECT_EQ(shown.str(), fmt::format("{} cycles\n", cycles));
}

}  // namespace
}  // namespace interlace
