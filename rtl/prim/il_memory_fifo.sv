// Interlace: a queue in a synchronous memory, whose oldest entry is in a register: an entry is in view two cycles after it was pushed
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
module il_memory_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 16,  // a power of two, at least 2
  localparam int unsigned PtrW = $clog2(Depth) + 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clk_en_i,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,    // only while valid_o
  output logic             valid_o,
  output logic [Width-1:0] data_o    // 0 while not valid_o
);
  if (Depth < 2 || (Depth & (Depth - 1)) != 0) begin : gen_bad_depth
    $error("il_memory_fifo: Depth is %0d, expected a power of two, at least 2", Depth);
  end

  (* ram_style = "block" *) logic [Width-1:0] mem [Depth];
  logic [PtrW-1:0] write_q, written_q, read_q, read_d;  // written_q: write_q a cycle ago, what can be read

  assign read_d = read_q + PtrW'(pop_i);

  always_ff @(posedge clk_i) begin
    if (clk_en_i && push_i) mem[write_q[PtrW-2:0]] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (clk_en_i || !rst_ni) begin
      if (!rst_ni || read_d == write_q) data_o <= '0;
      else data_o <= mem[read_d[PtrW-2:0]];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= '0;
      written_q <= '0;
      read_q  <= '0;
    end else if (clk_en_i) begin
      if (push_i) write_q <= write_q + PtrW'(1);
      written_q <= write_q;
      read_q <= read_d;
    end
  end

  // In view: pushed two cycles ago or more.
  assign valid_o = written_q != read_q;

  always_ff @(posedge clk_i) begin
    if (rst_ni && clk_en_i) begin
      if (pop_i) `IL_ASSERT(pop_has_entry, valid_o, "an entry is taken from a queue that shows none");
      if (push_i) `IL_ASSERT(push_has_room, (write_q - read_q) != PtrW'(Depth), "an entry is put into a full queue");
    end
  end
endmodule
