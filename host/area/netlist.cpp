// Interlace: what a netlist of an FPGA's cells takes, and how long its paths are
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/area/netlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/core/names.h"

namespace interlace {
namespace {

constexpr Names<FpgaTarget, 3> targets = {{{"xilinx7", FpgaTarget::xilinx7, "AMD's 7 series"},
                                           {"ecp5", FpgaTarget::ecp5, "Lattice's ECP5"},
                                           {"ice40", FpgaTarget::ice40, "Lattice's iCE40"}}};

/// What a cell is to a path: where it ends (register, block RAM), or a part of it.
enum class CellClass : std::uint8_t { lut, lut_ram, carry, multiplexer, flip_flop, block_ram, wire };

struct CellKind {
    std::string_view prefix;  ///< of the cell's type
    double takes;             ///< LUTs, flip-flops or block RAMs
    FpgaTarget target;
    CellClass cell;
};

using enum FpgaTarget;
using enum CellClass;
/// The first that fits a type counts. Distributed memory of an ECP5 takes two slices of LUTs and one to
/// write.
constexpr CellKind kinds[] = {{"$lut", 1, xilinx7, lut},
                              {"RAM32M", 4, xilinx7, lut_ram},
                              {"RAM64M", 4, xilinx7, lut_ram},
                              {"RAM32X1D", 2, xilinx7, lut_ram},
                              {"RAM64X1D", 2, xilinx7, lut_ram},
                              {"RAM128X1D", 4, xilinx7, lut_ram},
                              {"CARRY4", 0, xilinx7, carry},
                              {"RAMB36", 1, xilinx7, block_ram},
                              {"RAMB18", 0.5, xilinx7, block_ram},
                              {"$_DFF", 1, xilinx7, flip_flop},
                              {"$_SDFF", 1, xilinx7, flip_flop},
                              {"LUT4", 1, ecp5, lut},
                              {"CCU2C", 2, ecp5, carry},
                              {"PFUMX", 0, ecp5, multiplexer},
                              {"L6MUX21", 0, ecp5, multiplexer},
                              {"TRELLIS_FF", 1, ecp5, flip_flop},
                              {"TRELLIS_DPR16X4", 6, ecp5, lut_ram},
                              {"DP16KD", 1, ecp5, block_ram},
                              {"SB_LUT4", 1, ice40, lut},
                              {"SB_CARRY", 0, ice40, carry},
                              {"SB_DFF", 1, ice40, flip_flop},
                              {"SB_RAM40_4K", 1, ice40, block_ram},
                              {"INV", 0, xilinx7, wire}};

CellKind kind_of(const std::string& type, FpgaTarget target) {
    for (const CellKind& kind : kinds)
        if (kind.target == target && type.starts_with(kind.prefix)) return kind;
    throw FellShort(
        fmt::format("a netlist for {} has a cell {}, which it should not", fpga_target_name(target), type));
}

bool on_path(CellClass cell) {
    return cell != flip_flop && cell != block_ram;
}

/// Whether an output of the cell follows this input at once: of memory, only the address that it is read at
/// (7 series: ADDRA for DOA, DPRA for DPO, A for SPO; ECP5: RAD).
bool passes(CellClass cell, const std::string& output, const std::string& input) {
    if (cell != lut_ram) return true;
    if (input.starts_with("ADDR")) return output.starts_with("DO") && output.back() == input.back();
    if (input.starts_with("DPRA")) return output == "DPO";
    if (input.starts_with("RAD")) return output == "DO";
    return input.starts_with("A") && output == "SPO";
}

/// The outputs of the cells that logic passes through, and which drive which.
class Paths {
  public:
    void add(CellClass cell, const nlohmann::json& connections, const nlohmann::json& directions) {
        for (const auto& [output, nets] : connections.items()) {
            if (directions.at(output) != "output") continue;
            const auto number = static_cast<std::uint32_t>(cells_.size());
            cells_.push_back({cell, {}, {}, 0, 0});
            each_net(nets, [&](std::size_t net) {
                if (driver_.size() <= net) driver_.resize(net + 1, none);
                driver_[net] = number;
            });
            for (const auto& [input, read] : connections.items())
                if (directions.at(input) != "output" && passes(cell, output, input))
                    each_net(read, [&](std::size_t net) { cells_.back().reads.push_back(net); });
        }
    }

    /// The most levels at the end of a path. Throws FellShort for a loop.
    std::uint32_t longest() {
        for (std::uint32_t c = 0; c < cells_.size(); ++c)
            for (const std::size_t net : cells_[c].reads)
                if (net < driver_.size() && driver_[net] != none) {
                    cells_[driver_[net]].drives.push_back(c);
                    ++cells_[c].waits;
                }
        std::vector<std::uint32_t> ready;
        for (std::uint32_t c = 0; c < cells_.size(); ++c) {
            cells_[c].level = own_level(cells_[c].cell);
            if (cells_[c].waits == 0) ready.push_back(c);
        }
        std::uint32_t most = 0;
        std::size_t ended = 0;
        for (; !ready.empty(); ++ended) {
            const Cell& cell = cells_[ready.back()];
            ready.pop_back();
            most = std::max(most, cell.level);
            for (const std::uint32_t next : cell.drives) {
                Cell& behind = cells_[next];
                const bool chain = cell.cell == carry && behind.cell == carry;
                behind.level = std::max(behind.level, cell.level + (chain ? 0 : own_level(behind.cell)));
                if (--behind.waits == 0) ready.push_back(next);
            }
        }
        if (ended < cells_.size()) throw FellShort("a netlist has a loop without a register");
        return most;
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Cell {
        CellClass cell;
        std::vector<std::size_t> reads;     // nets
        std::vector<std::uint32_t> drives;  // cells
        std::uint32_t waits, level;
    };
    template <class Visit>
    static void each_net(const nlohmann::json& bits, const Visit& visit) {
        for (const nlohmann::json& bit : bits)
            if (bit.is_number()) visit(bit.get<std::size_t>());  // else a constant
    }

    static std::uint32_t own_level(CellClass cell) { return cell == multiplexer || cell == wire ? 0 : 1; }

    std::vector<Cell> cells_;
    std::vector<std::uint32_t> driver_;  // [net]
};

}  // namespace

std::string fpga_target_name(FpgaTarget target) {
    return name_of(targets, target);
}

Choices fpga_targets() {
    return choices_of(targets);
}

FpgaTarget parse_fpga_target(const std::string& text) {
    return value_of(targets, text, "target");
}

std::string block_ram_size(FpgaTarget target) {
    return target == xilinx7 ? "36 kbit" : target == ecp5 ? "18 kbit" : "4 kbit";
}

std::uint32_t lut_inputs(FpgaTarget target) {
    return target == xilinx7 ? 6 : 4;
}

NetlistArea measure_netlist(const nlohmann::json& netlist, const std::string& top, FpgaTarget target) {
    NetlistArea area;
    Paths paths;
    for (const auto& [name, cell] : netlist.at("modules").at(top).at("cells").items()) {
        const CellKind kind = kind_of(cell.at("type").get<std::string>(), target);
        if (kind.cell == flip_flop)
            ++area.flip_flops;
        else if (kind.cell == block_ram)
            area.block_rams += kind.takes;
        else
            area.luts += static_cast<std::uint64_t>(kind.takes);
        if (on_path(kind.cell)) paths.add(kind.cell, cell.at("connections"), cell.at("port_directions"));
    }
    area.levels = paths.longest();
    return area;
}

}  // namespace interlace
