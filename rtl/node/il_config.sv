// Interlace: the registers that the host writes and reads (docs/node.md, section 1)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
`include "il_parameters.svh"
module il_config #(
  `IL_NODE_SIZES,
  `IL_FIXED,
  parameter int unsigned Lookups = 14,
  parameter int unsigned DepthW = 10,
  parameter int unsigned CoordinateBits = il_pkg::CoordinateW,  // one more than coordinates have where they are fixed
  localparam int unsigned SlotW = $clog2(Slots),
  localparam int unsigned EntryW = il_pkg::entry_width(Ports, Vcs),
  localparam int unsigned Dimensions = il_pkg::dimensions(Ports),
  localparam int unsigned CoordinateW = il_pkg::CoordinateW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           clk_en_i,
  input  logic                           cfg_valid_i,
  input  logic                           cfg_read_i,
  input  logic [il_pkg::AddressW-1:0]    cfg_addr_i,
  input  logic [31:0]                    cfg_data_i,
  output logic [31:0]                    cfg_data_o,    // what was read in the last cycle, or 0
  output logic                           enable_o,
  output logic [1:0]                     switching_o,
  output logic [Vcs-1:0]                 vcs_o,
  output logic [DepthW-1:0]              vc_depth_o,
  output logic [DepthW-1:0]              injection_depth_o,
  output logic [DepthW-1:0]              reception_depth_o,
  output logic [Ports-1:0]               ports_o,
  output logic [2:0]                     receptions_o,
  output logic [il_pkg::RoutingW-1:0]    routing_o,
  output logic [2*Vcs-1:0]               classes_o,
  output logic [il_pkg::CyclesW-1:0]     cycles_per_flit_o,
  output logic [Vcs-1:0]                 dynamic_o,
  output logic [Vcs-1:0]                 escape_o,
  output logic [il_pkg::LengthW-1:0]     slot_flits_o,
  output logic [Vcs-1:0]                 priority_o,
  output logic                           by_credits_o,
  output logic                           by_fullness_o,
  output logic                           by_hops_o,
  output logic [7:0]                     round_robin_every_o,
  output logic [Dimensions*CoordinateW-1:0] here_o,
  output logic [Dimensions*CoordinateW-1:0] size_o,
  output logic [Ports*il_pkg::PortW-1:0] port_o,
  input  logic [Lookups-1:0]             lookup_i,
  input  logic [Lookups*SlotW-1:0]       slot_i,
  output logic [Lookups*EntryW-1:0]      entry_o,       // {channels, local, ports}
  // What else can be read, and written while the node is enabled.
  input  logic [Ports-1:0]               valid_i,       // what links show
  input  logic [Ports-1:0]               head_i,
  input  logic [Ports-1:0]               stall_i,
  input  logic [1:0]                     idle_i,
  input  logic [il_pkg::StatusW-1:0]     status_i,
  output logic [il_pkg::StatusW-1:0]     clear_o,       // bits of it
  output logic [Ports-1:0]               quiesce_o,
  output logic                           error_o        // since reset or clear_o: a write that the enabled node does not take
);
  localparam logic [il_pkg::AddressW-1:0] TableEnd = il_pkg::RegTable + il_pkg::AddressW'(Slots);

  logic [EntryW-1:0] table_q [Slots];
  localparam int unsigned HereW = CoordinateBits < CoordinateW ? CoordinateBits - 1 : CoordinateW;
  logic write, at_any_time;
  logic [Ports*3*32-1:0] counters;
  logic [31:0] data_d;

  assign write = clk_en_i && cfg_valid_i && !enable_o;
  assign at_any_time = (cfg_addr_i == il_pkg::RegEnable && cfg_data_i[0]) || cfg_addr_i == il_pkg::RegStatus ||
      cfg_addr_i == il_pkg::RegQuiesce;
  assign clear_o = cfg_valid_i && cfg_addr_i == il_pkg::RegStatus ? cfg_data_i[il_pkg::StatusW-1:0] : '0;

  // A queue has no more room than was built.
  function automatic logic [DepthW-1:0] depth(input logic [15:0] data, input int unsigned built);
    depth = 32'(data) > built ? DepthW'(built) : data[DepthW-1:0];
  endfunction

  // Not by reset, which would double the LUTs of a small node (docs/hardware.md): docs/node.md, 1.18.
  initial for (int unsigned i = 0; i < Slots; i++) table_q[i] = '0;

  always_comb begin
    entry_o = '0;
    if (il_pkg::Synthesis || lookup_i != '0) begin
      for (int unsigned i = 0; i < Lookups; i++) begin
        if (il_pkg::Synthesis || lookup_i[i]) entry_o[i*EntryW +: EntryW] = table_q[slot_i[i*SlotW +: SlotW]];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && write && cfg_addr_i >= il_pkg::RegTable && cfg_addr_i < TableEnd)
      table_q[cfg_addr_i[SlotW-1:0]] <= {cfg_data_i[16 +: Vcs], cfg_data_i[Ports:0]};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_o  <= 1'b0;
      quiesce_o <= '0;
      error_o   <= 1'b0;
    end else if (clk_en_i && cfg_valid_i) begin
      if (cfg_addr_i == il_pkg::RegEnable && cfg_data_i[0]) enable_o <= 1'b1;
      if (cfg_addr_i == il_pkg::RegQuiesce) quiesce_o <= cfg_data_i[Ports-1:0];
      if (clear_o[il_pkg::ErrorConfig]) error_o <= 1'b0;
      if (enable_o && !at_any_time) error_o <= 1'b1;
    end
  end

  if (FixedConfig != 0) begin : gen_fixed
    assign switching_o = FixedSwitching[1:0];
    assign vcs_o = FixedVcs[Vcs-1:0];
    assign vc_depth_o = depth(FixedVcDepth[15:0], VcDepth);
    assign injection_depth_o = depth(FixedInjectionDepth[15:0], InjectionDepth);
    assign reception_depth_o = depth(FixedReceptionDepth[15:0], ReceptionDepth);
    assign ports_o = FixedPorts[Ports-1:0];
    assign receptions_o = FixedReceptions[2:0];
    assign routing_o = FixedRouting[il_pkg::RoutingW-1:0];
    assign classes_o = {FixedClasses[4 +: Vcs], FixedClasses[0 +: Vcs]};
    assign cycles_per_flit_o = FixedCyclesPerFlit[il_pkg::CyclesW-1:0];
    assign {round_robin_every_o, by_hops_o, by_fullness_o, by_credits_o} = {FixedAdaptive[31:24], FixedAdaptive[22:20]};
    assign {priority_o, slot_flits_o, escape_o, dynamic_o} =
        {FixedAdaptive[16 +: Vcs], FixedAdaptive[8 +: il_pkg::LengthW], FixedAdaptive[4 +: Vcs], FixedAdaptive[0 +: Vcs]};
  end else begin : gen_registers
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        switching_o       <= '0;
        vcs_o             <= '0;
        vc_depth_o        <= '0;
        injection_depth_o <= '0;
        reception_depth_o <= '0;
        ports_o           <= '0;
        receptions_o      <= '0;
        routing_o         <= '0;
        classes_o         <= '0;
        cycles_per_flit_o <= '0;
        dynamic_o         <= '0;
        escape_o          <= '0;
        slot_flits_o      <= '0;
        priority_o        <= '0;
        by_credits_o      <= 1'b0;
        by_fullness_o     <= 1'b0;
        by_hops_o         <= 1'b0;
        round_robin_every_o <= '0;
      end else if (write) begin
        case (cfg_addr_i)
          il_pkg::RegSwitching:      switching_o       <= cfg_data_i[1:0];
          il_pkg::RegVcs:            vcs_o             <= cfg_data_i[Vcs-1:0];
          il_pkg::RegVcDepth:        vc_depth_o        <= depth(cfg_data_i[15:0], VcDepth);
          il_pkg::RegInjectionDepth: injection_depth_o <= depth(cfg_data_i[15:0], InjectionDepth);
          il_pkg::RegReceptionDepth: reception_depth_o <= depth(cfg_data_i[15:0], ReceptionDepth);
          il_pkg::RegPorts:          ports_o           <= cfg_data_i[Ports-1:0];
          il_pkg::RegReceptions:     receptions_o      <= cfg_data_i[2:0];
          il_pkg::RegRouting:        routing_o         <= cfg_data_i[il_pkg::RoutingW-1:0];
          il_pkg::RegClasses:        classes_o         <= {cfg_data_i[4 +: Vcs], cfg_data_i[0 +: Vcs]};
          il_pkg::RegCyclesPerFlit:  cycles_per_flit_o <= cfg_data_i[il_pkg::CyclesW-1:0];
          il_pkg::RegAdaptive: begin
            {round_robin_every_o, by_hops_o, by_fullness_o, by_credits_o} <= {cfg_data_i[31:24], cfg_data_i[22:20]};
            {priority_o, slot_flits_o, escape_o, dynamic_o} <=
                {cfg_data_i[16 +: Vcs], cfg_data_i[8 +: il_pkg::LengthW], cfg_data_i[4 +: Vcs], cfg_data_i[0 +: Vcs]};
          end
          default: ;
        endcase
      end
    end
  end

  // What differs from node to node is written in any case.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      here_o <= '0;
    end else if (write) begin
      for (int unsigned d = 0; d < Dimensions; d++) begin
        if (cfg_addr_i == il_pkg::RegDimension + il_pkg::AddressW'(d))
          here_o[d*CoordinateW +: CoordinateW] <= CoordinateW'(cfg_data_i[0 +: HereW]);
      end
    end
  end

  if (FixedConfig != 0 && FixedCoordinates != 0) begin : gen_fixed_coordinates
    assign size_o = FixedSizes[Dimensions*CoordinateW-1:0];
    assign port_o = FixedHops[Ports*il_pkg::PortW-1:0];
  end else begin : gen_coordinates
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        size_o <= '0;
        port_o <= '0;
      end else if (write) begin
        for (int unsigned d = 0; d < Dimensions; d++) begin
          if (cfg_addr_i == il_pkg::RegDimension + il_pkg::AddressW'(d))
            size_o[d*CoordinateW +: CoordinateW] <= cfg_data_i[16 +: CoordinateW];
        end
        for (int unsigned p = 0; p < Ports; p++) begin
          if (cfg_addr_i == il_pkg::RegPort + il_pkg::AddressW'(p))
            port_o[p*il_pkg::PortW +: il_pkg::PortW] <= cfg_data_i[il_pkg::PortW-1:0];
        end
      end
    end
  end

  il_counters #(.Ports(Ports)) i_counters (
    .clk_i,
    .rst_ni,
    .clk_en_i,
    .valid_i,
    .head_i,
    .stall_i,
    .count_o(counters)
  );

  always_comb begin
    data_d = '0;
    if (cfg_read_i) begin
      case (cfg_addr_i)
        il_pkg::RegEnable:         data_d[0] = enable_o;
        il_pkg::RegSwitching:      data_d[1:0] = switching_o;
        il_pkg::RegVcs:            data_d[Vcs-1:0] = vcs_o;
        il_pkg::RegVcDepth:        data_d = 32'(vc_depth_o);
        il_pkg::RegInjectionDepth: data_d = 32'(injection_depth_o);
        il_pkg::RegReceptionDepth: data_d = 32'(reception_depth_o);
        il_pkg::RegPorts:          data_d[Ports-1:0] = ports_o;
        il_pkg::RegReceptions:     data_d[2:0] = receptions_o;
        il_pkg::RegRouting:        data_d[il_pkg::RoutingW-1:0] = routing_o;
        il_pkg::RegClasses:        {data_d[4 +: Vcs], data_d[0 +: Vcs]} = classes_o;
        il_pkg::RegCyclesPerFlit:  data_d[il_pkg::CyclesW-1:0] = cycles_per_flit_o;
        il_pkg::RegAdaptive:       {data_d[31:24], data_d[22:20], data_d[16 +: Vcs], data_d[8 +: il_pkg::LengthW], data_d[4 +: Vcs],
                                    data_d[0 +: Vcs]} =
                                       {round_robin_every_o, by_hops_o, by_fullness_o, by_credits_o, priority_o, slot_flits_o, escape_o, dynamic_o};
        il_pkg::RegStatus:         data_d[il_pkg::StatusW-1:0] = status_i;
        il_pkg::RegQuiesce:        data_d[Ports-1:0] = quiesce_o;
        il_pkg::RegIdle:           data_d[1:0] = idle_i;
        il_pkg::RegIdentification: data_d = il_pkg::Identification;
        il_pkg::RegSizes:          data_d = {8'(FlitBits / 64), 8'(Receptions), 8'(Injections), 4'(Vcs), 4'(Ports)};
        il_pkg::RegDepths:         data_d = {4'(Pipeline), 11'd0, FixedConfig != 0, 4'(SlotW), 4'($clog2(ReceptionDepth)),
                                             4'($clog2(InjectionDepth)), 4'($clog2(VcDepth))};
        default: ;
      endcase
      for (int unsigned d = 0; d < Dimensions; d++) begin
        if (cfg_addr_i == il_pkg::RegDimension + il_pkg::AddressW'(d))
          data_d = {size_o[d*CoordinateW +: CoordinateW], here_o[d*CoordinateW +: CoordinateW]};
      end
      for (int unsigned p = 0; p < Ports; p++) begin
        if (cfg_addr_i == il_pkg::RegPort + il_pkg::AddressW'(p))
          data_d[il_pkg::PortW-1:0] = port_o[p*il_pkg::PortW +: il_pkg::PortW];
        for (int unsigned c = 0; c < 3; c++) begin
          if (cfg_addr_i == il_pkg::RegCounters + il_pkg::AddressW'(4*p + c)) data_d = counters[(3*p+c)*32 +: 32];
        end
      end
      if (cfg_addr_i >= il_pkg::RegTable && cfg_addr_i < TableEnd)
        {data_d[16 +: Vcs], data_d[Ports:0]} = table_q[cfg_addr_i[SlotW-1:0]];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) cfg_data_o <= '0;
    else if (clk_en_i) cfg_data_o <= data_d;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && clk_en_i) begin
      `IL_ASSERT(depths_are_built, 32'(vc_depth_o) <= VcDepth && 32'(injection_depth_o) <= InjectionDepth && 32'(reception_depth_o) <= ReceptionDepth,
                 "a queue is deeper than it was built");
      `IL_ASSERT_KNOWN(data_is_known, cfg_data_o, "a register that is read has unknown bits");
    end
  end
endmodule
