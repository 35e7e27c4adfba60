// Interlace: tests of what a netlist takes: hand-made ones, counted by hand
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/area/netlist.h"

#include <gtest/gtest.h>

#include "interlace/core/error.h"

namespace interlace {
namespace {

using nlohmann::json;

/// A netlist of one module `top`, cell by cell.
class Builder {
  public:
    /// Ports whose names begin with `>` are outputs.
    Builder& add(const std::string& type, const std::vector<std::pair<std::string, json>>& ports) {
        json cell = {{"type", type}};
        for (const auto& [name, bits] : ports) {
            const bool drives = name.starts_with('>');
            const std::string port = drives ? name.substr(1) : name;
            cell["port_directions"][port] = drives ? "output" : "input";
            cell["connections"][port] = bits;
        }
        cells_["cell" + std::to_string(cells_.size())] = cell;
        return *this;
    }
    NetlistArea measured(FpgaTarget target) const {
        return measure_netlist({{"modules", {{"top", {{"cells", cells_}}}}}}, "top", target);
    }

  private:
    json cells_ = json::object();
};

TEST(NetlistArea, OfNothingIsNothing) {
    const NetlistArea area = Builder().measured(FpgaTarget::ice40);
    EXPECT_EQ(area.luts, 0U);
    EXPECT_EQ(area.levels, 0U);
}

TEST(NetlistArea, APathEndsAtRegistersAndBlockRams) {
    // Two LUTs, a register, one LUT, a block RAM, two LUTs: no path has more than two.
    const NetlistArea area = Builder()
                                 .add("SB_LUT4", {{"I0", {1}}, {">O", {2}}})
                                 .add("SB_LUT4", {{"I0", {2}}, {"I1", {"1"}}, {">O", {3}}})
                                 .add("SB_DFFER", {{"D", {3}}, {">Q", {4}}})
                                 .add("SB_LUT4", {{"I0", {4}}, {">O", {5}}})
                                 .add("SB_RAM40_4K", {{"RADDR", {5}}, {">RDATA", {6}}})
                                 .add("SB_LUT4", {{"I0", {6}}, {">O", {7}}})
                                 .add("SB_LUT4", {{"I0", {7}}, {">O", {8}}})
                                 .measured(FpgaTarget::ice40);
    EXPECT_EQ(area.luts, 5U);
    EXPECT_EQ(area.flip_flops, 1U);
    EXPECT_EQ(area.block_rams, 1);
    EXPECT_EQ(area.levels, 2U);
}

TEST(NetlistArea, ACarryChainIsOneLevel) {
    // A LUT, a chain of three carries, a LUT: three levels. The other order of cells is the same.
    const auto chain = [](bool backwards) {
        Builder b;
        const std::vector<std::pair<std::string, std::vector<std::pair<std::string, json>>>> cells = {
            {"SB_LUT4", {{"I0", {1}}, {">O", {2}}}},
            {"SB_CARRY", {{"I0", {2}}, {"CI", {"0"}}, {">CO", {3}}}},
            {"SB_CARRY", {{"I0", {1}}, {"CI", {3}}, {">CO", {4}}}},
            {"SB_CARRY", {{"I0", {2}}, {"CI", {4}}, {">CO", {5}}}},
            {"SB_LUT4", {{"I3", {5}}, {">O", {6}}}}};
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto& [type, ports] = cells[backwards ? cells.size() - 1 - i : i];
            b.add(type, ports);
        }
        return b.measured(FpgaTarget::ice40);
    };
    EXPECT_EQ(chain(false).levels, 3U);
    EXPECT_EQ(chain(true).levels, 3U);
}

TEST(NetlistArea, WhatAMemoryOfLutsWritesIsNoPath) {
    // Three LUTs before the write data, one before the read address, one behind what is read: the longest is
    // the three, and from address to behind there are three, too: LUT, memory, LUT. Were data a path, five.
    const NetlistArea area = Builder()
                                 .add("$lut", {{"A", {1}}, {">Y", {2}}})
                                 .add("$lut", {{"A", {2}}, {">Y", {3}}})
                                 .add("$lut", {{"A", {3}}, {">Y", {4}}})
                                 .add("$lut", {{"A", {1}}, {">Y", {5}}})
                                 .add("RAM64M", {{"DIA", {4}}, {"ADDRA", {5}}, {">DOA", {6}}})
                                 .add("$lut", {{"A", {6}}, {">Y", {7}}})
                                 .measured(FpgaTarget::xilinx7);
    EXPECT_EQ(area.luts, 5U + 4U);
    EXPECT_EQ(area.levels, 3U);
}

TEST(NetlistArea, MultiplexersThatWidenALutAreNoLevel) {
    const NetlistArea area = Builder()
                                 .add("LUT4", {{"A", {1}}, {">Z", {2}}})
                                 .add("LUT4", {{"A", {1}}, {">Z", {3}}})
                                 .add("PFUMX", {{"ALUT", {2}}, {"BLUT", {3}}, {"C0", {1}}, {">Z", {4}}})
                                 .add("LUT4", {{"A", {4}}, {">Z", {5}}})
                                 .add("DP16KD", {{"ADA", {5}}})
                                 .measured(FpgaTarget::ecp5);
    EXPECT_EQ(area.luts, 3U);
    EXPECT_EQ(area.levels, 2U);
    EXPECT_EQ(area.block_rams, 1);
}

TEST(NetlistArea, HalfABlockRamIsHalf) {
    const NetlistArea area = Builder().add("RAMB36E1", {}).add("RAMB18E1", {}).measured(FpgaTarget::xilinx7);
    EXPECT_EQ(area.block_rams, 1.5);
}

TEST(NetlistArea, ALoopAndACellOfAnotherFamilyAreRefused) {
    EXPECT_THROW(Builder()
                     .add("SB_LUT4", {{"I0", {1}}, {">O", {2}}})
                     .add("SB_LUT4", {{"I0", {2}}, {">O", {1}}})
                     .measured(FpgaTarget::ice40),
                 FellShort);
    EXPECT_THROW(Builder().add("SB_LUT4", {}).measured(FpgaTarget::ecp5), FellShort);
}

}  // namespace
}  // namespace interlace
