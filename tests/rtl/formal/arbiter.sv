// Interlace: il_arbiter grants the lowest request above the last winner, or else the lowest, of those of high priority if
// there is one; so it starves none. Of two rounds neither knows of the other
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module arbiter_proof (
  input logic       clk_i,
  input logic       round_i,
  input logic [3:0] request_i,
  input logic [3:0] high_i,
  input logic [1:0] watched_i  // a request that may wait
);
  logic rst_q;
  logic [3:0] grant;
  logic [1:0] watched_q;
  logic [2:0] waited_q;  // cycles of round 0 in which the watched request lost, no other having priority over it
  logic [7:0] above_q;
  logic [3:0] above, eligible, wanted;  // docs/node.md, section 5, step 3: requests above the last winner
  initial rst_q = 1'b0;
  initial above_q = '0;
  initial waited_q = '0;

  il_arbiter #(.Requests(4), .Rounds(2)) dut (.clk_i, .rst_ni(rst_q), .clk_en_i(1'b1), .round_i, .request_i, .high_i, .grant_o(grant));

  assign above = round_i ? above_q[7:4] : above_q[3:0];
  always_comb begin
    eligible = (request_i & high_i) != '0 ? request_i & high_i : request_i;
    wanted = '0;
    for (int i = 3; i >= 0; i--) if (eligible[i]) wanted = 4'b1 << i;
    for (int i = 3; i >= 0; i--) if (eligible[i] && above[i]) wanted = 4'b1 << i;
  end

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    watched_q <= watched_i;
    if (rst_q) begin
      assume (watched_i == watched_q);
      assert (grant == wanted);
      for (int i = 0; i < 4; i++) begin
        if (grant[i] && !round_i) above_q[3:0] <= 4'(5'b11110 << i);
        if (grant[i] && round_i) above_q[7:4] <= 4'(5'b11110 << i);
      end
      assert ((grant & ~request_i) == '0);
      assert ((grant & (grant - 4'd1)) == '0);
      assert ((grant != '0) == (request_i != '0));
      if ((request_i & high_i) != '0) assert ((grant & high_i) != '0);
      // Everyone of equal priority: a request that stays is granted within as many cycles as there are requests.
      if (round_i) waited_q <= waited_q;
      else if (request_i[watched_i] && !grant[watched_i] && (high_i == '0 || high_i == '1)) waited_q <= waited_q + 3'd1;
      else waited_q <= '0;
      assert (waited_q < 3'd4);
    end
  end
endmodule
