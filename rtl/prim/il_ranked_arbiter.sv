// Interlace: round-robin arbitration among the requests of the highest rank: the lowest above the last winner, or else the lowest.
// Arbitration with levels and without have last winners of their own. Whoever is granted wins, or not, in a later cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
module il_ranked_arbiter #(
  parameter int unsigned Requests = 4,
  localparam int unsigned IndexW = $clog2(Requests)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clk_en_i,
  input  logic                  by_level_i,  // ranks are {high, level}, or else high alone
  input  logic [Requests-1:0]   request_i,
  input  logic [Requests-1:0]   high_i,
  input  logic [2*Requests-1:0] level_i,     // [bit][request]
  input  logic [7*Requests-1:0] rank_i,      // [{high, level} - 1][request]: the same, one-hot
  output logic [Requests-1:0]   grant_o,     // one-hot where there is a request ...
  output logic [IndexW-1:0]     index_o,     // ... and which
  input  logic                  wins_i,      // who was granted with `by_level_i` as it is now, and wins: ...
  input  logic [IndexW-1:0]     winner_i     // ... its index
);
  localparam logic [IndexW-1:0] None = {IndexW{1'b1}};  // ('1 is 1 to Yosys 0.23 here) no request is above it
  logic [IndexW-1:0] last_q, last_by_level_q, last;  // winners
  logic [Requests-1:0] above, eligible, upper;
  logic [2:0] highest;

  // Everything of a rank is looked for at once, so that the path is short.
  always_comb begin
    highest = '0;
    for (int unsigned c = 1; c < 8; c++) if ((request_i & rank_i[(c-1)*Requests +: Requests]) != '0) highest = 3'(c);
    eligible = request_i & ~(high_i ^ {Requests{highest[2]}});
    if (by_level_i)
      eligible = eligible & ~((level_i[Requests +: Requests] ^ {Requests{highest[1]}}) | (level_i[0 +: Requests] ^ {Requests{highest[0]}}));
  end

  assign last = by_level_i ? last_by_level_q : last_q;
  assign above = {Requests{1'b1}} << last << 1;
  assign upper = eligible & above;
  il_lowest #(.Width(Requests)) i_lowest (.ones_i(upper != '0 ? upper : eligible), .lowest_o(grant_o));
  always_comb begin
    index_o = '0;
    for (int unsigned r = 0; r < Requests; r++) if (grant_o[r]) index_o = index_o | IndexW'(r);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q          <= None;
      last_by_level_q <= None;
    end else if (clk_en_i) begin
      if (wins_i && by_level_i) last_by_level_q <= winner_i;
      if (wins_i && !by_level_i) last_q <= winner_i;
      `IL_ASSERT(grant_is_a_request, ((grant_o & ~request_i) | (grant_o & (grant_o - Requests'(1)))) == '0,
                 "what is granted is no request, or several");
      `IL_ASSERT(request_is_granted, (grant_o != '0) == (request_i != '0), "of the requests none is granted");
    end
  end
endmodule
