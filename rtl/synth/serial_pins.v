// Interlace: a node whose pins outnumber a chip's: what its inputs show comes in bit by bit, and what its outputs show leaves folded
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// Every pin of the node begins or ends in a register, so the paths that are timed are the node's. Each output changes what leaves.
module serial_pins #(
  parameter Ports = 2,
  parameter Vcs = 2,
  parameter Injections = 1,
  parameter Receptions = 1,
  parameter FlitBits = 64
) (
  input  clk_i,
  input  rst_ni,
  input  serial_i,
  output serial_o
);
  localparam FlitW = FlitBits + 2;
  localparam Ins = 1 + 1 + 1 + 16 + 32 + Ports * (1 + 2 + FlitW + Vcs * 7) + Injections * (1 + FlitW) + Receptions;
  localparam Outs = 32 + Ports * (1 + 2 + FlitW + Vcs * 7) + Injections * 7 + Receptions * (1 + FlitW + 16) + Ports + Receptions + 6;
  reg [Ins-1:0] in_q;
  reg [Outs-1:0] out_q;
  reg rst_nq;
  wire [Outs-1:0] out;

  always @(posedge clk_i) begin
    rst_nq <= rst_ni;
    in_q <= {in_q[Ins-2:0], serial_i};
    out_q <= {out_q[Outs-2:0], out_q[Outs-1]} ^ out;
  end
  assign serial_o = out_q[Outs-1];

  wire clk_en, cfg_valid, cfg_read;
  wire [15:0] cfg_addr;
  wire [31:0] cfg_data;
  wire [Ports-1:0] link_valid;
  wire [Ports*2-1:0] link_vc;
  wire [Ports*FlitW-1:0] link_flit;
  wire [Ports*Vcs*7-1:0] credit;
  wire [Injections-1:0] inj_valid;
  wire [Injections*FlitW-1:0] inj_flit;
  wire [Receptions-1:0] rx_ready;
  assign {clk_en, cfg_valid, cfg_read, cfg_addr, cfg_data, link_valid, link_vc, link_flit, credit, inj_valid, inj_flit, rx_ready} = in_q;

  wire [31:0] cfg_out;
  wire [Ports-1:0] link_valid_out;
  wire [Ports*2-1:0] link_vc_out;
  wire [Ports*FlitW-1:0] link_flit_out;
  wire [Ports*Vcs*7-1:0] credit_out;
  wire [Injections*7-1:0] inj_credit;
  wire [Receptions-1:0] rx_valid;
  wire [Receptions*FlitW-1:0] rx_flit;
  wire [Receptions*16-1:0] rx_count;
  wire [Ports+Receptions-1:0] stall;
  wire [5:0] status;
  assign out = {cfg_out, link_valid_out, link_vc_out, link_flit_out, credit_out, inj_credit, rx_valid, rx_flit, rx_count, stall, status};

  il_node i_node (
    .clk_i(clk_i), .rst_ni(rst_nq), .clk_en_i(clk_en),
    .cfg_valid_i(cfg_valid), .cfg_read_i(cfg_read), .cfg_addr_i(cfg_addr), .cfg_data_i(cfg_data), .cfg_data_o(cfg_out),
    .link_valid_i(link_valid), .link_vc_i(link_vc), .link_flit_i(link_flit), .credit_i(credit),
    .link_valid_o(link_valid_out), .link_vc_o(link_vc_out), .link_flit_o(link_flit_out), .credit_o(credit_out),
    .inj_valid_i(inj_valid), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
    .rx_valid_o(rx_valid), .rx_flit_o(rx_flit), .rx_ready_i(rx_ready), .rx_count_o(rx_count),
    .stall_o(stall), .status_o(status));
endmodule
