// Interlace: nodes of one configuration (FixedConfig: docs/node.md, section 1) refuse to be given another one
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_parameters.svh"
module il_shell_registers #(
  parameter int unsigned Ports = 2,
  `IL_FIXED
) (
  input  logic                        valid_i,
  input  logic [il_pkg::AddressW-1:0] address_i,
  input  logic [31:0]                 data_i,
  output logic                        unlike_o   // a constant is written with another value
);
  localparam int unsigned Dimensions = il_pkg::dimensions(Ports);
  logic [31:0] value, seen;  // seen: the bits that are constant

  always_comb begin
    value = '0;
    seen = '1;
    case (address_i)
      il_pkg::RegSwitching:      value = FixedSwitching;
      il_pkg::RegVcs:            value = FixedVcs;
      il_pkg::RegVcDepth:        value = FixedVcDepth;
      il_pkg::RegReceptionDepth: value = FixedReceptionDepth;
      il_pkg::RegPorts:          value = FixedPorts;
      il_pkg::RegReceptions:     value = FixedReceptions;
      il_pkg::RegInjectionDepth: value = FixedInjectionDepth;
      il_pkg::RegRouting:        value = FixedRouting;
      il_pkg::RegClasses:        value = FixedClasses;
      il_pkg::RegCyclesPerFlit:  value = FixedCyclesPerFlit;
      il_pkg::RegAdaptive:       value = FixedAdaptive;
      default:                   seen = '0;
    endcase
    if (FixedCoordinates != 0) begin
      for (int unsigned d = 0; d < Dimensions; d++) begin
        if (address_i == il_pkg::RegDimension + il_pkg::AddressW'(d))
          {seen, value} = {32'hffff_0000, FixedSizes[d*il_pkg::CoordinateW +: il_pkg::CoordinateW], 16'd0};
      end
      for (int unsigned p = 0; p < Ports; p++) begin
        if (address_i == il_pkg::RegPort + il_pkg::AddressW'(p))
          {seen, value} = {32'hffff_ffff, 32'(FixedHops[p*il_pkg::PortW +: il_pkg::PortW])};
      end
    end
  end
  assign unlike_o = FixedConfig != 0 && valid_i && ((data_i ^ value) & seen) != '0;
endmodule
