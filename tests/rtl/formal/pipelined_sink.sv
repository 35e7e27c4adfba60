// Interlace: il_pipelined_sink moves each packet whole and in order, holds to its credits, and starves nobody (docs/node.md,
// section 14)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module pipelined_sink_proof (
  input logic       clk_i,
  input logic [2:0] ask_i,     // sources that have a packet from here on, if they have none ...
  input logic [2:0] long_i,    // ... of two flits instead of one
  input logic       give_i,    // a flit behind the sink leaves
  input logic       prompt_i,  // they leave at once
  input logic       by_level_i,  // whatever the level is, every second winner is by round robin
  input logic [5:0] level_i,
  input logic [1:0] watched_i
);
  localparam int unsigned Depth = 2;
  // From one start to the next: with one packet's room behind the sink, two cycles until its last flit is there, one until that
  // has left and one until its credit counts; then a request and, a cycle later, a nomination.
  localparam int unsigned Turn = 5;
  // A packet waits for what has just started and then for one of each of the two others.
  localparam int unsigned Patience = 3 * Turn + 1;
  localparam int unsigned PatienceBesideHigher = 6 * Turn + 1;  // before each turn of round robin one of a higher level
  logic rst_q, loaded_q, enable_q, prompt_q, by_level_q;
  logic [2:0] waits_q, long_q, begun_q;  // the sources' packets: there, of two flits, the first has moved
  logic [2:0] out_q;                     // flits behind the sink
  logic [1:0] watched_q;
  logic [5:0] waited_q;
  logic valid, error;
  logic [2:0] moves, starts, ends, closes;
  logic [1:0] source, pointer;
  logic [20:0] length, ranks;
  initial {rst_q, loaded_q, enable_q} = '0;

  always_comb begin
    for (int s = 0; s < 3; s++) begin
      length[7*s +: 7] = long_q[s] ? 7'd2 : 7'd1;
      for (int c = 1; c < 8; c++) ranks[3*(c-1) + s] = {1'b0, level_i[3+s], level_i[s]} == 3'(c);
    end
  end

  il_pipelined_sink #(.Sources(3), .Vcs(1), .PtrW(2), .CreditW(3)) dut (
    .clk_i, .rst_ni(rst_q), .clk_en_i(1'b1), .clear_i(1'b0), .enable_i(enable_q), .vcs_i(1'b1), .depth_i(3'(Depth)),
    .cycles_per_flit_i('0), .dynamic_i('0), .escape_channels_i('0), .slot_flits_i(7'd2), .by_credits_i(1'b0), .by_level_i, .round_robin_every_i(8'd2),
    .give_i({6'd0, give_i}), .asks_i(waits_q & ~begun_q), .asks_channels_i('1), .asks_escape_i('0), .asks_enters_i('0),
    .high_i('0), .level_i, .rank_i(ranks), .gone_i('0), .channels_i('1), .escape_i('0), .enters_i('0), .length_i(length), .read_i('0),
    .missing_i('0), .valid_o(valid), .moves_o(moves), .starts_o(starts), .ends_o(ends), .closes_o(closes),
    .vc_o(), .source_o(source), .pointer_o(pointer), .open_o(), .free_o(), .stall_o(), .credit_error_o(error), .all_credits_o()
  );

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    loaded_q <= rst_q;
    enable_q <= loaded_q;
    prompt_q <= prompt_i;
    watched_q <= watched_i;
    by_level_q <= by_level_i;
    if (!enable_q) begin
      {waits_q, begun_q, out_q, waited_q} <= '0;
      assume (!give_i);
    end else begin
      assume (prompt_i == prompt_q && watched_i == watched_q && by_level_i == by_level_q && watched_i != 2'd3);
      assume (!give_i || out_q != '0);
      assume (!prompt_i || give_i == (out_q != '0));
      out_q <= out_q + 3'(valid) - 3'(give_i);
      assert (out_q <= 3'(Depth));
      assert (!error);
      assert (valid == (moves != '0) && (moves & (moves - 3'd1)) == '0);
      assert (((starts | ends | closes) & ~moves) == '0);
      for (int s = 0; s < 3; s++) begin
        if (moves[s]) begin
          assert (source == 2'(s) && waits_q[s]);                           // there is a packet ...
          assert (pointer == {1'b0, begun_q[s]} && starts[s] == !begun_q[s]);  // ... of which this is the next flit ...
          assert (ends[s] == (begun_q[s] || !long_q[s]));                   // ... or the last
          assert (closes[s] == begun_q[s]);
          begun_q[s] <= !ends[s];
          if (ends[s]) waits_q[s] <= 1'b0;
        end else if (!waits_q[s] && ask_i[s]) begin
          waits_q[s] <= 1'b1;
          long_q[s] <= long_i[s];
        end
      end
      if (starts != '0) assert (begun_q == '0);  // a packet's flits follow one another
      waited_q <= waits_q[watched_i] && !moves[watched_i] ? waited_q + 6'd1 : '0;
      if (prompt_i) assert (waited_q < (by_level_i ? 6'(PatienceBesideHigher) : 6'(Patience)));
    end
  end
endmodule
