// Interlace: a queue: one write and one read a cycle, the oldest entry in view
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
module il_fifo #(
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
    $error("il_fifo: Depth is %0d, expected a power of two, at least 2", Depth);
  end

  logic [Width-1:0] mem [Depth];
  logic [PtrW-1:0] write_q, read_q;

  assign valid_o = write_q != read_q;
  assign data_o = valid_o ? mem[read_q[PtrW-2:0]] : '0;

  always_ff @(posedge clk_i) begin
    if (clk_en_i && push_i) mem[write_q[PtrW-2:0]] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
    end else if (clk_en_i) begin
      if (push_i) write_q <= write_q + PtrW'(1);
      if (pop_i) read_q <= read_q + PtrW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && clk_en_i) begin
      if (pop_i) `IL_ASSERT(pop_has_entry, valid_o, "an entry is taken from an empty queue");
      if (push_i) `IL_ASSERT(push_has_room, (write_q - read_q) != PtrW'(Depth), "an entry is put into a full queue");
    end
  end
endmodule
