// Interlace: il_credit_counter and what was taken from it always make up the depth; more that comes back is an error from
// the next cycle on until it is cleared, and lost
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module credit_counter_proof (
  input logic       clk_i,
  input logic [3:0] depth_i,
  input logic [2:0] take_i,
  input logic [2:0] give_i,
  input logic       clear_i
);
  logic rst_q, loaded_q, enable_q, error;
  logic [3:0] count, depth_q, taken_q;  // what is out
  initial {rst_q, loaded_q, enable_q} = '0;
  logic wrong_q;  // more has come back
  initial taken_q = '0;
  initial wrong_q = 1'b0;

  il_credit_counter #(.Width(4), .AmountW(3)) dut (
    .clk_i, .rst_ni(rst_q), .clk_en_i(1'b1), .enable_i(enable_q), .clear_i(clear_i), .depth_i, .take_i, .give_i, .count_o(count), .error_o(error)
  );

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    loaded_q <= rst_q;
    enable_q <= loaded_q;
    depth_q <= depth_i;
    if (rst_q) assume (depth_i == depth_q);
    if (clear_i) wrong_q <= 1'b0;
    if (enable_q) begin
      if (5'(give_i) > 5'(taken_q) + 5'(take_i)) wrong_q <= 1'b1;
      assume (4'(take_i) <= count);
      if (5'(give_i) > 5'(taken_q) + 5'(take_i)) begin
        taken_q <= '0;
      end else taken_q <= taken_q + 4'(take_i) - 4'(give_i);
      assert (5'(count) + 5'(taken_q) == 5'(depth_i));
      assert (error == wrong_q);
    end
  end
endmodule
