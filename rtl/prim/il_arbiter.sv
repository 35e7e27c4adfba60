// Interlace: round-robin arbitration: the lowest request above the last winner, or else the lowest; of several rounds, which
// take turns, each has its own last winner
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
module il_arbiter #(
  parameter int unsigned Requests = 4,
  parameter int unsigned Rounds = 1,
  parameter bit Guarded = 1'b0,  // skips its logic without a request, as simulations do (il_pkg::Synthesis)
  localparam int unsigned RoundW = Rounds > 1 ? $clog2(Rounds) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clk_en_i,
  input  logic [RoundW-1:0]   round_i,    // whose requests these are; 0 of one
  input  logic [Requests-1:0] request_i,
  input  logic [Requests-1:0] high_i,   // requests of high priority leave the others out
  output logic [Requests-1:0] grant_o   // one-hot where there is a request; every grant is taken
);
  logic [Rounds*Requests-1:0] above_q;  // the requests above the last winner of each round
  logic [Requests-1:0] above_last, above, high, eligible, preferred;

  always_comb begin
    above_last = '0;
    if (!Guarded || request_i != '0) begin
      for (int unsigned r = 0; r < Rounds; r++) begin
        if (32'(round_i) == r) above_last = above_q[r*Requests +: Requests];
      end
    end
  end

`ifdef IL_DEFECTS
  int unsigned defect;
  initial if (!$value$plusargs("il_defect=%d", defect)) defect = 0;
  assign above = defect == 2 ? '0 : above_last;   // a pointer that does not move
  assign high = defect == 4 ? '0 : high_i;     // a priority that is not seen
`else
  assign above = above_last;
  assign high = high_i;
`endif
  always_comb begin
    eligible = '0;
    preferred = '0;
    grant_o = '0;
    if (!Guarded || request_i != '0) begin
      eligible = ((request_i & high) != '0) ? (request_i & high) : request_i;
      preferred = ((eligible & above) != '0) ? (eligible & above) : eligible;
      grant_o = preferred & (~preferred + Requests'(1));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      above_q <= '0;
    end else if (clk_en_i && request_i != '0) begin
      for (int unsigned r = 0; r < Rounds; r++) begin
        if (32'(round_i) == r) above_q[r*Requests +: Requests] <= ~(grant_o | (grant_o - Requests'(1)));
      end
      `IL_ASSERT(grant_is_a_request, ((grant_o & ~request_i) | (grant_o & (grant_o - Requests'(1)))) == '0,
                 "what is granted is no request, or several");
      `IL_ASSERT(request_is_granted, grant_o != '0, "of the requests none is granted");
    end
  end
endmodule
