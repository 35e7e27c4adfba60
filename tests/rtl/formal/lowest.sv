// Interlace: il_lowest, of groups or not, leaves the lowest one
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module lowest_proof (
  input logic       clk_i,
  input logic [9:0] ones_i
);
  logic [9:0] by_groups, by_subtraction, expected;

  il_lowest #(.Width(10), .Groups(1'b1)) i_groups (.ones_i, .lowest_o(by_groups));
  il_lowest #(.Width(10), .Groups(1'b0)) i_subtraction (.ones_i, .lowest_o(by_subtraction));

  always_comb begin
    expected = '0;
    for (int i = 0; i < 10; i++) if (ones_i[i] && expected == '0) expected[i] = 1'b1;
  end

  always_ff @(posedge clk_i) assert (by_groups == expected && by_subtraction == expected);
endmodule
