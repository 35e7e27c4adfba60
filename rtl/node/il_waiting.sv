// Interlace: the packets that wait in their sources behind the head packets, oldest first
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
`include "il_parameters.svh"
module il_waiting #(
  parameter int unsigned Ports = 6,
  parameter int unsigned Vcs = 4,
  parameter int unsigned Injections = 8,
  parameter int unsigned Width = 8,            // of a packet
  parameter int unsigned VcDepth = 64,         // packets of a source: powers of two, at least 2
  parameter int unsigned InjectionDepth = 64,
  `IL_SOURCES,
  parameter logic [Sources*Width-1:0] Kept = {(Sources*Width){1'b1}},  // [source]: bits of its packets that can be 1
  localparam int unsigned PtrW = $clog2(il_pkg::greater(VcDepth, InjectionDepth))
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     clk_en_i,
  input  logic [Sources-1:0]       push_i,   // one source of an input at a time
  input  logic [Inputs*Width-1:0]  data_i,   // of its input
  input  logic [Sources-1:0]       pop_i,    // only where valid_o
  input  logic [Sources-1:0]       show_i,
  output logic [Sources-1:0]       valid_o,
  output logic [Sources*Width-1:0] data_o    // where it is to be shown
);
  // Ones in the lowest `bits`.
  function automatic int unsigned ones_below(input logic [Width-1:0] ones, input int unsigned bits);
    ones_below = 0;
    for (int unsigned b = 0; b < Width; b++) begin
      if (b < bits && ones[b]) ones_below = ones_below + 1;
    end
  endfunction

  logic [Sources*PtrW-1:0] write_q, read_q;
  logic any;

  assign any = il_pkg::Synthesis || (push_i | pop_i) != '0;

  for (genvar p = 0; p < Inputs; p++) begin : gen_input
    localparam bit FromLink = p < Ports;
    localparam int unsigned OwnVcs = FromLink ? Vcs : 1;
    localparam int unsigned Depth = FromLink ? VcDepth : InjectionDepth;
    localparam int unsigned First = FromLink ? p * Vcs : Links + (p - Ports);  // source
    localparam int unsigned AddressW = $clog2(Depth);
    if (il_pkg::Synthesis) begin : gen_hardware
      // A memory a source, for the bits that can be 1 alone.
      for (genvar v = 0; v < OwnVcs; v++) begin : gen_source
        localparam int unsigned S = First + v;
        localparam logic [Width-1:0] OwnKept = Kept[S*Width +: Width];
        localparam int unsigned OwnWidth = ones_below(OwnKept, Width);
        logic [OwnWidth-1:0] mem [Depth];
        logic [OwnWidth-1:0] own, oldest;
        always_ff @(posedge clk_i) begin
          if (clk_en_i && push_i[S]) mem[write_q[S*PtrW +: AddressW]] <= own;
        end
        assign oldest = mem[read_q[S*PtrW +: AddressW]];
        logic unused_show;
        assign unused_show = show_i[S];
        for (genvar b = 0; b < Width; b++) begin : gen_bit
          if (OwnKept[b]) begin : gen_kept
            assign own[ones_below(OwnKept, b)] = data_i[p*Width + b];
            assign data_o[S*Width + b] = oldest[ones_below(OwnKept, b)];
          end else begin : gen_never
            assign data_o[S*Width + b] = 1'b0;
          end
        end
      end
    end else begin : gen_simulation
      // A memory an input: {channel, pointer}.
      localparam int unsigned SharedW = $clog2(OwnVcs * Depth);
      logic [Width-1:0] mem [OwnVcs*Depth];
      function automatic logic [SharedW-1:0] address(input logic [OwnVcs-1:0] push, input logic [OwnVcs*PtrW-1:0] pointers);
        address = '0;
        for (int unsigned v = 0; v < OwnVcs; v++)
          address = address | ({SharedW{push[v]}} & (SharedW'(v * Depth) | SharedW'(pointers[v*PtrW +: AddressW])));
      endfunction
      always_ff @(posedge clk_i) begin
        // A function called in the index itself stops Verilator 5.030 to 5.038.
        if (clk_en_i && push_i[First +: OwnVcs] != '0) begin : write
          logic [SharedW-1:0] place;
          place = address(push_i[First +: OwnVcs], write_q[First*PtrW +: OwnVcs*PtrW]);
          mem[place] <= data_i[p*Width +: Width];
        end
      end
      always_comb begin
        data_o[First*Width +: OwnVcs*Width] = '0;
        if (show_i[First +: OwnVcs] != '0) begin
          for (int unsigned v = 0; v < OwnVcs; v++) begin
            if (show_i[First+v]) data_o[(First+v)*Width +: Width] =
                mem[SharedW'(v * Depth) | SharedW'(read_q[(First+v)*PtrW +: AddressW])] & Kept[(First+v)*Width +: Width];
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      valid_o <= '0;
    end else if (clk_en_i && any) begin
      `IL_ASSERT(pop_has_packet, (pop_i & ~valid_o) == '0, "a packet is taken from a source where none waits");
      for (int unsigned s = 0; s < Sources; s++) begin
        if (push_i[s]) begin
          `IL_ASSERT(push_has_room,
                     !valid_o[s] || 32'(PtrW'(write_q[s*PtrW +: PtrW] - read_q[s*PtrW +: PtrW] - PtrW'(1))) < (s < Links ? VcDepth : InjectionDepth) - 1,
                     "a packet comes to a source where no more can wait");
          write_q[s*PtrW +: PtrW] <= write_q[s*PtrW +: PtrW] + PtrW'(1);
        end
        if (pop_i[s]) read_q[s*PtrW +: PtrW] <= read_q[s*PtrW +: PtrW] + PtrW'(1);
        if (push_i[s] != pop_i[s])
          valid_o[s] <= push_i[s] || PtrW'(read_q[s*PtrW +: PtrW] + PtrW'(1)) != write_q[s*PtrW +: PtrW];
      end
    end
  end
endmodule
