// Interlace: a memory with one write and any number of reads a cycle, each in the register of a block RAM
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// A block RAM has one write and one read: hardware has a copy for each read, a simulation need not.
module il_memory #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 16,  // a power of two, at least 2
  parameter int unsigned Reads = 1,
  localparam int unsigned AddressW = $clog2(Depth)
) (
  input  logic                      clk_i,
  input  logic                      clk_en_i,
  input  logic                      write_i,
  input  logic [AddressW-1:0]       write_address_i,
  input  logic [Width-1:0]          data_i,
  input  logic [Reads-1:0]          read_i,
  input  logic [Reads*AddressW-1:0] address_i,
  output logic [Reads*Width-1:0]    data_o  // what was there before a write of the same cycle; 0 where nothing was read
);
`ifdef SYNTHESIS
  for (genvar r = 0; r < Reads; r++) begin : gen_copy
    (* ram_style = "block" *) logic [Width-1:0] mem [Depth];
    always_ff @(posedge clk_i) begin
      if (clk_en_i && write_i) mem[write_address_i] <= data_i;
    end
    always_ff @(posedge clk_i) begin
      if (clk_en_i) begin
        if (!read_i[r]) data_o[r*Width +: Width] <= '0;
        else data_o[r*Width +: Width] <= mem[address_i[r*AddressW +: AddressW]];
      end
    end
  end
`else
  logic [Width-1:0] mem [Depth];
  logic [Reads-1:0] shows_q;
  always_ff @(posedge clk_i) begin
    if (clk_en_i && write_i) mem[write_address_i] <= data_i;
  end
  // Not always_ff: what is there at the beginning is another process' to say.
  always @(posedge clk_i) begin
    if (clk_en_i && (read_i | shows_q) != '0) begin
      shows_q <= read_i;
      for (int unsigned r = 0; r < Reads; r++) begin
        if (read_i[r]) data_o[r*Width +: Width] <= mem[address_i[r*AddressW +: AddressW]];
        else if (shows_q[r]) data_o[r*Width +: Width] <= '0;
      end
    end
  end
  initial begin
    shows_q = '0;
    data_o = '0;
  end
`endif
endmodule
