// Interlace: one input port: which flits are kept, and the route of the packets that they begin (docs/node.md, sections 4 and 8)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
`include "il_parameters.svh"
module il_input #(
  `IL_ROUTE,
  parameter int unsigned OwnVcs = 4,  // 1 for an injection queue
  `IL_PIN_WIDTHS,
  localparam int unsigned PacketW = il_pkg::packet_width(Vcs, Sinks)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     clk_en_i,
  input  logic                     enable_i,          // else what comes is ignored
  input  logic [il_pkg::StatusW-1:0] clear_i,         // of status_o, but what this cycle adds
  input  logic                     wormhole_i,
  input  logic [Vcs-1:0]           vcs_i,
  input  logic [DepthW-1:0]        own_depth_i,       // of the queues that it feeds
  input  logic [DepthW-1:0]        vc_depth_i,
  input  logic [DepthW-1:0]        reception_depth_i,
  input  logic [Ports-1:0]         ports_i,
  input  logic [2:0]               receptions_i,
  input  logic [il_pkg::RoutingW-1:0] routing_i,
  input  logic [Vcs-1:0]           dynamic_i,
  input  logic [Vcs-1:0]           escape_i,
  input  logic [LengthW-1:0]       slot_flits_i,
  input  logic [Vcs-1:0]           priority_i,
  input  logic [2*Vcs-1:0]         classes_i,
  input  logic [Dimensions*CoordinateW-1:0] here_i,
  input  logic [Dimensions*CoordinateW-1:0] size_i,
  input  logic [Ports*il_pkg::PortW-1:0] port_i,
  // The flit that comes in this cycle, or, pipelined, in the next one: its route is found ahead.
  input  logic                     ahead_valid_i,
  input  logic                     ahead_head_i,
  input  logic [VcW-1:0]           ahead_vc_i,
  input  il_pkg::header_t          ahead_header_i,  // of a head
  // The flit that comes in this cycle.
  input  logic                     valid_i,
  input  logic [VcW-1:0]           vc_i,
  input  logic                     full_i,        // its queue has no room
  input  logic                     head_i,
  input  logic                     tail_i,
  input  logic                     by_hops_i,     // packets count the links that they have crossed ...
  input  logic [il_pkg::HopsW-1:0] hops_i,        // ... in their heads: so many before this one
  output logic [il_pkg::HopsW-1:0] hops_change_o, // exclusive or of that with the number after it
  output logic                     keep_o,        // it goes into its queue ...
  output logic                     begins_o,      // ... and begins a packet
  output logic                     refuse_o,      // it is refused: its place is free again
  // The table's entry for a head flit.
  output logic                     lookup_o,
  output logic [SlotW-1:0]         slot_o,
  input  logic [EntryW-1:0]        entry_i,
  // The packet that begins: {adaptive, hops, enters, escape, high, several branches, length, channels, route}.
  output logic [PacketW-1:0]       packet_o,      // where one begins
  output logic                     between_o,     // no packet of which flits are still to come
  output logic [OwnVcs*LengthW-1:0] missing_o,    // flits to come of the youngest packet of each channel ...
  output logic [OwnVcs-1:0]        refusing_o,    // ... and whether they are refused
  output logic [il_pkg::StatusW-1:0] status_o     // errors since reset or clear_i
);
  // Those of an input; others are never 1.
  localparam logic [il_pkg::StatusW-1:0] Errors = il_pkg::StatusW'(1) << il_pkg::ErrorOverflow | il_pkg::StatusW'(1) << il_pkg::ErrorMalformed |
      il_pkg::StatusW'(1) << il_pkg::ErrorMisrouted | il_pkg::StatusW'(1) << il_pkg::ErrorTooLong;
  logic [Vcs-1:0] came;  // its channel
  logic known, begins, several, adaptive, enters, high, malformed, misrouted, too_long, refusing;
  logic [il_pkg::PortIndexW-1:0] escape;
  logic [Sinks-1:0] route;
  logic [Vcs-1:0] channels;
  logic [LengthW-1:0] length, left;
  logic [OwnVcs*LengthW-1:0] left_q;  // flits to come of a channel's packet
  logic [OwnVcs-1:0] refusing_q;      // which is refused
  // What `ahead` finds.
  logic asks, ahead_several, ahead_adaptive, ahead_enters, ahead_malformed, ahead_misrouted, ahead_too_long;
  logic [il_pkg::PortIndexW-1:0] ahead_escape;
  logic [Sinks-1:0] ahead_route;
  logic [Vcs-1:0] ahead_channels;
  logic [LengthW-1:0] ahead_length, ahead_kept, kept;  // kept: of a packet that is not refused

  // Heads and tails are where the lengths put them.
  always_comb begin
    known = 1'b0;
    left = '0;
    refusing = 1'b0;
    begins = 1'b0;
    if (valid_i && enable_i) begin
      for (int unsigned v = 0; v < OwnVcs; v++) begin
        if (vc_i == VcW'(v)) begin
          known = 1'b1;
          left = left_q[v*LengthW +: LengthW];
          refusing = refusing_q[v];
        end
      end
      begins = known && head_i && left == '0;
    end
  end

  assign asks = Pipelined ? ahead_valid_i && ahead_head_i : begins;
  always_comb begin
    lookup_o = 1'b0;
    slot_o = '0;
    ahead_length = '0;
    came = '0;
    if (il_pkg::Synthesis || asks) begin
      if (FromLink) begin
        for (int unsigned v = 0; v < OwnVcs; v++) came[v] = ahead_vc_i == VcW'(v);
      end
      lookup_o = ahead_header_i.kind == il_pkg::KindTable ||
          (ahead_header_i.kind == il_pkg::KindUnicast && routing_i[il_pkg::RoutingAdaptive] &&
           !routing_i[il_pkg::RoutingByCoordinates]);
      slot_o = ahead_header_i.slot[SlotW-1:0];
      ahead_length = LengthW'(ahead_header_i.length_minus_1) + LengthW'(1);
    end
  end

  il_route #(
    .Ports     (Ports),
    .Vcs       (Vcs),
    .Receptions(Receptions),
    .Port      (Port),
    .SlotW     (SlotW),
    .DepthW    (DepthW),
    .FromLink  (FromLink),
    .Pipelined (Pipelined),
    .Layout    (Layout),
    .CoordinateBits(CoordinateBits)
  ) i_route (
    .valid_i     (asks),
    .header_i    (ahead_header_i),
    .length_i    (ahead_length),
    .came_i      (came),
    .entry_i,
    .wormhole_i,
    .vcs_i,
    .own_depth_i,
    .vc_depth_i,
    .reception_depth_i,
    .ports_i,
    .receptions_i,
    .routing_i,
    .dynamic_i,
    .escape_i,
    .slot_flits_i,
    .priority_i,
    .classes_i,
    .here_i,
    .size_i,
    .port_i,
    .sinks_o     (ahead_route),
    .vcs_o       (ahead_channels),
    .several_o   (ahead_several),
    .adaptive_o  (ahead_adaptive),
    .escape_o    (ahead_escape),
    .enters_o    (ahead_enters),
    .malformed_o (ahead_malformed),
    .misrouted_o (ahead_misrouted),
    .too_long_o  (ahead_too_long)
  );

  // Pipelined, a packet that is longer than slot_flits_i is refused: the bits of the others' lengths that are never 1 are no logic where
  // that is a constant.
  always_comb begin
    ahead_kept = ahead_length;
    if (Pipelined) begin
      for (int unsigned b = 0; b < LengthW; b++) ahead_kept[b] = ahead_length[b] && (slot_flits_i >> b) != '0;
    end
  end

  il_delay #(.Width(7 + 2 * LengthW + il_pkg::PortIndexW + Vcs + Sinks), .Cycles(Pipelined ? 1 : 0)) i_ahead (
    .clk_i, .rst_ni, .clk_en_i,
    .data_i({ahead_malformed, ahead_misrouted, ahead_too_long, ahead_adaptive, ahead_enters, ahead_escape, asks && ahead_header_i.high, ahead_several,
             ahead_kept, ahead_length, ahead_channels, ahead_route}),
    .data_o({malformed, misrouted, too_long, adaptive, enters, escape, high, several, kept, length, channels, route})
  );

  // Packets that the node cannot carry are refused, and flits of none.
  always_comb begin
    refuse_o = 1'b0;
    keep_o = 1'b0;
    begins_o = 1'b0;
    if (il_pkg::Synthesis || known) begin
      refuse_o = known && (left == '0 ? !head_i || malformed || misrouted || too_long : refusing);
      keep_o = known && !refuse_o && !full_i;
      begins_o = keep_o && begins;
    end
  end
  assign between_o = left_q == '0;
  assign refusing_o = refusing_q;
  assign missing_o = left_q;

  always_comb begin
    packet_o = '0;
    hops_change_o = '0;
    if (il_pkg::Synthesis || begins_o) begin
      if (FromLink && by_hops_i && begins) hops_change_o = il_pkg::hops_change(hops_i);
      packet_o = {adaptive, by_hops_i ? hops_i ^ hops_change_o : '0, enters, escape, high, several, kept, channels, route};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q     <= '0;
      refusing_q <= '0;
      status_o   <= '0;
    end else if (clk_en_i) begin
      if (clear_i != '0) status_o <= status_o & ~clear_i & Errors;
      if (valid_i && enable_i && !refuse_o && !keep_o) begin
        status_o[il_pkg::ErrorOverflow] <= 1'b1;  // as if it had not come
      end else if (valid_i && enable_i) begin
        if ((begins && malformed) || head_i != (left == '0) || tail_i != ((head_i && left == '0 ? length : left) == LengthW'(1)))
          status_o[il_pkg::ErrorMalformed] <= 1'b1;
        if (begins && misrouted) status_o[il_pkg::ErrorMisrouted] <= 1'b1;
        if (begins && too_long) status_o[il_pkg::ErrorTooLong] <= 1'b1;
        for (int unsigned v = 0; v < OwnVcs; v++) begin
          if (vc_i == VcW'(v) && (begins || left != '0)) begin
            left_q[v*LengthW +: LengthW] <= (begins ? length : left) - LengthW'(1);
            refusing_q[v] <= refuse_o;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && clk_en_i) begin
      if (begins_o) begin
        `IL_ASSERT(packet_has_flits, kept != '0 && kept == length, "a packet is kept with another length than its own");
        `IL_ASSERT(packet_has_route, adaptive || route != '0, "a packet is kept that leads nowhere");
      end
      `IL_ASSERT_KNOWN(status_is_known, status_o, "errors of an input are unknown");
    end
  end
endmodule
