// Interlace: the registers that the host writes (docs/node.md, section 1)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_config #(
  parameter int unsigned Ports = 6,
  parameter int unsigned Vcs = 4,
  parameter int unsigned Slots = 64,
  parameter int unsigned Lookups = 14,
  parameter int unsigned DepthW = 10,
  localparam int unsigned SlotW = $clog2(Slots),
  localparam int unsigned Dimensions = Ports / 2 > 0 ? Ports / 2 : 1,
  localparam int unsigned CoordinateW = il_pkg::CoordinateW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           cfg_valid_i,
  input  logic [il_pkg::AddressW-1:0]    cfg_addr_i,
  input  logic [31:0]                    cfg_data_i,
  output logic                           enable_o,
  output logic [1:0]                     switching_o,
  output logic [Vcs-1:0]                 vcs_o,
  output logic [DepthW-1:0]              vc_depth_o,
  output logic [DepthW-1:0]              injection_depth_o,
  output logic [DepthW-1:0]              reception_depth_o,
  output logic [Ports-1:0]               ports_o,
  output logic [2:0]                     receptions_o,
  output logic [1:0]                     routing_o,
  output logic [2*Vcs-1:0]               classes_o,
  output logic [Dimensions*CoordinateW-1:0] here_o,
  output logic [Dimensions*CoordinateW-1:0] size_o,
  output logic [Ports*il_pkg::PortW-1:0] port_o,
  input  logic [Lookups-1:0]             lookup_i,
  input  logic [Lookups*SlotW-1:0]       slot_i,
  output logic [Lookups*(Ports+1)-1:0]   entry_o        // 0 where not looked up
);
  logic [Ports:0] table_q [Slots];

  for (genvar i = 0; i < Lookups; i++) begin : gen_lookup
    assign entry_o[i*(Ports+1) +: Ports+1] = lookup_i[i] ? table_q[slot_i[i*SlotW +: SlotW]] : '0;
  end

  always_ff @(posedge clk_i) begin
    if (cfg_valid_i && cfg_addr_i[12]) table_q[cfg_addr_i[SlotW-1:0]] <= cfg_data_i[Ports:0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_o          <= 1'b0;
      switching_o       <= '0;
      vcs_o             <= '0;
      vc_depth_o        <= '0;
      injection_depth_o <= '0;
      reception_depth_o <= '0;
      ports_o           <= '0;
      receptions_o      <= '0;
      routing_o         <= '0;
      classes_o         <= '0;
    end else if (cfg_valid_i) begin
      case (cfg_addr_i)
        il_pkg::RegEnable:         enable_o          <= cfg_data_i[0];
        il_pkg::RegSwitching:      switching_o       <= cfg_data_i[1:0];
        il_pkg::RegVcs:            vcs_o             <= cfg_data_i[Vcs-1:0];
        il_pkg::RegVcDepth:        vc_depth_o        <= cfg_data_i[DepthW-1:0];
        il_pkg::RegReceptionDepth: reception_depth_o <= cfg_data_i[DepthW-1:0];
        il_pkg::RegPorts:          ports_o           <= cfg_data_i[Ports-1:0];
        il_pkg::RegReceptions:     receptions_o      <= cfg_data_i[2:0];
        il_pkg::RegInjectionDepth: injection_depth_o <= cfg_data_i[DepthW-1:0];
        il_pkg::RegRouting:        routing_o         <= cfg_data_i[1:0];
        il_pkg::RegClasses:        classes_o         <= {cfg_data_i[4 +: Vcs], cfg_data_i[0 +: Vcs]};
        default: ;
      endcase
    end
  end

  for (genvar d = 0; d < Dimensions; d++) begin : gen_dimension
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        here_o[d*CoordinateW +: CoordinateW] <= '0;
        size_o[d*CoordinateW +: CoordinateW] <= '0;
      end else if (cfg_valid_i && cfg_addr_i == il_pkg::RegDimension + il_pkg::AddressW'(d)) begin
        here_o[d*CoordinateW +: CoordinateW] <= cfg_data_i[0 +: CoordinateW];
        size_o[d*CoordinateW +: CoordinateW] <= cfg_data_i[16 +: CoordinateW];
      end
    end
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    always_ff @(posedge clk_i) begin
      if (!rst_ni) port_o[p*il_pkg::PortW +: il_pkg::PortW] <= '0;
      else if (cfg_valid_i && cfg_addr_i == il_pkg::RegPort + il_pkg::AddressW'(p))
        port_o[p*il_pkg::PortW +: il_pkg::PortW] <= cfg_data_i[il_pkg::PortW-1:0];
    end
  end
endmodule
