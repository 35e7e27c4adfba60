// Interlace: il_ranked_arbiter grants, of the highest rank that is there, the lowest request above the last winner, or else the
// lowest; with and without levels have last winners of their own, which move when someone wins
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module ranked_arbiter_proof (
  input logic       clk_i,
  input logic       by_level_i,
  input logic       wins_i,     // who was granted in the last cycle
  input logic [2:0] request_i,
  input logic [2:0] high_i,
  input logic [5:0] level_i     // [bit][request]
);
  logic rst_q, by_level_q;
  logic [2:0] grant, grant_q, won, wanted;
  logic [2:0] above_q, above_of_levels_q, above;
  logic [2:0] best, rank;
  logic [20:0] ranks;
  logic [1:0] index, index_q;
  initial {rst_q, by_level_q, grant_q, index_q, above_q, above_of_levels_q} = '0;

  il_ranked_arbiter #(.Requests(3)) dut (
    .clk_i, .rst_ni(rst_q), .clk_en_i(1'b1), .by_level_i, .request_i, .high_i, .level_i, .rank_i(ranks), .grant_o(grant), .index_o(index),
    .wins_i(won != '0), .winner_i(index_q)
  );

  assign won = wins_i ? grant_q : '0;
  assign above = by_level_i ? above_of_levels_q : above_q;
  // One after the other, the best so far: a higher rank, or the same and above while that is not.
  always_comb begin
    for (int c = 1; c < 8; c++)
      for (int i = 0; i < 3; i++) ranks[3*(c-1) + i] = {high_i[i], level_i[3+i], level_i[i]} == 3'(c);
  end

  always_comb begin
    wanted = '0;
    best = '0;
    rank = '0;
    for (int i = 0; i < 3; i++) begin
      rank = {high_i[i], by_level_i ? {level_i[3+i], level_i[i]} : 2'd0};
      if (request_i[i] && (wanted == '0 || rank > best || (rank == best && above[i] && (wanted & above) == '0))) begin
        wanted = 3'b1 << i;
        best = rank;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    by_level_q <= by_level_i;
    grant_q <= rst_q ? grant : '0;
    index_q <= index;
    if (rst_q) begin
      assume (!wins_i || by_level_i == by_level_q);  // as in il_pipelined_sink: the turn moves when someone wins
      assert (grant == wanted && (grant == '0 || grant == 3'b1 << index));
      for (int i = 0; i < 3; i++) begin
        if (won[i] && by_level_i) above_of_levels_q <= 3'(4'b1110 << i);
        if (won[i] && !by_level_i) above_q <= 3'(4'b1110 << i);
      end
    end
  end
endmodule
