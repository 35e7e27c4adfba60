// Interlace: the flits of all inputs: a bank with one write an input, any number of reads from any bank; what links
// read is on their pins in the next cycle, or, pipelined, in the one after it, through synchronous memories
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_parameters.svh"
module il_flit_store #(
  `IL_QUEUES,
  parameter int unsigned Width = 128,         // of a flit without its marks
  `IL_SOURCES_AND_SINKS,
  localparam int unsigned VcW = il_pkg::VcW,
  localparam int unsigned FlitW = Width + 2   // {tail, head, words}
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       clk_en_i,
  // What the pins show, of which marks are not stored, and where each source's next flit goes.
  input  logic [Ports-1:0]           link_valid_i,
  input  logic [Ports*VcW-1:0]       link_vc_i,
  input  logic [Ports*FlitW-1:0]     link_flit_i,
  input  logic [Injections-1:0]      inj_valid_i,
  input  logic [Injections*FlitW-1:0] inj_flit_i,
  input  logic [Sources*PtrW-1:0]    write_pointer_i,
  // Which flit of which source is wanted.
  input  logic [Sinks-1:0]           read_i,
  input  logic [Sinks*SourceW-1:0]   source_i,
  input  logic [Sinks*PtrW-1:0]      pointer_i,
  // Links that show a flit in the next cycle, with its marks, and those that show one now.
  input  logic [Ports-1:0]           leaves_i,
  input  logic [Ports-1:0]           head_i,
  input  logic [Ports-1:0]           tail_i,
  input  logic [Ports-1:0]           shows_i,
  output logic [Ports*FlitW-1:0]     link_flit_o,      // read in the last cycle, or 0; pipelined: in the one before
  output logic [Receptions*Width-1:0] reception_flit_o // read in this cycle, or 0; pipelined: in the last
);
  localparam int unsigned LinkAddressW = $clog2(Vcs * VcDepth);  // {channel, pointer}
  localparam int unsigned InjectionAddressW = $clog2(InjectionDepth);

  // Where a source's flit is in its bank: {channel, pointer} for a link's.
  function automatic logic [LinkAddressW-1:0] link_address(input int unsigned channel, input logic [$clog2(VcDepth)-1:0] pointer);
    link_address = LinkAddressW'(channel * VcDepth) | LinkAddressW'(pointer);
  endfunction

  logic [Inputs-1:0] unused_marks;
  for (genvar p = 0; p < Inputs; p++) begin : gen_marks
    if (p < Ports) begin : gen_link
      assign unused_marks[p] = link_flit_i[p*FlitW+Width +: 2] != '0;
    end else begin : gen_injection
      assign unused_marks[p] = inj_flit_i[(p-Ports)*FlitW+Width +: 2] != '0;
    end
  end

  if (Pipelined) begin : gen_pipelined
    logic [Inputs*Sinks*Width-1:0] data;  // [bank][read]
    logic [Sinks*LinkAddressW-1:0] link_addresses;
    logic [Ports*InjectionAddressW-1:0] injection_addresses;

    always_comb begin
      link_addresses = '0;
      injection_addresses = '0;
      for (int unsigned r = 0; r < Sinks; r++) begin
        link_addresses[r*LinkAddressW +: LinkAddressW] =
            link_address(32'(source_i[r*SourceW +: SourceW]) % Vcs, pointer_i[r*PtrW +: $clog2(VcDepth)]);
      end
      for (int unsigned r = 0; r < Ports; r++)
        injection_addresses[r*InjectionAddressW +: InjectionAddressW] = pointer_i[r*PtrW +: InjectionAddressW];
    end

    for (genvar p = 0; p < Ports; p++) begin : gen_link_bank
      logic [Sinks-1:0] read;
      logic [LinkAddressW-1:0] write_address;
      always_comb begin
        write_address = '0;
        for (int unsigned v = 0; v < Vcs; v++) begin
          if (link_vc_i[p*VcW +: VcW] == VcW'(v)) write_address = link_address(v, write_pointer_i[(p*Vcs+v)*PtrW +: $clog2(VcDepth)]);
        end
        for (int unsigned r = 0; r < Sinks; r++)
          read[r] = read_i[r] && 32'(source_i[r*SourceW +: SourceW]) / Vcs == p &&
              (r < Ports ? TurnBack || r != p : il_pkg::takes(Ports, r - Ports, p, Layout));
      end
      il_memory #(.Width(Width), .Depth(Vcs * VcDepth), .Reads(Sinks)) i_memory (
        .clk_i,
        .clk_en_i,
        .write_i        (link_valid_i[p]),
        .write_address_i(write_address),
        .data_i         (link_flit_i[p*FlitW +: Width]),
        .read_i         (read),
        .address_i      (link_addresses),
        .data_o         (data[p*Sinks*Width +: Sinks*Width])
      );
    end

    for (genvar i = 0; i < Injections; i++) begin : gen_injection_bank
      logic [Ports-1:0] read;
      always_comb begin
        for (int unsigned r = 0; r < Ports; r++) read[r] = read_i[r] && 32'(source_i[r*SourceW +: SourceW]) == Links + i;
      end
      il_memory #(.Width(Width), .Depth(InjectionDepth), .Reads(Ports)) i_memory (
        .clk_i,
        .clk_en_i,
        .write_i        (inj_valid_i[i]),
        .write_address_i(write_pointer_i[(Links+i)*PtrW +: InjectionAddressW]),
        .data_i         (inj_flit_i[i*FlitW +: Width]),
        .read_i         (read),
        .address_i      (injection_addresses),
        .data_o         (data[(Ports+i)*Sinks*Width +: Ports*Width])
      );
      assign data[((Ports+i)*Sinks+Ports)*Width +: Receptions*Width] = '0;
    end

    for (genvar r = 0; r < Sinks; r++) begin : gen_read
      logic [Width-1:0] flit;
      if (r < Ports) begin : gen_link
        always_comb begin
          flit = '0;
          if (il_pkg::Synthesis || leaves_i[r]) begin
            for (int unsigned p = 0; p < Inputs; p++) flit = flit | data[(p*Sinks+r)*Width +: Width];
          end
        end
        always_ff @(posedge clk_i) begin
          if (!rst_ni) link_flit_o[r*FlitW +: FlitW] <= '0;
          else if (clk_en_i && (leaves_i[r] || shows_i[r])) link_flit_o[r*FlitW +: FlitW] <= {tail_i[r], head_i[r], flit};
        end
      end else begin : gen_reception
        always_comb begin
          flit = '0;
          for (int unsigned p = 0; p < Ports; p++) begin
            if (il_pkg::takes(Ports, r - Ports, p, Layout)) flit = flit | data[(p*Sinks+r)*Width +: Width];
          end
        end
        assign reception_flit_o[(r-Ports)*Width +: Width] = flit;
      end
    end
  end else begin : gen_at_once
    for (genvar p = 0; p < Ports; p++) begin : gen_link_bank
      logic [Width-1:0] mem [Vcs*VcDepth];
      // Where the next flit of channel `vc` goes.
      function automatic logic [LinkAddressW-1:0] address(input logic [VcW-1:0] vc, input logic [Vcs*PtrW-1:0] pointers);
        address = '0;
        for (int unsigned v = 0; v < Vcs; v++) begin
          if (vc == VcW'(v)) address = LinkAddressW'(v * VcDepth) | LinkAddressW'(pointers[v*PtrW +: $clog2(VcDepth)]);
        end
      endfunction
      always_ff @(posedge clk_i) begin
        // A function called in the index itself stops Verilator 5.030 to 5.038.
        if (clk_en_i && link_valid_i[p]) begin : write
          logic [LinkAddressW-1:0] place;
          place = address(link_vc_i[p*VcW +: VcW], write_pointer_i[p*Vcs*PtrW +: Vcs*PtrW]);
          mem[place] <= link_flit_i[p*FlitW +: Width];
        end
      end
    end

    for (genvar i = 0; i < Injections; i++) begin : gen_injection_bank
      logic [Width-1:0] mem [InjectionDepth];
      always_ff @(posedge clk_i) begin
        if (clk_en_i && inj_valid_i[i])
          mem[write_pointer_i[(Links+i)*PtrW +: InjectionAddressW]] <= inj_flit_i[i*FlitW +: Width];
      end
    end

    logic unused_reads;  // of links: they are who leaves
    assign unused_reads = read_i[Ports-1:0] != '0;

    // A link reads any bank, a reception queue those whose packets it can take.
    for (genvar r = 0; r < Sinks; r++) begin : gen_read
      int unsigned source;
      assign source = 32'(source_i[r*SourceW +: SourceW]);
      for (genvar p = 0; p < Inputs; p++) begin : gen_mux
        logic [Width-1:0] data;
        if (r < Ports && r == p && !TurnBack) begin : gen_behind
          assign data = gen_mux[p+1].data;
        end else if (r >= Ports && p >= Ports) begin : gen_none
          assign data = '0;
        end else if (r >= Ports && !il_pkg::takes(Ports, r - Ports, p, Layout)) begin : gen_never
          assign data = gen_mux[p+1].data;
        end else if (p == Inputs - 1) begin : gen_last
          assign data = gen_injection_bank[p-Ports].mem[pointer_i[r*PtrW +: InjectionAddressW]];
        end else if (p >= Ports) begin : gen_from_injection
          assign data = source == Links + p - Ports ? gen_injection_bank[p-Ports].mem[pointer_i[r*PtrW +: InjectionAddressW]] :
                                                      gen_mux[p+1].data;
        end else begin : gen_from_link
          assign data = source / Vcs == p ? gen_link_bank[p].mem[
              LinkAddressW'(source % Vcs * VcDepth) | LinkAddressW'(pointer_i[r*PtrW +: $clog2(VcDepth)])] : gen_mux[p+1].data;
        end
      end
      if (r < Ports) begin : gen_link
        always_ff @(posedge clk_i) begin
          if (!rst_ni) link_flit_o[r*FlitW +: FlitW] <= '0;
          else if (clk_en_i && leaves_i[r]) link_flit_o[r*FlitW +: FlitW] <= {tail_i[r], head_i[r], gen_mux[0].data};
          else if (clk_en_i && shows_i[r]) link_flit_o[r*FlitW +: FlitW] <= '0;
        end
      end else begin : gen_reception
        always_comb begin
          reception_flit_o[(r-Ports)*Width +: Width] = '0;
          if (read_i[r]) reception_flit_o[(r-Ports)*Width +: Width] = gen_mux[0].data;
        end
      end
    end
  end
endmodule
