// Interlace: three nodes of some size behind a serial line, with registers: what tests ask more of than il_board can hold
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_three #(
  parameter int unsigned ClocksPerBit = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic rx_i,
  output logic tx_o
);
  logic in_valid, in_ready, out_valid, out_ready;
  logic [7:0] in_data, out_data;

  il_uart #(.ClocksPerBit(ClocksPerBit)) i_uart (
    .clk_i,
    .rst_ni,
    .rx_i,
    .tx_o,
    .valid_o(in_valid),
    .data_o (in_data),
    .ready_i(in_ready),
    .valid_i(out_valid),
    .data_i (out_data),
    .ready_o(out_ready)
  );

  // The nodes of my_router: tests/device/CMakeLists.txt.
  il_shell #(
    .Nodes(3), .Ports(2), .Vcs(2), .Injections(4), .Receptions(6), .VcDepth(32), .InjectionDepth(64), .ReceptionDepth(32), .Slots(16)
  ) i_shell (
    .clk_i,
    .rst_ni,
    .in_valid_i (in_valid),
    .in_data_i  (in_data),
    .in_ready_o (in_ready),
    .out_valid_o(out_valid),
    .out_data_o (out_data),
    .out_ready_i(out_ready)
  );
endmodule
