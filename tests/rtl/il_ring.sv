// Interlace: four nodes in a ring, link to link: port 0 of node n leads to port 1 of node n + 1, which leads back
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_ring #(
  parameter int unsigned Depth = 512,
  localparam int unsigned Nodes = 4,
  localparam int unsigned Ports = 2,
  localparam int unsigned Vcs = 4,
  localparam int unsigned Injections = 4,
  localparam int unsigned Receptions = 6,
  localparam int unsigned FlitW = 130,
  localparam int unsigned VcW = il_pkg::VcW,
  localparam int unsigned LengthW = il_pkg::LengthW,
  localparam int unsigned CountW = il_pkg::CountW
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                clk_en_i,
  input  logic [Nodes-1:0]                    cfg_valid_i,
  input  logic [Nodes*il_pkg::AddressW-1:0]   cfg_addr_i,
  input  logic [Nodes*32-1:0]                 cfg_data_i,
  input  logic [Nodes-1:0]                    cfg_read_i,
  output logic [Nodes*32-1:0]                 cfg_data_o,
  output logic [Nodes*Ports-1:0]              link_valid_o,
  output logic [Nodes*Ports*VcW-1:0]          link_vc_o,
  output logic [Nodes*Ports*FlitW-1:0]        link_flit_o,
  output logic [Nodes*Ports*Vcs*LengthW-1:0]  credit_o,
  input  logic [Nodes*Injections-1:0]         inj_valid_i,
  input  logic [Nodes*Injections*FlitW-1:0]   inj_flit_i,
  output logic [Nodes*Injections*LengthW-1:0] inj_credit_o,
  input  logic [Nodes*Receptions-1:0]         rx_ready_i,
  output logic [Nodes*Receptions-1:0]         rx_valid_o,
  output logic [Nodes*Receptions*FlitW-1:0]   rx_flit_o,
  output logic [Nodes*Receptions*CountW-1:0]  rx_count_o,
  output logic [Nodes*(Ports+Receptions)-1:0] stall_o,
  output logic [Nodes*il_pkg::StatusW-1:0]    status_o
);
  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    localparam int unsigned Up = ((n + 1) % Nodes) * Ports + 1;            // the port at the other end of port 0
    localparam int unsigned Down = ((n + Nodes - 1) % Nodes) * Ports + 0;  // and of port 1

    il_node #(
      .Ports         (Ports),
      .Vcs           (Vcs),
      .Injections    (Injections),
      .Receptions    (Receptions),
      .VcDepth       (Depth),
      .InjectionDepth(Depth),
      .ReceptionDepth(Depth)
    ) i_node (
      .clk_i,
      .rst_ni,
      .clk_en_i,
      .cfg_valid_i (cfg_valid_i[n]),
      .cfg_addr_i  (cfg_addr_i[n*il_pkg::AddressW +: il_pkg::AddressW]),
      .cfg_data_i  (cfg_data_i[n*32 +: 32]),
      .cfg_read_i  (cfg_read_i[n]),
      .cfg_data_o  (cfg_data_o[n*32 +: 32]),
      .link_valid_i({link_valid_o[Down], link_valid_o[Up]}),
      .link_vc_i   ({link_vc_o[Down*VcW +: VcW], link_vc_o[Up*VcW +: VcW]}),
      .link_flit_i ({link_flit_o[Down*FlitW +: FlitW], link_flit_o[Up*FlitW +: FlitW]}),
      .credit_i    ({credit_o[Down*Vcs*LengthW +: Vcs*LengthW], credit_o[Up*Vcs*LengthW +: Vcs*LengthW]}),
      .link_valid_o(link_valid_o[n*Ports +: Ports]),
      .link_vc_o   (link_vc_o[n*Ports*VcW +: Ports*VcW]),
      .link_flit_o (link_flit_o[n*Ports*FlitW +: Ports*FlitW]),
      .credit_o    (credit_o[n*Ports*Vcs*LengthW +: Ports*Vcs*LengthW]),
      .inj_valid_i (inj_valid_i[n*Injections +: Injections]),
      .inj_flit_i  (inj_flit_i[n*Injections*FlitW +: Injections*FlitW]),
      .inj_credit_o(inj_credit_o[n*Injections*LengthW +: Injections*LengthW]),
      .rx_ready_i  (rx_ready_i[n*Receptions +: Receptions]),
      .rx_valid_o  (rx_valid_o[n*Receptions +: Receptions]),
      .rx_flit_o   (rx_flit_o[n*Receptions*FlitW +: Receptions*FlitW]),
      .rx_count_o  (rx_count_o[n*Receptions*CountW +: Receptions*CountW]),
      .stall_o     (stall_o[n*(Ports+Receptions) +: Ports+Receptions]),
      .status_o    (status_o[n*il_pkg::StatusW +: il_pkg::StatusW])
    );
  end
endmodule
