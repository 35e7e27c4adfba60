// Interlace: what was shown some cycles ago
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_delay #(
  parameter int unsigned Width = 8,
  parameter int unsigned Cycles = 1  // 0: a wire
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clk_en_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o   // 0 after reset
);
  if (Cycles == 0) begin : gen_wire
    assign data_o = data_i;
    logic unused;
    assign unused = clk_i || rst_ni || clk_en_i;
  end else begin : gen_registers
    logic [Cycles*Width-1:0] stage_q;  // the youngest first
    always_ff @(posedge clk_i) begin
      if (!rst_ni) stage_q <= '0;
      else if (clk_en_i) stage_q <= (Cycles*Width)'({stage_q, data_i});
    end
    assign data_o = stage_q[(Cycles-1)*Width +: Width];
  end
endmodule
