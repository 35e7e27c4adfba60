// Interlace: a queue that packets leave by any number of branches (docs/node.md, sections 4 to 6)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_source #(
  parameter int unsigned Ports = 6,
  parameter int unsigned Sinks = 20,
  parameter int unsigned Vcs = 4,
  parameter int unsigned Depth = 64,
  parameter int unsigned PtrW = 7,        // at least $clog2(Depth) + 1: one width for all sources of a node
  parameter bit FromLink = 1'b1,
  localparam int unsigned LengthW = il_pkg::LengthW
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               store_and_forward_i,
  input  logic [PtrW-1:0]    depth_i,
  // The flit that arrives; its packet's route and length come with the head.
  input  logic               push_i,
  input  logic               head_i,
  input  logic [Sinks-1:0]   route_i,
  input  logic [Vcs-1:0]     vcs_i,
  input  logic [LengthW-1:0] length_i,
  input  logic               high_i,
  // What the sinks do with the head packet.
  input  logic [Sinks-1:0]   grant_i,
  input  logic [Sinks-1:0]   move_i,
  input  logic [Sinks-1:0]   finish_i,
  output logic [Sinks-1:0]   want_o,
  output logic [Vcs-1:0]     vcs_o,
  output logic [LengthW-1:0] length_o,
  output logic               high_o,
  output logic [PtrW-1:0]    read_o,      // the oldest flit kept: where a branch that starts begins
  output logic [PtrW-1:0]    write_o,
  output logic [LengthW-1:0] freed_o,
  output logic               overflow_o
);
  localparam int unsigned PacketW = Sinks + Vcs + LengthW + 1;

  logic packet_valid, done, single;
  logic [Sinks-1:0] route, granted_q, finished_q, finished_d, may_start, want;
  logic [PtrW-1:0] write_q, read_q, count;
  logic [LengthW-1:0] freed_d, freed_q;

  il_fifo #(
    .Width(PacketW),
    .Depth(Depth)
  ) i_packets (
    .clk_i,
    .rst_ni,
    .push_i (push_i && head_i),
    .data_i ({high_i, length_i, vcs_i, route_i}),
    .pop_i  (done),
    .valid_o(packet_valid),
    .data_o ({high_o, length_o, vcs_o, route})
  );

  assign count = write_q - read_q;
  assign single = (route & (route - Sinks'(1))) == '0;
  assign finished_d = finished_q | finish_i;
  assign done = finish_i != '0 && finished_d == route;

  always_comb begin
    may_start = '1;
    if (FromLink && store_and_forward_i && 32'(count) < 32'(length_o)) may_start[Ports-1:0] = '0;
    want = packet_valid ? (route & ~granted_q & may_start) : '0;
    freed_d = '0;
    if (single) freed_d = LengthW'(move_i != '0);
    else if (done) freed_d = length_o;
  end

  assign read_o = read_q;
  assign write_o = write_q;
  assign overflow_o = push_i && count >= depth_i;

`ifdef IL_DEFECTS
  int unsigned defect;
  initial if (!$value$plusargs("il_defect=%d", defect)) defect = 0;
  assign freed_o = defect == 1 ? (freed_q << 1) : freed_q;  // a credit returned twice
  assign want_o = defect == 3 ? (want & (~want + Sinks'(1))) : want;  // branches one after the other
`else
  assign freed_o = freed_q;
  assign want_o = want;
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q    <= '0;
      read_q     <= '0;
      granted_q  <= '0;
      finished_q <= '0;
      freed_q    <= '0;
    end else begin
      write_q    <= write_q + PtrW'(push_i);
      read_q     <= read_q + PtrW'(freed_d);
      granted_q  <= done ? '0 : (granted_q | grant_i);
      finished_q <= done ? '0 : finished_d;
      freed_q    <= freed_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert ((grant_i & ~want_o) == '0);
      assert ((finish_i & ~move_i) == '0);
      assert (32'(freed_d) <= 32'(count));
    end
  end
endmodule
