// Interlace: over wires that lose and damage any frame, the link layer delivers what it was given, once, in order and as it was, and credits likewise
// (docs/links.md, sections 3 and 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// Assumed: a damaged frame's CRC is wrong, and frames do not overtake one another. The pins that are constant in a network are free in every cycle here, the
// window up to the largest: so a repetition may begin, the wire be free, the receiver say its state and the link die at any time.
module link_proof (
  input logic        clk_i,
  input logic [15:0] window_i,
  input logic [7:0]  cycles_per_flit_i,
  input logic [15:0] timeout_i,
  input logic [7:0]  attempts_i,
  input logic [15:0] refresh_i,
  input logic        store_i,      // the node sends this
  input logic [2:0]  tag_i,
  input logic        mark_i,       // ... which is watched
  input logic [2:0]  free_i,       // flits that leave the channel behind the link
  input logic [1:0]  lose_i,       // the frame that enters the forward, the backward wire,
  input logic [1:0]  damage_i,     // ... and that leaves it: then it is this
  input logic [39:0] frame_i,
  input logic [95:0] back_i,
  input logic [1:0]  hold_i        // the oldest stays in the wire
);
  localparam int unsigned SeqBits = 3;
  localparam int unsigned Depth = 4;
  localparam int unsigned Window = 3;
  localparam int unsigned FrameW = 72;  // 8 bits of data
  localparam int unsigned BackW = 128;

  logic rst_q;
  initial rst_q = 1'b0;
  always_ff @(posedge clk_i) rst_q <= 1'b1;

  logic store, frame_valid, frame_arrives, frame_damaged, back_valid, back_arrives, back_damaged, delivers;
  logic [FrameW-1:0] frame;
  logic [FrameW-33:0] frame_in_wire, frame_at_end;
  logic [BackW-1:0] back;
  logic [BackW-33:0] back_in_wire, back_at_end;
  logic [31:0] frame_crc, frame_crc_at_end, back_crc, back_crc_at_end;
  logic [1:0] vc, tail_and_head;
  logic [7:0] data;
  logic [6:0] credit;
  logic [2:0] tag;
  logic [1:0] frames, backs;             // in a wire
  logic [FrameW-33:0] first, second;     // the forward one
  logic [BackW-33:0] older, younger;     // the backward one
  assign tag = {vc[0], tail_and_head[0], data[0]};

  il_link #(.FlitBits(FrameW - 64), .Vcs(1), .Depth(Depth), .SeqBits(SeqBits)) dut (
    .clk_i, .rst_ni(rst_q), .window_i, .cycles_per_flit_i, .timeout_i, .attempts_i, .refresh_i,
    .link_valid_i(store), .link_vc_i({1'b0, tag_i[2]}), .link_flit_i({1'b0, tag_i[1], 7'd0, tag_i[0]}), .credit_o(credit),
    .frame_valid_o(frame_valid), .frame_o(frame),
    .back_valid_i(back_arrives), .back_i({back_crc_at_end ^ 32'(back_damaged), back_at_end}), .dead_o(),
    .frame_valid_i(frame_arrives), .frame_i({frame_crc_at_end ^ 32'(frame_damaged), frame_at_end}),
    .link_valid_o(delivers), .link_vc_o(vc), .link_flit_o({tail_and_head, data}), .credit_i(7'(free_i)),
    .back_valid_o(back_valid), .back_o(back)
  );
  link_wire #(.Width(FrameW - 32)) i_forward (
    .clk_i, .rst_ni(rst_q), .valid_i(frame_valid && !lose_i[0]), .frame_i(frame[FrameW-33:0]), .hold_i(hold_i[0]), .valid_o(frame_arrives),
    .frame_o(frame_in_wire), .count_o(frames), .frames_o({second, first})
  );
  link_wire #(.Width(BackW - 32)) i_backward (
    .clk_i, .rst_ni(rst_q), .valid_i(back_valid && !lose_i[1]), .frame_i(back[BackW-33:0]), .hold_i(hold_i[1]), .valid_o(back_arrives),
    .frame_o(back_in_wire), .count_o(backs), .frames_o({younger, older})
  );
  // The wires carry frames without CRCs, which are made again where they end, wrong for a damaged one.
  assign frame_at_end = frame_damaged ? frame_i : frame_in_wire;
  assign back_at_end = back_damaged ? back_i : back_in_wire;
  assign frame_damaged = damage_i[0];
  assign back_damaged = damage_i[1];
  il_crc #(.Width(FrameW - 32)) i_frame_crc (.data_i(frame[FrameW-33:0]), .crc_o(frame_crc));
  il_crc #(.Width(FrameW - 32)) i_frame_crc_at_end (.data_i(frame_at_end), .crc_o(frame_crc_at_end));
  il_crc #(.Width(BackW - 32)) i_back_crc (.data_i(back[BackW-33:0]), .crc_o(back_crc));
  il_crc #(.Width(BackW - 32)) i_back_crc_at_end (.data_i(back_at_end), .crc_o(back_crc_at_end));

  // What the nodes see: room for flits, those under way, one of which is marked, those that have come and not left, credits under way.
  logic [2:0] room_q, inside_q, behind_q, before_q, mark_q;
  logic [15:0] owing_q;
  logic watching_q;
  assign store = rst_q && store_i && room_q != '0;

  // What the link knows.
  (* hierconn *) logic [SeqBits-1:0] \dut.i_sender.head_q , \dut.i_sender.acked_q , \dut.i_sender.sent_q , \dut.i_sender.next_q , \dut.i_receiver.expected_q ;
  (* hierconn *) logic [15:0] \dut.i_receiver.freed_q , \dut.i_sender.gen_credits[0].seen_q , \dut.i_sender.gen_credits[0].owed_q ;
  (* hierconn *) logic [11:0] \dut.i_sender.i_buffer.mem[0] , \dut.i_sender.i_buffer.mem[1] , \dut.i_sender.i_buffer.mem[2] , \dut.i_sender.i_buffer.mem[3] ;
  logic [11:0] stored;  // where the marked flit is
  always_comb begin
    case (marked_q[1:0])
      2'd0: stored = \dut.i_sender.i_buffer.mem[0] ;
      2'd1: stored = \dut.i_sender.i_buffer.mem[1] ;
      2'd2: stored = \dut.i_sender.i_buffer.mem[2] ;
      default: stored = \dut.i_sender.i_buffer.mem[3] ;
    endcase
  end
  logic [SeqBits-1:0] head, acked, sent, expected, marked_q;
  logic [15:0] freed, seen, owed;
  assign head = \dut.i_sender.head_q ;
  assign acked = \dut.i_sender.acked_q ;
  assign sent = \dut.i_sender.sent_q ;
  assign expected = \dut.i_receiver.expected_q ;
  assign freed = \dut.i_receiver.freed_q ;
  assign seen = \dut.i_sender.gen_credits[0].seen_q ;
  assign owed = \dut.i_sender.gen_credits[0].owed_q ;

  // A frame under way was here before or is expected soon, has been sent, and is the marked flit if it says so.
  function automatic logic [15:0] place_of(input logic [FrameW-33:0] one);
    place_of = 16'(SeqBits'(one[SeqBits-1:0] + SeqBits'(Window) - expected));
  endfunction
  function automatic logic sound(input logic [FrameW-33:0] one);
    sound = place_of(one) < 16'(Window) + 16'(SeqBits'(sent - expected)) &&
        (!watching_q || one[SeqBits-1:0] != marked_q || {one[24], one[26], one[32]} == mark_q);
  endfunction
  // When the one behind was sent, nothing beyond its window had been.
  function automatic logic in_turn(input logic [FrameW-33:0] one, input logic [FrameW-33:0] behind);
    in_turn = place_of(one) < place_of(behind) + 16'(Window);
  endfunction
  // What was said, and later: as many as had been freed had come, and no total is smaller.
  function automatic logic true_then(input logic [SeqBits-1:0] number, input logic [15:0] freed_then);
    true_then = freed - freed_then <= 16'(Depth) && come - freed_then >= 16'(SeqBits'(expected - number));
  endfunction
  function automatic logic later(input logic [BackW-33:0] back, input logic [SeqBits-1:0] number, input logic [15:0] freed_then);
    later = expected - back[SeqBits-1:0] <= expected - number && freed - back[47:32] <= freed - freed_then &&
        true_then(back[SeqBits-1:0], back[47:32]);
  endfunction
  logic [15:0] come;
  assign come = freed + 16'(behind_q) + 16'(delivers);

  always_ff @(posedge clk_i) begin
    if (!rst_q) begin
      room_q <= 3'(Depth);
      {inside_q, behind_q, owing_q, watching_q} <= '0;
    end else begin
      room_q <= 3'(7'(room_q) + credit - 7'(store));
      inside_q <= inside_q + 3'(store) - 3'(delivers);
      behind_q <= behind_q + 3'(delivers) - free_i;
      owing_q <= owing_q + 16'(free_i) - 16'(credit);
      if (watching_q && delivers) begin
        if (before_q == '0) watching_q <= 1'b0;
        before_q <= before_q - 3'd1;
      end else if (!watching_q && store && mark_i) begin
        watching_q <= 1'b1;
        mark_q <= tag_i;
        marked_q <= head;
        before_q <= inside_q - 3'(delivers);
      end
    end
  end

  // Assertions of a clocked block would be those of the cycle before: of no use to one another.
  always_comb begin
    if (rst_q) begin
      assume (window_i >= 16'd1 && window_i <= 16'(Window));
      assume (free_i <= behind_q + 3'(delivers));
      // Nothing comes that has not been sent, nothing comes twice, the marked flit comes in its turn and unharmed.
      assert (!delivers || inside_q != '0);
      if (watching_q && delivers && before_q == '0) assert (tag == mark_q);
      assert (16'(credit) <= owing_q);  // no more credits than flits have left
      assert (frame[FrameW-1 -: 32] == frame_crc || !frame_valid);
      assert (back[BackW-1 -: 32] == back_crc || !back_valid);
      // acked <= expected <= sent <= head, and no further apart than the window and the buffer.
      assert (expected - acked <= sent - acked && sent - acked <= head - acked);
      assert (16'(SeqBits'(sent - acked)) <= 16'(Window) && 16'(SeqBits'(head - acked)) <= 16'(Depth));

      assert (SeqBits'(\dut.i_sender.next_q - acked) <= sent - acked);

      // From here on why: what the proof goes by.
      assert (SeqBits'(inside_q) == SeqBits'(head - expected + SeqBits'(delivers)));
      assert (16'(room_q) + 16'(inside_q) + 16'(behind_q) + owing_q == 16'(Depth));
      assert (room_q <= 3'(Depth) && inside_q <= 3'(Depth) && behind_q <= 3'(Depth) && owing_q <= 16'(Depth));
      assert (owing_q == owed + (freed - seen) && owed <= 16'(Depth));
      if (watching_q) assert (before_q < inside_q && SeqBits'(before_q) == SeqBits'(marked_q - expected + SeqBits'(delivers)));
      if (watching_q) assert ({stored[10], stored[8], stored[0]} == mark_q);
      if (frame_valid) assert (sound(frame[FrameW-33:0]));
      if (frames >= 2'd1) assert (sound(first));
      if (frames >= 2'd2) assert (sound(second) && in_turn(first, second));
      if (frames >= 2'd1 && frame_valid) assert (in_turn(first, frame[FrameW-33:0]));
      if (frames >= 2'd2 && frame_valid) assert (in_turn(second, frame[FrameW-33:0]));
      assert (true_then(acked, seen));
      if (backs >= 2'd1) assert (later(older, acked, seen));
      if (backs >= 2'd2) assert (later(younger, older[SeqBits-1:0], older[47:32]));
      if (back_valid && backs == 2'd0) assert (later(back[BackW-33:0], acked, seen));
      if (back_valid && backs == 2'd1) assert (later(back[BackW-33:0], older[SeqBits-1:0], older[47:32]));
      if (back_valid && backs == 2'd2) assert (later(back[BackW-33:0], younger[SeqBits-1:0], younger[47:32]));
    end
  end
endmodule

// Two frames at most in order, none delayed, or each for any time. (So are all delays of 0 to 2 cycles.)
module link_wire #(
  parameter int unsigned Width = 8
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               valid_i,
  input  logic [Width-1:0]   frame_i,
  input  logic               hold_i,
  output logic               valid_o,
  output logic [Width-1:0]   frame_o,
  output logic [1:0]         count_o,
  output logic [2*Width-1:0] frames_o  // the oldest first
);
  logic [1:0] after;
  assign valid_o = (valid_i || count_o != '0) && (!hold_i || count_o == 2'd2);
  assign frame_o = count_o == '0 ? frame_i : frames_o[0 +: Width];
  assign after = count_o - 2'(valid_o && count_o != '0);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_o <= '0;
    end else begin
      count_o <= count_o + 2'(valid_i) - 2'(valid_o);
      if (valid_o && count_o != '0) frames_o[0 +: Width] <= frames_o[Width +: Width];
      if (valid_i && after == 2'd0) frames_o[0 +: Width] <= frame_i;
      if (valid_i && after == 2'd1) frames_o[Width +: Width] <= frame_i;
    end
  end
endmodule
