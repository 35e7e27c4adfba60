// Interlace: the top of a board: one small node behind a serial line (docs/board.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// rst_ni may be left open where the pin has a pull-up: a chip's flip-flops begin as 0, and so does the count of the cycles of reset.
module il_board #(
  parameter int unsigned ClocksPerBit = 12  // of the serial line
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic rx_i,
  output logic tx_o
);
  logic [3:0] started_q;
  logic [1:0] rst_nq;
  logic rst_n, in_valid, in_ready, out_valid, out_ready;
  logic [7:0] in_data, out_data;

  always_ff @(posedge clk_i) rst_nq <= {rst_nq[0], rst_ni};

  // Not always_ff: what is there at the beginning is another process' to say.
  initial started_q = '0;
  always @(posedge clk_i) begin
    if (!rst_nq[1]) started_q <= '0;
    else if (!rst_n) started_q <= started_q + 4'd1;
  end
  assign rst_n = started_q == '1;

  il_uart #(.ClocksPerBit(ClocksPerBit)) i_uart (
    .clk_i,
    .rst_ni (rst_n),
    .rx_i,
    .tx_o,
    .valid_o(in_valid),
    .data_o (in_data),
    .ready_i(in_ready),
    .valid_i(out_valid),
    .data_i (out_data),
    .ready_o(out_ready)
  );

  // The node of a ring of four: as `interlace area torus:4` has it, with the least of everything, so that it fits (docs/board.md).
  il_shell #(
    .Ports              (2),
    .Vcs                (1),
    .Injections         (1),
    .Receptions         (1),
    .VcDepth            (2),
    .InjectionDepth     (2),
    .ReceptionDepth     (2),
    .Slots              (2),
    .FixedConfig        (1),
    .FixedSwitching     (32'(il_pkg::VirtualCutThrough)),
    .FixedVcs           (32'd1),
    .FixedVcDepth       (32'd2),
    .FixedInjectionDepth(32'd2),
    .FixedReceptionDepth(32'd2),
    .FixedPorts         (32'd3),
    .FixedRouting       (32'd1 << il_pkg::RoutingCoordinates | 32'd1 << il_pkg::RoutingWraps),
    .FixedClasses       (32'h11),
    .FixedCyclesPerFlit (32'd1),
    .FixedCoordinates   (1),
    .FixedSizes         (80'd4),
    .FixedHops          ({160'd0, 20'h80001, 20'h00001})
  ) i_shell (
    .clk_i,
    .rst_ni     (rst_n),
    .in_valid_i (in_valid),
    .in_data_i  (in_data),
    .in_ready_o (in_ready),
    .out_valid_o(out_valid),
    .out_data_o (out_data),
    .out_ready_i(out_ready)
  );
endmodule
