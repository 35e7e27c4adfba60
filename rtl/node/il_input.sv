// Interlace: one input port: which channel a flit is for, and the route of its packet (docs/node.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_input #(
  parameter int unsigned Ports = 6,
  parameter int unsigned Receptions = 14,
  parameter int unsigned Port = 0,
  parameter int unsigned Vcs = 4,         // 1 for an injection queue
  parameter int unsigned LinkVcs = 4,     // of the links
  parameter int unsigned SlotW = 6,
  parameter bit FromLink = 1'b1,
  localparam int unsigned Sinks = Ports + Receptions,
  localparam int unsigned LengthW = il_pkg::LengthW,
  localparam int unsigned VcW = il_pkg::VcW,
  localparam int unsigned EntryW = Ports + 1 + LinkVcs,
  localparam int unsigned PacketW = 2 + il_pkg::PortIndexW + 1 + LengthW + LinkVcs + Sinks,
  localparam int unsigned Dimensions = Ports / 2 > 0 ? Ports / 2 : 1,
  localparam int unsigned CoordinateW = il_pkg::CoordinateW
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [Ports-1:0]         ports_i,
  input  logic [2:0]               receptions_i,
  input  logic [il_pkg::RoutingW-1:0] routing_i,
  input  logic [LinkVcs-1:0]       dynamic_i,
  input  logic [LinkVcs-1:0]       escape_i,
  input  logic [2*LinkVcs-1:0]     classes_i,
  input  logic [Dimensions*CoordinateW-1:0] here_i,
  input  logic [Dimensions*CoordinateW-1:0] size_i,
  input  logic [Ports*il_pkg::PortW-1:0] port_i,
  // The flit on the pins.
  input  logic                     valid_i,
  input  logic [VcW-1:0]           vc_i,
  input  logic                     begins_i,      // with a head
  input  logic                     head_i,
  input  logic                     tail_i,
  input  il_pkg::header_t          header_i,      // of a head
  // The table's entry for a head flit.
  output logic                     lookup_o,
  output logic [SlotW-1:0]         slot_o,
  input  logic [EntryW-1:0]        entry_i,
  // The packet that a head begins: {adaptive, enters, escape, high, length, channels, route}.
  output logic [PacketW-1:0]       packet_o,      // 0 where none begins
  output logic [il_pkg::StatusW-1:0] status_o     // errors since reset
);
  logic in_escape, adaptive, enters, bad_header, bad_route;
  logic [il_pkg::PortIndexW-1:0] escape;
  logic [Sinks-1:0] route;
  logic [LinkVcs-1:0] channels;
  logic [LengthW-1:0] length;
  logic [Vcs*LengthW-1:0] left_q;  // flits to come of a channel's packet

  always_comb begin
    lookup_o = 1'b0;
    slot_o = '0;
    length = '0;
    in_escape = 1'b0;
    if (begins_i) begin
      lookup_o = header_i.kind == il_pkg::KindTable ||
          (header_i.kind == il_pkg::KindUnicast && routing_i[il_pkg::RoutingAdaptive]);
      slot_o = header_i.slot[SlotW-1:0];
      length = LengthW'(header_i.length_minus_1) + LengthW'(1);
      for (int unsigned v = 0; v < LinkVcs; v++) begin
        if (FromLink && vc_i == VcW'(v) && escape_i[v]) in_escape = 1'b1;
      end
    end
  end

  il_route #(
    .Ports     (Ports),
    .Vcs       (LinkVcs),
    .Receptions(Receptions),
    .Port      (Port),
    .FromLink  (FromLink)
  ) i_route (
    .valid_i     (begins_i),
    .header_i,
    .in_escape_i (in_escape),
    .entry_i,
    .ports_i,
    .receptions_i,
    .routing_i,
    .dynamic_i,
    .classes_i,
    .here_i,
    .size_i,
    .port_i,
    .sinks_o     (route),
    .vcs_o       (channels),
    .adaptive_o  (adaptive),
    .escape_o    (escape),
    .enters_o    (enters),
    .malformed_o (bad_header),
    .misrouted_o (bad_route)
  );

  always_comb begin
    packet_o = '0;
    if (begins_i) packet_o = {adaptive, enters, escape, header_i.high, length, channels, route};
  end

  // Heads and tails where the lengths put them.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q   <= '0;
      status_o <= '0;
    end else if (valid_i) begin
      if (32'(vc_i) >= Vcs) status_o[il_pkg::ErrorOverflow] <= 1'b1;
      if (bad_header && 32'(vc_i) < Vcs) status_o[il_pkg::ErrorMalformed] <= 1'b1;
      if (bad_route && 32'(vc_i) < Vcs) status_o[il_pkg::ErrorMisrouted] <= 1'b1;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (vc_i == VcW'(v)) begin
          left_q[v*LengthW +: LengthW] <= (head_i ? length : left_q[v*LengthW +: LengthW]) - LengthW'(1);
          if (head_i != (left_q[v*LengthW +: LengthW] == '0) ||
              tail_i != ((head_i ? length : left_q[v*LengthW +: LengthW]) == LengthW'(1)))
            status_o[il_pkg::ErrorMalformed] <= 1'b1;
        end
      end
    end
  end
endmodule
