// Interlace: a node without registers (docs/hil-protocol.md, section 3), of one that has them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module bare_router #(
  parameter int unsigned Ports = 2,
  parameter int unsigned Depth = 32,
  localparam int unsigned FlitW = 130
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [Ports-1:0]       link_valid_i,
  input  logic [Ports*2-1:0]     link_vc_i,
  input  logic [Ports*FlitW-1:0] link_flit_i,
  input  logic [Ports*7-1:0]     credit_i,
  output logic [Ports-1:0]       link_valid_o,
  output logic [Ports*2-1:0]     link_vc_o,
  output logic [Ports*FlitW-1:0] link_flit_o,
  output logic [Ports*7-1:0]     credit_o,
  input  logic                   inj_valid_i,
  input  logic [FlitW-1:0]       inj_flit_i,
  output logic [6:0]             inj_credit_o,
  input  logic                   rx_ready_i,
  output logic                   rx_valid_o,
  output logic [FlitW-1:0]       rx_flit_o
);
  // In the second cycle of a reset the node inside runs already, and is enabled.
  logic reset_q = 1'b0;
  always_ff @(posedge clk_i) reset_q <= !rst_ni;

  il_node #(
    .Ports(Ports), .Vcs(1), .Injections(1), .Receptions(1), .VcDepth(Depth), .InjectionDepth(Depth), .ReceptionDepth(Depth),
    .Slots(2), .FixedConfig(1), .FixedSwitching(32'd1), .FixedVcs(32'd1), .FixedVcDepth(Depth), .FixedInjectionDepth(Depth),
    .FixedReceptionDepth(Depth), .FixedPorts((32'd1 << Ports) - 1), .FixedCyclesPerFlit(32'd1)
  ) node (
    .clk_i, .rst_ni(rst_ni || reset_q), .clk_en_i(1'b1), .cfg_valid_i(!rst_ni), .cfg_read_i(1'b0), .cfg_addr_i(16'd0),
    .cfg_data_i(32'd1), .cfg_data_o(), .link_valid_i, .link_vc_i, .link_flit_i, .credit_i, .link_valid_o, .link_vc_o, .link_flit_o,
    .credit_o, .inj_valid_i, .inj_flit_i, .inj_credit_o, .rx_ready_i, .rx_valid_o, .rx_flit_o, .rx_count_o(), .stall_o(), .status_o()
  );
endmodule
