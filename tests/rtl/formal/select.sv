// Interlace: il_select, by bits or by words, shows the word of its index
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module select_proof (
  input logic        clk_i,
  input logic [17:0] words_i,
  input logic [2:0]  index_i
);
  logic [2:0] by_bit, by_word, expected;

  il_select #(.Width(3), .Words(6), .ByBit(1'b1)) i_bits (.words_i, .index_i, .word_o(by_bit));
  il_select #(.Width(3), .Words(6), .ByBit(1'b0)) i_words (.words_i, .index_i, .word_o(by_word));

  always_comb begin
    expected = '0;
    for (int w = 0; w < 6; w++) if (3'(w) == index_i) expected = words_i[3*w +: 3];
  end

  always_ff @(posedge clk_i) begin
    assume (index_i < 3'd6);
    assert (by_bit == expected && by_word == expected);
  end
endmodule
