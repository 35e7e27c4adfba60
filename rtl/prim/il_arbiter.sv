// Interlace: round-robin arbitration: the lowest request above the last winner, or else the lowest
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_arbiter #(
  parameter int unsigned Requests = 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clk_en_i,
  input  logic [Requests-1:0] request_i,
  input  logic [Requests-1:0] high_i,   // requests of high priority leave the others out
  output logic [Requests-1:0] grant_o   // one-hot where there is a request; every grant is taken
);
  logic [Requests-1:0] above_q;  // the requests above the last winner
  logic [Requests-1:0] above, high, eligible, preferred;

`ifdef IL_DEFECTS
  int unsigned defect;
  initial if (!$value$plusargs("il_defect=%d", defect)) defect = 0;
  assign above = defect == 2 ? '0 : above_q;   // a pointer that does not move
  assign high = defect == 4 ? '0 : high_i;     // a priority that is not seen
`else
  assign above = above_q;
  assign high = high_i;
`endif
  assign eligible = ((request_i & high) != '0) ? (request_i & high) : request_i;
  assign preferred = ((eligible & above) != '0) ? (eligible & above) : eligible;
  assign grant_o = preferred & (~preferred + Requests'(1));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      above_q <= '0;
    end else if (clk_en_i && request_i != '0) begin
      above_q <= ~(grant_o | (grant_o - Requests'(1)));
      assert (((grant_o & ~request_i) | (grant_o & (grant_o - Requests'(1)))) == '0);
      assert (grant_o != '0);
    end
  end
endmodule
