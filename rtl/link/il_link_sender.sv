// Interlace: keeps what a node sends until it has come, and sends it again where it has not (docs/links.md, section 3)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
`include "il_parameters.svh"
module il_link_sender #(
  `IL_LINK,
  parameter int unsigned Depth = 512  // frames in the buffer: a power of two, at least 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [15:0]            window_i,   // constant from reset on, as the next three
  input  logic [7:0]             cycles_per_flit_i,
  input  logic [15:0]            timeout_i,
  input  logic [7:0]             attempts_i,
  input  logic                   link_valid_i,
  input  logic [VcW-1:0]         link_vc_i,
  input  logic [FlitW-1:0]       link_flit_i,
  output logic [Vcs*CreditW-1:0] credit_o,
  output logic                   frame_valid_o,
  output logic [FrameW-1:0]      frame_o,
  input  logic                   back_valid_i,
  input  logic [BackW-1:0]       back_i,
  output logic                   dead_o
);
  localparam int unsigned PlaceW = $clog2(Depth);

  if (FlitBits < 8 || FlitBits > 16320 || FlitBits % 8 != 0) begin : gen_bad_flit_bits
    $error("il_link_sender: FlitBits is %0d, expected a multiple of 8, at most 16320", FlitBits);
  end
  if (Vcs < 1 || Vcs > 4) begin : gen_bad_vcs
    $error("il_link_sender: Vcs is %0d, expected 1 to 4", Vcs);
  end
  if (SeqBits < 2 || SeqBits > 16) begin : gen_bad_seq_bits
    $error("il_link_sender: SeqBits is %0d, expected 2 to 16", SeqBits);
  end
  if (Depth < 2 || Depth > 1 << (SeqBits - 1) || (Depth & (Depth - 1)) != 0) begin : gen_bad_depth
    $error("il_link_sender: Depth is %0d, expected a power of two, 2 to %0d", Depth, 1 << (SeqBits - 1));
  end

  logic [SeqBits-1:0] head_q;    // to be stored next
  logic [SeqBits-1:0] acked_q;   // the oldest that is not acknowledged
  logic [SeqBits-1:0] sent_q;    // beyond the last that was ever sent
  logic [SeqBits-1:0] next_q;    // to be sent next
  logic [SeqBits-1:0] number_q;  // of the frame on frame_o
  logic [SeqBits-1:0] expected, acked_d, in_flight, after, behind;
  logic [7:0] epoch_q, epoch_of_frame_q, busy_q, attempts_q, attempts_d;
  logic [15:0] timer_q, timer_d;
  logic [31:0] back_crc, crc;
  logic heeded, progress, waits, renewed, expired, rewinds, sends;

  // What a backward frame says.
  il_crc #(.Width(BackW - 32)) i_back_crc (.data_i(back_i[BackW-33:0]), .crc_o(back_crc));
  assign expected = back_i[SeqBits-1:0];
  assign heeded = back_valid_i && back_crc == back_i[BackW-1 -: 32] && expected - acked_q <= sent_q - acked_q;
  assign acked_d = heeded ? expected : acked_q;
  assign progress = acked_d != acked_q;
  assign waits = acked_d != sent_q;
  assign renewed = heeded && back_i[23:16] != epoch_q;

  // When all that waits is sent again.
  assign timer_d = timer_q + 16'd1;
  assign expired = waits && !progress && !renewed && timer_d == timeout_i;
  assign rewinds = renewed || expired;
  assign attempts_d = (progress ? 8'd0 : attempts_q) + 8'(rewinds && waits);

  // What is sent next; an acknowledgement that overtakes a repetition saves the rest of it.
  assign in_flight = next_q - acked_q;
  assign sends = !dead_o && busy_q == '0 && next_q != head_q && 16'(in_flight) < window_i && !rewinds;
  assign after = next_q + SeqBits'(sends);
  assign behind = acked_d - after;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {head_q, acked_q, sent_q, next_q} <= '0;
      {epoch_q, busy_q, timer_q, attempts_q} <= '0;
      dead_o <= 1'b0;
    end else begin
      if (link_valid_i) head_q <= head_q + SeqBits'(1);
      acked_q <= acked_d;
      if (sends && next_q == sent_q) sent_q <= after;
      next_q <= rewinds || (behind != '0 && !behind[SeqBits-1]) ? acked_d : after;
      if (renewed) epoch_q <= back_i[23:16];
      timer_q <= waits && !progress && !rewinds ? timer_d : '0;
      attempts_q <= attempts_d;
      if (rewinds && waits && attempts_d == attempts_i) dead_o <= 1'b1;
      if (sends) busy_q <= cycles_per_flit_i - 8'd1;
      else if (busy_q != '0) busy_q <= busy_q - 8'd1;
    end
  end

  // The frame: what it repeats comes out of the buffer, its CRC is made on the way.
  logic [VcW-1:0] vc;
  logic [FlitW-1:0] flit;
  logic [FrameW-33:0] body;
  il_memory #(.Width(VcW + FlitW), .Depth(Depth)) i_buffer (
    .clk_i,
    .clk_en_i       (1'b1),
    .write_i        (link_valid_i),
    .write_address_i(head_q[PlaceW-1:0]),
    .data_i         ({link_vc_i, link_flit_i}),
    .read_i         (sends),
    .address_i      (next_q[PlaceW-1:0]),
    .data_o         ({vc, flit})
  );
  always_ff @(posedge clk_i) begin
    frame_valid_o <= rst_ni && sends;
    number_q <= next_q;
    epoch_of_frame_q <= epoch_q;
  end
  assign body = {flit[FlitBits-1:0], 4'd0, flit[FlitW-1 -: 2], vc, epoch_of_frame_q, 16'(number_q)};
  il_crc #(.Width(FrameW - 32)) i_crc (.data_i(body), .crc_o(crc));
  assign frame_o = frame_valid_o ? {crc, body} : '0;

  // Freed since the last that was heeded, and not yet told.
  for (genvar v = 0; v < Vcs; v++) begin : gen_credits
    logic [15:0] seen_q, owed_q, freed;
    logic [CreditW-1:0] given;
    assign freed = back_i[32 + 16*v +: 16];
    assign given = owed_q > 16'd127 ? '1 : owed_q[CreditW-1:0];
    assign credit_o[v*CreditW +: CreditW] = given;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {seen_q, owed_q} <= '0;
      end else begin
        owed_q <= owed_q - 16'(given) + (heeded ? freed - seen_q : '0);
        if (heeded) seen_q <= freed;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `IL_ASSERT(numbers_are_in_order, in_flight <= sent_q - acked_q && sent_q - acked_q <= head_q - acked_q,
                 "the numbers acknowledged, to be sent next, ever sent and stored are not in this order");
      if (link_valid_i) `IL_ASSERT(store_has_room, (head_q - acked_q) < SeqBits'(Depth), "a flit comes while the buffer is full");
    end
  end
endmodule
