// Interlace: both ends of a directed link, with no wire between them (docs/links.md, section 1)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_parameters.svh"
module il_link #(
  `IL_LINK,
  parameter int unsigned Depth = 512
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // The sender's.
  input  logic [15:0]            window_i,
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
  output logic                   dead_o,
  // The receiver's.
  input  logic [15:0]            refresh_i,
  input  logic                   frame_valid_i,
  input  logic [FrameW-1:0]      frame_i,
  output logic                   link_valid_o,
  output logic [VcW-1:0]         link_vc_o,
  output logic [FlitW-1:0]       link_flit_o,
  input  logic [Vcs*CreditW-1:0] credit_i,
  output logic                   back_valid_o,
  output logic [BackW-1:0]       back_o
);
  il_link_sender #(`IL_PASS_LINK, .Depth(Depth)) i_sender (
    .clk_i,
    .rst_ni,
    .window_i,
    .cycles_per_flit_i,
    .timeout_i,
    .attempts_i,
    .link_valid_i,
    .link_vc_i,
    .link_flit_i,
    .credit_o,
    .frame_valid_o,
    .frame_o,
    .back_valid_i,
    .back_i,
    .dead_o
  );
  il_link_receiver #(`IL_PASS_LINK) i_receiver (
    .clk_i,
    .rst_ni,
    .refresh_i,
    .frame_valid_i,
    .frame_i,
    .link_valid_o,
    .link_vc_o,
    .link_flit_o,
    .credit_i,
    .back_valid_o,
    .back_o
  );
endmodule
