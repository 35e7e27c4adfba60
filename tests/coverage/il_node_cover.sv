// Interlace: what docs/node.md says of a node, as points that a test comes to or does not
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// Bound into each il_node: its names are that module's. The number in a name is the page's section.
module il_node_cover #(
  parameter int unsigned Ports = 4,
  parameter int unsigned Vcs = 4,
  parameter int unsigned Injections = 6,
  parameter int unsigned Receptions = 10,
  localparam int unsigned Inputs = Ports + Injections,
  localparam int unsigned Sinks = Ports + Receptions,
  localparam int unsigned Sources = Ports * Vcs + Injections,
  localparam int unsigned LengthW = il_pkg::LengthW
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        clk_en_i,
  input logic                        cfg_valid_i,
  input logic                        cfg_read_i,
  input logic [15:0]                 cfg_addr_i,
  input logic                        enable,
  input logic [1:0]                  switching,
  input logic                        by_credits,
  input logic                        by_fullness,
  input logic                        by_hops,
  input logic [2*Sources-1:0]        level,
  input logic                        wormhole,
  input logic [il_pkg::RoutingW-1:0] routing,
  input logic [2:0]                  reception_layout,
  input logic [il_pkg::CyclesW-1:0]  cycles_per_flit,
  input logic [Inputs-1:0]           valid,
  input logic [Inputs-1:0]           refuse,
  input logic [Inputs-1:0]           keep,
  input logic [Sources-1:0]          high,
  input logic [Sources-1:0]          escapes,
  input logic [Sources-1:0]          enters,
  input logic [Sinks*Sources-1:0]    want,
  input logic [Sinks-1:0]            moves,
  input logic [Sinks-1:0]            starts,
  input logic [Sinks-1:0]            finishes,
  input logic [Sources*LengthW-1:0]  freed,
  input logic [2*Sinks-1:0]          free,
  input logic [Ports-1:0]            quiesce,
  input logic [1:0]                  idle,
  input logic [Sinks-1:0]            stall_o,
  input logic [il_pkg::StatusW-1:0]  status_o
);
  logic on;
  assign on = rst_ni && clk_en_i;

  logic [Sources-1:0] wants_links, wants_receptions;
  logic [Ports-1:0] held_back;
  logic passed_over, several_free, contended;
  always_comb begin
    wants_links = '0;
    wants_receptions = '0;
    passed_over = 1'b0;
    contended = 1'b0;
    several_free = 1'b0;
    held_back = '0;
    for (int unsigned k = 0; k < Sinks; k++) begin
      if (k < Ports) held_back[k % Ports] = quiesce[k % Ports] && want[k*Sources +: Sources] != '0;
      if (k < Ports) wants_links |= want[k*Sources +: Sources];
      else wants_receptions |= want[k*Sources +: Sources];
      if ((want[k*Sources +: Sources] & (want[k*Sources +: Sources] - Sources'(1))) != '0) contended = 1'b1;
      if ((want[k*Sources +: Sources] & high) != '0 && (want[k*Sources +: Sources] & ~high) != '0) passed_over = 1'b1;
    end
    for (int unsigned s = 0; s < Sources; s++) if (freed[s*LengthW +: LengthW] > LengthW'(1)) several_free = 1'b1;
  end

  // Section 1
  s1_reset_of_a_node_that_runs: cover property (@(posedge clk_i) !rst_ni && enable);
  s1_no_clock_while_flits_come: cover property (@(posedge clk_i) rst_ni && !clk_en_i && valid != '0);
  s1_register_written_late:     cover property (@(posedge clk_i) on && enable && cfg_valid_i && cfg_addr_i < 16'd12);
  s1_table_written_late:        cover property (@(posedge clk_i) on && enable && cfg_valid_i && cfg_addr_i[12]);
  s1_status_cleared:            cover property (@(posedge clk_i) on && cfg_valid_i && cfg_addr_i == 16'd12 && status_o != '0);
  s1_register_read_in_traffic:  cover property (@(posedge clk_i) on && enable && cfg_read_i && moves != '0);
  s1_flit_before_enable:        cover property (@(posedge clk_i) on && !enable && valid != '0);
  s1_quiesce_holds_a_packet:    cover property (@(posedge clk_i) on && (held_back != '0));
  s1_quiesce_lets_worms_end:    cover property (@(posedge clk_i) on && (moves[Ports-1:0] & ~starts[Ports-1:0] & quiesce) != '0);
  s1_idle:                      cover property (@(posedge clk_i) on && enable && idle == 2'd3);
  s1_empty_but_not_behind:      cover property (@(posedge clk_i) on && enable && idle == 2'd1);
  s1_every_reception_layout:    cover property (@(posedge clk_i) on && enable && reception_layout == 3'd7);
  s1_one_reception_queue:       cover property (@(posedge clk_i) on && enable && !reception_layout[0]);
  s1_adaptive_by_table:         cover property (@(posedge clk_i) on && enable && routing[3:2] == 2'd1);
  s1_adaptive_by_coordinates:   cover property (@(posedge clk_i) on && enable && routing[3:2] == 2'd3);
  s1_no_coordinates:            cover property (@(posedge clk_i) on && enable && !routing[0]);
  s1_no_rings:                  cover property (@(posedge clk_i) on && enable && routing[1:0] == 2'd1);

  // Section 5
  s5_stored_packet_waits:       cover property (@(posedge clk_i) on && switching == 2'd0 && wants_receptions != '0 && wants_links == '0);
  s5_all_sinks_move:            cover property (@(posedge clk_i) on && moves[Ports-1:0] == '1);
  s5_link_and_reception_start_at_once: cover property (@(posedge clk_i) on && starts[Ports-1:0] != '0 && starts[Sinks-1:Ports] != '0);
  s5_sink_contended:            cover property (@(posedge clk_i) on && contended);
  s5_high_goes_first:           cover property (@(posedge clk_i) on && passed_over);
  s5_escape_by_a_ring:          cover property (@(posedge clk_i) on && (escapes & ~enters) != '0);
  s5_escape_into_a_ring:        cover property (@(posedge clk_i) on && (escapes & enters) != '0);
  s5_choice_by_credits:         cover property (@(posedge clk_i) on && by_credits && !wormhole && starts[Ports-1:0] != '0);
  s5_ports_compared_by_credits: cover property (@(posedge clk_i) on && free[2*Ports-1:0] != '0);
  s5_service_by_fullness:       cover property (@(posedge clk_i) on && by_fullness && !by_hops && !wormhole && contended);
  s5_service_by_distance:       cover property (@(posedge clk_i) on && by_hops && !wormhole && contended && level != '0);
  s5_worms_served_by_distance:  cover property (@(posedge clk_i) on && by_hops && wormhole && contended && level != '0);
  s5_slow_link:                 cover property (@(posedge clk_i) on && cycles_per_flit > 8'd100 && moves[Ports-1:0] != '0);
  s5_link_stalls:               cover property (@(posedge clk_i) on && stall_o[Ports-1:0] != '0);
  s5_reception_stalls:          cover property (@(posedge clk_i) on && stall_o[Sinks-1:Ports] != '0);
  s5_packet_of_one_flit:        cover property (@(posedge clk_i) on && (starts & finishes) != '0);
  s5_several_flits_free_at_once: cover property (@(posedge clk_i) on && several_free);
  s5_worms_in_turns:            cover property (@(posedge clk_i) on && wormhole && (moves & ~starts) != '0);

  // Section 8
  s8_overflow:                  cover property (@(posedge clk_i) on && enable && (valid & ~keep & ~refuse) != '0);
  s8_refused_beside_freed:      cover property (@(posedge clk_i) on && refuse != '0 && moves != '0);
  s8_every_error_at_once:       cover property (@(posedge clk_i) on && status_o == '1);
endmodule

bind il_node il_node_cover #(.Ports(Ports), .Vcs(Vcs), .Injections(Injections), .Receptions(Receptions)) i_cover (.*);
