// Interlace: once its wires no longer fail, the link layer delivers what it was given within a bounded time, and it is dead only after as many repetitions
// without progress as it is told (docs/links.md, section 3)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// Checked for runs of some cycles from reset on, in which wires without delay lose and damage (a damaged frame's CRC is wrong) until they no longer do.
module link_live_proof (
  input logic        clk_i,
  input logic        slow_i,      // a frame keeps the wire busy for two cycles
  input logic [1:0]  window_i,    // less one
  input logic        store_i,
  input logic        free_i,
  input logic        heal_i,      // from here on nothing fails
  input logic [1:0]  lose_i,
  input logic [1:0]  damage_i
);
  localparam int unsigned SeqBits = 3;
  localparam int unsigned Depth = 4;
  localparam int unsigned Timeout = 8;  // beyond a round trip of five cycles and a busy wire
  localparam int unsigned Attempts = 3;
  localparam int unsigned Refresh = 6;
  // What was said before is said again; a repetition begins when its time has come, is two cycles long for each of at most four frames, ...
  localparam int unsigned Patience = Refresh + Timeout + 2 * Depth + 8;
  localparam int unsigned FrameW = 72;
  localparam int unsigned BackW = 128;

  logic rst_q, healed_q, slow_q;
  logic [1:0] window_q;
  logic frame_valid, back_valid, frame_arrives, back_arrives, delivers, store, dead, dead_q;
  logic [FrameW-1:0] frame;
  logic [BackW-1:0] back;
  logic [6:0] credit;
  logic [2:0] room_q, inside_q, behind_q, sent_q, acked_q, repetitions_q;
  logic [5:0] waited_q;
  logic again;
  initial rst_q = 1'b0;
  assign store = rst_q && store_i && room_q != '0;
  assign frame_arrives = frame_valid && (healed_q || !lose_i[0]);
  assign back_arrives = back_valid && (healed_q || !lose_i[1]);

  il_link #(.FlitBits(FrameW - 64), .Vcs(1), .Depth(Depth), .SeqBits(SeqBits)) dut (
    .clk_i, .rst_ni(rst_q), .window_i(16'(window_q) + 16'd1), .cycles_per_flit_i(slow_q ? 8'd2 : 8'd1), .timeout_i(16'(Timeout)),
    .attempts_i(8'(Attempts)), .refresh_i(16'(Refresh)),
    .link_valid_i(store), .link_vc_i('0), .link_flit_i('0), .credit_o(credit),
    .frame_valid_o(frame_valid), .frame_o(frame), .frame_valid_i(frame_arrives), .frame_i(frame ^ FrameW'(!healed_q && damage_i[0]) << (FrameW - 1)),
    .link_valid_o(delivers), .link_vc_o(), .link_flit_o(), .credit_i(7'(free_i && behind_q != '0)),
    .back_valid_o(back_valid), .back_o(back), .back_valid_i(back_arrives), .back_i(back ^ BackW'(!healed_q && damage_i[1]) << (BackW - 1)),
    .dead_o(dead)
  );

  // A frame that was sent before is sent again though nothing was acknowledged: a repetition has begun where its number is not above the last one's.
  logic sent_before_q;
  logic [SeqBits-1:0] last_q;
  logic progress;
  assign progress = back_arrives && (healed_q || !damage_i[1]) && back[SeqBits-1:0] != acked_q;
  assign again = frame_valid && sent_before_q && frame[SeqBits-1:0] != last_q + 3'd1;

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    if (!rst_q) begin
      {healed_q, dead_q, inside_q, behind_q, acked_q, waited_q, sent_before_q, repetitions_q} <= '0;
      room_q <= 3'(Depth);
      slow_q <= slow_i;
      window_q <= window_i;
    end else begin
      healed_q <= healed_q || heal_i;
      dead_q <= dead;
      room_q <= 3'(7'(room_q) + credit - 7'(store));
      inside_q <= inside_q + 3'(store) - 3'(delivers);
      behind_q <= behind_q + 3'(delivers) - 3'(free_i && behind_q != '0);
      if (back_arrives && (healed_q || !damage_i[1])) acked_q <= back[SeqBits-1:0];
      if (frame_valid) begin
        sent_before_q <= 1'b1;
        last_q <= frame[SeqBits-1:0];
      end
      waited_q <= healed_q && inside_q != '0 && !delivers && !dead ? waited_q + 6'd1 : '0;
    end
  end

  always_comb begin
    if (rst_q) begin
      assume (window_q != 2'd3);
      assert (waited_q < 6'(Patience));
      assert (!dead_q || dead);
    end
  end
endmodule
