// Interlace: il_highest leaves of the requests (of high priority, if there are any) those of the highest level
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module highest_proof (
  input logic       clk_i,
  input logic [4:0] request_i,
  input logic [4:0] high_i,
  input logic [9:0] level_i  // [bit][request]
);
  logic [4:0] highest;

  il_highest #(.Requests(5)) dut (.request_i, .high_i, .level_i, .highest_o(highest));

  // Whether request a leaves request b out.
  function automatic logic before(input int a, input int b);
    before = request_i[a] && ((high_i[a] && !high_i[b]) || (high_i[a] == high_i[b] && {level_i[5+a], level_i[a]} > {level_i[5+b], level_i[b]}));
  endfunction

  logic [4:0] expected;
  always_comb begin
    expected = request_i;
    for (int b = 0; b < 5; b++) for (int a = 0; a < 5; a++) if (before(a, b)) expected[b] = 1'b0;
  end

  always_ff @(posedge clk_i) assert (highest == expected);
endmodule
