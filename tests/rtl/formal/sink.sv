// Interlace: il_sink moves each packet whole and in order, holds to its credits, and starves nobody (docs/node.md, section 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module sink_proof (
  input logic       clk_i,
  input logic [2:0] ask_i,     // sources that have a packet from here on, if they have none ...
  input logic [2:0] long_i,    // ... of two flits instead of one
  input logic       wormhole_i,
  input logic       give_i,    // a flit behind the sink leaves
  input logic       prompt_i,  // they leave at once, and packets are of one length (a longer one may starve: section 5, step 3):
  input logic       equal_i,   // two flits
  input logic       by_level_i,  // whatever the level is, every second winner is by round robin
  input logic [5:0] level_i,
  input logic [1:0] watched_i
);
  localparam int unsigned Depth = 2;
  // A packet waits for one of each of the two others: two flits, and two cycles until their credits are back. The one that
  // moves when it comes has at most as much to do, and its own credits may still be out for two cycles.
  localparam int unsigned Patience = 2 * 3 + 1;
  localparam int unsigned PatienceBesideHigher = 5 * 3 + 1;  // round robin's two others, and before each turn of it one of a higher level
  logic rst_q, loaded_q, enable_q, wormhole_q, prompt_q, equal_q, by_level_q;
  logic [2:0] waits_q, long_q, begun_q;  // the sources' packets: there, of two flits, the first has moved
  logic [2:0] out_q;                     // flits behind the sink
  logic [1:0] watched_q;
  logic [4:0] waited_q;
  logic valid, start, finish, error;
  logic [1:0] source, pointer;
  logic [20:0] length;
  logic [5:0] write;
  initial {rst_q, loaded_q, enable_q} = '0;

  always_comb begin
    for (int s = 0; s < 3; s++) begin
      length[7*s +: 7] = long_q[s] ? 7'd2 : 7'd1;
      write[2*s +: 2] = long_q[s] ? 2'd2 : 2'd1;
    end
  end

  il_sink #(.Sources(3), .Vcs(1), .PtrW(2), .CreditW(3)) dut (
    .clk_i, .rst_ni(rst_q), .clk_en_i(1'b1), .clear_i(1'b0), .enable_i(enable_q), .wormhole_i, .vcs_i(1'b1),
    .depth_i(3'(Depth)), .cycles_per_flit_i('0),
    .dynamic_i('0), .slot_flits_i('0), .by_credits_i(1'b0), .by_level_i, .round_robin_every_i(8'd2), .level_i, .free_o(),
    .give_i({6'd0, give_i}), .want_i(waits_q & ~begun_q), .high_i('0), .length_i(length),
    .channels_i('1), .escape_i('0), .enters_i('0), .read_i('0), .write_i(write), .valid_o(valid), .start_o(start),
    .finish_o(finish), .vc_o(), .source_o(source), .pointer_o(pointer), .open_o(), .stall_o(),
    .credit_error_o(error), .all_credits_o()
  );

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    loaded_q <= rst_q;
    enable_q <= loaded_q;
    wormhole_q <= wormhole_i;
    prompt_q <= prompt_i;
    equal_q <= equal_i;
    watched_q <= watched_i;
    by_level_q <= by_level_i;
    if (!enable_q) begin
      {waits_q, begun_q, out_q, waited_q} <= '0;
      assume (!give_i);
    end else begin
      assume (wormhole_i == wormhole_q && prompt_i == prompt_q && equal_i == equal_q && watched_i == watched_q && by_level_i == by_level_q && watched_i != 2'd3);
      assume (!give_i || out_q != '0);
      assume (!prompt_i || long_i == {3{equal_i}});
      assume (!prompt_i || give_i == (out_q != '0));
      out_q <= out_q + 3'(valid) - 3'(give_i);
      assert (out_q <= 3'(Depth));
      assert (!error);
      assert (!(start && !valid) && !(finish && !valid));
      for (int s = 0; s < 3; s++) begin
        if (valid && source == 2'(s)) begin
          assert (waits_q[s]);                                          // there is a packet ...
          assert (pointer == {1'b0, begun_q[s]} && start == !begun_q[s]);  // ... of which this is the next flit ...
          assert (finish == (begun_q[s] || !long_q[s]));                // ... or the last
          begun_q[s] <= !finish;
          if (finish) waits_q[s] <= 1'b0;
        end else if (!waits_q[s] && ask_i[s]) begin
          waits_q[s] <= 1'b1;
          long_q[s] <= long_i[s];
        end
      end
      // A packet's flits follow one another; worms share the link.
      if (!wormhole_i && valid && start) assert (begun_q == '0);
      waited_q <= waits_q[watched_i] && !(valid && source == watched_i) ? waited_q + 5'd1 : '0;
      if (prompt_i) assert (waited_q < (by_level_i ? 5'(PatienceBesideHigher) : 5'(Patience)));
    end
  end
endmodule
