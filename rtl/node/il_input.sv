// Interlace: one input port: routes what arrives and keeps it in its channels' queues (docs/node.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_input #(
  parameter int unsigned Ports = 6,
  parameter int unsigned Receptions = 14,
  parameter int unsigned Port = 0,
  parameter int unsigned Vcs = 4,         // 1 for an injection queue
  parameter int unsigned LinkVcs = 4,     // of the links
  parameter int unsigned Depth = 64,      // flits of a channel
  parameter int unsigned PtrW = 7,
  parameter int unsigned SlotW = 6,
  parameter int unsigned FlitBits = 128,
  parameter bit FromLink = 1'b1,
  localparam int unsigned Sinks = Ports + Receptions,
  localparam int unsigned FlitW = FlitBits + 2,
  localparam int unsigned AddressW = $clog2(Vcs * Depth),
  localparam int unsigned LengthW = il_pkg::LengthW,
  localparam int unsigned VcW = il_pkg::VcW,
  localparam int unsigned Dimensions = Ports / 2 > 0 ? Ports / 2 : 1,
  localparam int unsigned CoordinateW = il_pkg::CoordinateW
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     store_and_forward_i,
  input  logic [PtrW-1:0]          depth_i,
  input  logic [Ports-1:0]         ports_i,
  input  logic [2:0]               receptions_i,
  input  logic [1:0]               routing_i,
  input  logic [2*LinkVcs-1:0]     classes_i,
  input  logic [Dimensions*CoordinateW-1:0] here_i,
  input  logic [Dimensions*CoordinateW-1:0] size_i,
  input  logic [Ports*il_pkg::PortW-1:0] port_i,
  // The flit on the pins.
  input  logic                     valid_i,
  input  logic [VcW-1:0]           vc_i,
  input  logic [FlitW-1:0]         flit_i,
  // The table's entry for a head flit.
  output logic                     lookup_o,
  output logic [SlotW-1:0]         slot_o,
  input  logic [Ports:0]           entry_i,
  // To and from the sinks: [sink] of each channel.
  output logic [Vcs*Sinks-1:0]     want_o,
  output logic [Vcs-1:0]           high_o,
  output logic [Vcs*LengthW-1:0]   length_o,
  output logic [Vcs*LinkVcs-1:0]   allowed_o,
  output logic [Vcs*PtrW-1:0]      read_o,
  output logic [Vcs*PtrW-1:0]      write_o,
  input  logic [Vcs*Sinks-1:0]     grant_i,
  input  logic [Vcs*Sinks-1:0]     move_i,
  input  logic [Vcs*Sinks-1:0]     finish_i,
  output logic [Vcs*LengthW-1:0]   freed_o,
  // Where the flit goes in the input's bank: {channel, pointer}.
  output logic [AddressW-1:0]      write_address_o,
  output logic                     overflow_o,
  output logic                     malformed_o,
  output logic                     misrouted_o
);
  il_pkg::header_t header;
  logic head, tail, bad_header, bad_route;
  logic [Sinks-1:0] route;
  logic [LinkVcs-1:0] allowed;
  logic [LengthW-1:0] length;
  logic [Vcs-1:0] push, overflow, mid_packet_q, mid_packet_d, misplaced;
  logic [Vcs*LengthW-1:0] left_q, left_d;

  assign header = flit_i[63:0];
  assign head = flit_i[FlitBits];
  assign tail = flit_i[FlitBits+1];
  assign length = LengthW'(header.length_minus_1) + LengthW'(1);
  assign lookup_o = valid_i && head && header.kind == il_pkg::KindTable;
  assign slot_o = header.slot[SlotW-1:0];

  il_route #(
    .Ports     (Ports),
    .Vcs       (LinkVcs),
    .Receptions(Receptions),
    .Port      (Port),
    .FromLink  (FromLink)
  ) i_route (
    .header_i    (header),
    .entry_i,
    .ports_i,
    .receptions_i,
    .routing_i,
    .classes_i,
    .here_i,
    .size_i,
    .port_i,
    .sinks_o     (route),
    .vcs_o       (allowed),
    .malformed_o (bad_header),
    .misrouted_o (bad_route)
  );

  // Heads and tails where the lengths put them.
  always_comb begin
    push = '0;
    misplaced = '0;
    mid_packet_d = mid_packet_q;
    left_d = left_q;
    write_address_o = '0;
    if (valid_i) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (vc_i == VcW'(v)) begin
          push[v] = 1'b1;
          left_d[v*LengthW +: LengthW] = (head ? length : left_q[v*LengthW +: LengthW]) - LengthW'(1);
          mid_packet_d[v] = left_d[v*LengthW +: LengthW] != '0;
          misplaced[v] = head == mid_packet_q[v] || tail == mid_packet_d[v];
          write_address_o = AddressW'(v * Depth) | AddressW'(write_o[v*PtrW +: $clog2(Depth)]);
        end
      end
    end
  end

  for (genvar v = 0; v < Vcs; v++) begin : gen_channel
    il_source #(
      .Ports   (Ports),
      .Sinks   (Sinks),
      .Vcs     (LinkVcs),
      .Depth   (Depth),
      .PtrW    (PtrW),
      .FromLink(FromLink)
    ) i_source (
      .clk_i,
      .rst_ni,
      .store_and_forward_i,
      .depth_i,
      .push_i    (push[v]),
      .head_i    (head),
      .route_i   (route),
      .vcs_i     (allowed),
      .length_i  (length),
      .high_i    (header.high),
      .grant_i   (grant_i[v*Sinks +: Sinks]),
      .move_i    (move_i[v*Sinks +: Sinks]),
      .finish_i  (finish_i[v*Sinks +: Sinks]),
      .want_o    (want_o[v*Sinks +: Sinks]),
      .vcs_o     (allowed_o[v*LinkVcs +: LinkVcs]),
      .length_o  (length_o[v*LengthW +: LengthW]),
      .high_o    (high_o[v]),
      .read_o    (read_o[v*PtrW +: PtrW]),
      .write_o   (write_o[v*PtrW +: PtrW]),
      .freed_o   (freed_o[v*LengthW +: LengthW]),
      .overflow_o(overflow[v])
    );
  end

  assign overflow_o = overflow != '0 || (valid_i && push == '0);
  assign malformed_o = misplaced != '0 || (valid_i && head && bad_header);
  assign misrouted_o = valid_i && head && bad_route;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mid_packet_q <= '0;
      left_q       <= '0;
    end else begin
      mid_packet_q <= mid_packet_d;
      left_q       <= left_d;
    end
  end
endmodule
