// Interlace: round-robin arbitration among the requests of the highest rank: the lowest above the last winner, or else the lowest.
// Arbitration with levels and without have last winners of their own. Whoever is granted wins, or not, in a later cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_ranked_arbiter #(
  parameter int unsigned Requests = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clk_en_i,
  input  logic                  by_level_i,  // ranks are {high, level}, or else high alone
  input  logic [Requests-1:0]   request_i,
  input  logic [Requests-1:0]   high_i,
  input  logic [2*Requests-1:0] level_i,
  output logic [Requests-1:0]   grant_o,     // one-hot where there is a request
  input  logic [Requests-1:0]   won_i        // one-hot, or none: who was granted with `by_level_i` as it is now, and wins
);
  logic [2*Requests-1:0] above_q;  // the requests above the last winner: without levels, with levels
  logic [Requests-1:0] above, eligible, upper;
  logic [7:0] rank;                // which there are
  logic [2:0] highest;

  // Everything of a rank is looked for at once, so that the path is short.
  always_comb begin
    rank = '0;
    highest = '0;
    eligible = '0;
    above = by_level_i ? above_q[Requests +: Requests] : above_q[0 +: Requests];
    if (il_pkg::Always || request_i != '0) begin
      for (int unsigned c = 0; c < 8; c++) begin
        for (int unsigned r = 0; r < Requests; r++)
          if (request_i[r] && {high_i[r], level_i[2*r +: 2]} == 3'(c)) rank[c] = 1'b1;
      end
      for (int unsigned c = 0; c < 8; c++) if (rank[c]) highest = 3'(c);
      for (int unsigned r = 0; r < Requests; r++)
        eligible[r] = request_i[r] && high_i[r] == highest[2] && (!by_level_i || level_i[2*r +: 2] == highest[1:0]);
    end
  end
  assign upper = eligible & above;
  assign grant_o = upper != '0 ? upper & (~upper + Requests'(1)) : eligible & (~eligible + Requests'(1));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      above_q <= '0;
    end else if (clk_en_i) begin
      if (won_i != '0) begin
        if (by_level_i) above_q[Requests +: Requests] <= ~(won_i | (won_i - Requests'(1)));
        else above_q[0 +: Requests] <= ~(won_i | (won_i - Requests'(1)));
      end
      assert (((grant_o & ~request_i) | (grant_o & (grant_o - Requests'(1)))) == '0);
      assert ((grant_o != '0) == (request_i != '0));
      assert ((won_i & (won_i - Requests'(1))) == '0);
    end
  end
endmodule
