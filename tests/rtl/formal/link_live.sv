// Interlace: once its wires no longer fail, the link layer delivers what it was given and brings credits home within a bounded time, and it is dead only after as
// many repetitions without progress as it is told (docs/links.md, sections 3 and 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// For runs of some cycles from reset on, over wires without delay. Assumed: a damaged frame's CRC is wrong.
module link_live_proof (
  input logic        clk_i,
  input logic        narrow_i,  // a window of one frame, not two
  input logic        store_i,
  input logic        free_i,
  input logic        heal_i,    // from here on nothing fails
  input logic [1:0]  lose_i,    // the frame on the forward, the backward wire
  input logic [1:0]  damage_i
);
  localparam int unsigned Depth = 2;
  localparam int unsigned Timeout = 6;  // the first in which the acknowledgement of the next frame is heeded
  localparam int unsigned Attempts = 2;
  localparam int unsigned Refresh = 2;
  // Of a flit, found by trying: one cycle less is not enough.
  localparam int unsigned Patience = Timeout + 4;
  localparam int unsigned PatienceForCredits = Refresh + 2;
  localparam int unsigned FrameW = 72;
  localparam int unsigned BackW = 128;

  logic rst_q, healed_q, narrow_q;
  logic frame_valid, frame_damaged, back_valid, back_damaged, delivers, store, frees, dead, dead_q;
  logic [FrameW-1:0] frame;
  logic [BackW-1:0] back;
  logic [6:0] credit;
  logic [1:0] room_q, inside_q, behind_q, owing_q, repetitions_q;
  logic [4:0] waited_q, waited_for_credits_q;
  initial rst_q = 1'b0;
  assign store = rst_q && store_i && room_q != '0;
  assign frees = free_i && behind_q != '0;
  assign frame_damaged = !healed_q && damage_i[0];
  assign back_damaged = !healed_q && damage_i[1];

  il_link #(.FlitBits(FrameW - 64), .Vcs(1), .Depth(Depth), .SeqBits(3)) dut (
    .clk_i, .rst_ni(rst_q), .window_i(narrow_q ? 16'd1 : 16'd2), .cycles_per_flit_i(8'd1), .timeout_i(16'(Timeout)),
    .attempts_i(8'(Attempts)), .refresh_i(16'(Refresh)),
    .link_valid_i(store), .link_vc_i('0), .link_flit_i('0), .credit_o(credit),
    .frame_valid_o(frame_valid), .frame_o(frame),
    .frame_valid_i(frame_valid && (healed_q || !lose_i[0])), .frame_i({frame[FrameW-1] ^ frame_damaged, frame[FrameW-2:0]}),
    .link_valid_o(delivers), .link_vc_o(), .link_flit_o(), .credit_i(7'(frees)),
    .back_valid_o(back_valid), .back_o(back),
    .back_valid_i(back_valid && (healed_q || !lose_i[1])), .back_i({back[BackW-1] ^ back_damaged, back[BackW-2:0]}), .dead_o(dead)
  );
  (* hierconn *) logic \dut.i_sender.rewinds , \dut.i_sender.waits , \dut.i_sender.progress ;

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    if (!rst_q) begin
      {healed_q, dead_q, inside_q, behind_q, owing_q, waited_q, waited_for_credits_q, repetitions_q} <= '0;
      room_q <= 2'(Depth);
      narrow_q <= narrow_i;
    end else begin
      healed_q <= healed_q || heal_i;
      dead_q <= dead;
      room_q <= 2'(7'(room_q) + credit - 7'(store));
      inside_q <= inside_q + 2'(store) - 2'(delivers);
      behind_q <= behind_q + 2'(delivers) - 2'(frees);
      owing_q <= 2'(7'(owing_q) + 7'(frees) - credit);
      waited_q <= healed_q && inside_q != '0 && !delivers && !dead ? waited_q + 5'd1 : '0;
      waited_for_credits_q <= healed_q && owing_q != '0 && credit == '0 ? waited_for_credits_q + 5'd1 : '0;
      // Of what is not acknowledged, since something was.
      if (!dead) repetitions_q <= (\dut.i_sender.progress ? 2'd0 : repetitions_q) + 2'(\dut.i_sender.rewinds && \dut.i_sender.waits );
    end
  end

  always_comb begin
    if (rst_q) begin
      assert (waited_q <= 5'(Patience));
      assert (waited_for_credits_q <= 5'(PatienceForCredits));
      assert (dead || !dead_q);
      if (dead && !dead_q) assert (repetitions_q == 2'(Attempts));
    end
  end
endmodule
