// Interlace: what the pins of links have shown since reset (docs/node.md, section 1)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_counters #(
  parameter int unsigned Ports = 6
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clk_en_i,
  input  logic [Ports-1:0]      valid_i,  // a flit ...
  input  logic [Ports-1:0]      head_i,   // ... that begins a packet
  input  logic [Ports-1:0]      stall_i,
  output logic [Ports*3*32-1:0] count_o   // {stalls, packets, flits} of each port, modulo 2^32
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_o <= '0;
    end else if (clk_en_i && (il_pkg::Always || (valid_i | stall_i) != '0)) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (valid_i[p]) count_o[p*96 +: 32] <= count_o[p*96 +: 32] + 32'd1;
        if (valid_i[p] && head_i[p]) count_o[p*96+32 +: 32] <= count_o[p*96+32 +: 32] + 32'd1;
        if (stall_i[p]) count_o[p*96+64 +: 32] <= count_o[p*96+64 +: 32] + 32'd1;
      end
    end
  end
endmodule
