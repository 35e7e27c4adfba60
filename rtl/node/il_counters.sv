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
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [31:0] flits_q, packets_q, stalls_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        flits_q   <= '0;
        packets_q <= '0;
        stalls_q  <= '0;
      end else if (clk_en_i && (valid_i[p] || stall_i[p])) begin
        if (valid_i[p]) flits_q <= flits_q + 32'd1;
        if (valid_i[p] && head_i[p]) packets_q <= packets_q + 32'd1;
        if (stall_i[p]) stalls_q <= stalls_q + 32'd1;
      end
    end
    assign count_o[p*96 +: 96] = {stalls_q, packets_q, flits_q};
  end
endmodule
