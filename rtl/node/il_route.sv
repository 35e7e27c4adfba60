// Interlace: where a packet goes from here: its sinks (docs/node.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_route #(
  parameter int unsigned Ports = 6,
  parameter int unsigned Receptions = 14,
  parameter int unsigned Port = 0,       // that the packet came by
  parameter bit FromLink = 1'b1,         // else from an injection queue
  localparam int unsigned Sinks = Ports + Receptions
) (
  input  il_pkg::header_t    header_i,
  input  logic [Ports:0]     entry_i,       // of the table, for the header's slot
  input  logic [Ports-1:0]   ports_i,
  input  logic [2:0]         receptions_i,
  output logic [Sinks-1:0]   sinks_o,
  output logic               malformed_o,
  output logic               misrouted_o
);
  logic [Ports-1:0] links;
  logic local_branch;
  logic is_table;
  int unsigned queue;
  int unsigned per_group;
  logic [Receptions-1:0] receptions;

  assign is_table = header_i.kind == il_pkg::KindTable;
  assign malformed_o = il_pkg::fold(header_i) != il_pkg::ChecksumSeed || header_i.kind[1] ||
      header_i.reserved != 2'd0;

  // Most queues never take a packet of this port, whatever the layout: no logic for them.
  for (genvar r = 0; r < Receptions; r++) begin : gen_reception
    localparam bit Reachable = FromLink && (r == 0 || r == Port || r == Ports || r == Ports + Port ||
                                            r == Ports + 1 + Port || r == 2 * Ports + 1);
    if (Reachable) begin : gen_reachable
      assign receptions[r] = local_branch && queue == r;
    end else begin : gen_never
      assign receptions[r] = 1'b0;
    end
  end

  assign sinks_o = {receptions, links};

  always_comb begin
    local_branch = FromLink && (!is_table || entry_i[Ports]);
    links = is_table ? entry_i[Ports-1:0] : (FromLink ? '0 : header_i.slot[Ports-1:0]);
    per_group = Ports + (receptions_i[1] ? 1 : 0);
    queue = 0;
    if (receptions_i[0]) begin
      queue = (receptions_i[1] && header_i.high) ? Ports : Port;
      if (receptions_i[2] && header_i.group) queue = queue + per_group;
    end
    misrouted_o = (links == '0 && !local_branch) || (links & ~ports_i) != '0 ||
        (!FromLink && !is_table && (header_i.slot >> Ports) != '0);
  end
endmodule
