// Interlace: one of several words
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_select #(
  parameter int unsigned Width = 8,
  parameter int unsigned Words = 4,
  parameter bit ByBit = il_pkg::Synthesis,  // bit by bit: to Yosys 0.23 a tree of multiplexers, which an index times a width is not
  localparam int unsigned IndexW = $clog2(Words)
) (
  input  logic [Words*Width-1:0] words_i,
  input  logic [IndexW-1:0]      index_i,  // less than Words
  output logic [Width-1:0]       word_o
);
  if (ByBit) begin : gen_by_bit
    for (genvar b = 0; b < Width; b++) begin : gen_bit
      logic [Words-1:0] bits;
      for (genvar w = 0; w < Words; w++) begin : gen_word
        assign bits[w] = words_i[w*Width + b];
      end
      assign word_o[b] = bits[index_i];
    end
  end else begin : gen_by_word
    assign word_o = words_i[32'(index_i)*Width +: Width];
  end
endmodule
