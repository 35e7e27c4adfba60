// Interlace: what a netlist of an FPGA's cells takes, and how long its paths are
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "interlace/core/names.h"

namespace interlace {

/// FPGA families that Yosys maps to: AMD's (Xilinx') 7 series, Lattice's ECP5 and iCE40.
enum class FpgaTarget : std::uint8_t { xilinx7, ecp5, ice40 };

std::string fpga_target_name(FpgaTarget target);
/// Throws InputError.
FpgaTarget parse_fpga_target(const std::string& text);
Choices fpga_targets();

/// "36 kbit": what one of Area::block_rams of a target holds.
std::string block_ram_size(FpgaTarget target);
/// Inputs of a target's LUT.
std::uint32_t lut_inputs(FpgaTarget target);

/// What a netlist takes of an FPGA.
struct NetlistArea {
    std::uint64_t luts = 0;        ///< of six inputs (xilinx7) or four, those that are memory too
    std::uint64_t flip_flops = 0;  ///< outside of block RAMs
    double block_rams = 0;         ///< of 36 (xilinx7; half of one is 18), 18 (ecp5) or 4 (ice40) kbit
    /// LUTs on the longest path between registers, block RAMs and pins, where a carry chain counts as one,
    /// and the multiplexers behind LUTs that make a wider one as none.
    std::uint32_t levels = 0;
};

/// Of module `top` of what Yosys' write_json wrote. Throws FellShort for a cell that the target does not have
/// and for a loop without a register.
NetlistArea measure_netlist(const nlohmann::json& netlist, const std::string& top, FpgaTarget target);

}  // namespace interlace
