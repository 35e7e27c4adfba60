// Interlace: passes on what comes unharmed and in its turn, asks for what does not, and says what was freed (docs/links.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_parameters.svh"
module il_link_receiver #(
  `IL_LINK
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [15:0]            refresh_i,  // constant from reset on
  input  logic                   frame_valid_i,
  input  logic [FrameW-1:0]      frame_i,
  output logic                   link_valid_o,
  output logic [VcW-1:0]         link_vc_o,
  output logic [FlitW-1:0]       link_flit_o,
  input  logic [Vcs*CreditW-1:0] credit_i,
  output logic                   back_valid_o,
  output logic [BackW-1:0]       back_o
);

  if (FlitBits < 8 || FlitBits > 16320 || FlitBits % 8 != 0) begin : gen_bad_flit_bits
    $error("il_link_receiver: FlitBits is %0d, expected a multiple of 8, at most 16320", FlitBits);
  end
  if (Vcs < 1 || Vcs > 4) begin : gen_bad_vcs
    $error("il_link_receiver: Vcs is %0d, expected 1 to 4", Vcs);
  end
  if (SeqBits < 2 || SeqBits > 16) begin : gen_bad_seq_bits
    $error("il_link_receiver: SeqBits is %0d, expected 2 to 16", SeqBits);
  end

  logic [SeqBits-1:0] expected_q, ahead;
  logic [7:0] epoch_q;
  logic awaiting_q;      // a frame of this epoch, or the one expected
  logic dirty_q;         // something changed in the last cycle
  logic [15:0] since_q;  // the last backward frame, cycles
  logic [Vcs*16-1:0] freed_q;
  logic [31:0] crc, back_crc;
  logic [BackW-33:0] state;
  logic right, arrives, lost, says;

  // A frame is the one expected, or it has been here before, or there is one missing.
  il_crc #(.Width(FrameW - 32)) i_crc (.data_i(frame_i[FrameW-33:0]), .crc_o(crc));
  assign right = crc == frame_i[FrameW-1 -: 32];
  assign ahead = frame_i[SeqBits-1:0] - expected_q;
  assign arrives = frame_valid_i && right && ahead == '0;
  always_comb begin
    lost = frame_valid_i && !awaiting_q;
    if (right) lost = frame_valid_i && ahead != '0 && !ahead[SeqBits-1] && (!awaiting_q || frame_i[23:16] == epoch_q);
  end

  // What is said, when something changed or nothing was said for long.
  assign says = dirty_q || since_q == refresh_i - 16'd1;
  assign state = {64'(freed_q), 8'd0, epoch_q, 16'(expected_q)};
  il_crc #(.Width(BackW - 32)) i_back_crc (.data_i(state), .crc_o(back_crc));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {expected_q, epoch_q, since_q, freed_q} <= '0;
      {awaiting_q, dirty_q, link_valid_o, back_valid_o} <= '0;
      {link_vc_o, link_flit_o, back_o} <= '0;
    end else begin
      expected_q <= expected_q + SeqBits'(arrives);
      epoch_q <= epoch_q + 8'(lost);
      awaiting_q <= lost || (awaiting_q && !arrives);
      dirty_q <= arrives || lost || credit_i != '0;
      since_q <= says ? '0 : since_q + 16'd1;
      for (int unsigned v = 0; v < Vcs; v++) freed_q[16*v +: 16] <= freed_q[16*v +: 16] + 16'(credit_i[v*CreditW +: CreditW]);
      link_valid_o <= arrives;
      link_vc_o <= arrives ? frame_i[24 +: VcW] : '0;
      link_flit_o <= arrives ? {frame_i[27:26], frame_i[32 +: FlitBits]} : '0;
      back_valid_o <= says;
      back_o <= says ? {back_crc, state} : '0;
    end
  end
endmodule
