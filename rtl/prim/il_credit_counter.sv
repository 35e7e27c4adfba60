// Interlace: how much room is left in a queue elsewhere
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_credit_counter #(
  parameter int unsigned Width = 10,
  parameter int unsigned AmountW = 7
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               enable_i,  // 0: the count takes the depth
  input  logic [Width-1:0]   depth_i,
  input  logic [AmountW-1:0] take_i,    // never more than count_o
  input  logic [AmountW-1:0] give_i,
  output logic [Width-1:0]   count_o,
  output logic               error_o    // more comes back than was taken
);
  logic [Width-1:0] count_q;
  logic [Width:0] count_d;

  assign count_d = {1'b0, count_q} - (Width+1)'(take_i) + (Width+1)'(give_i);
  assign error_o = enable_i && count_d > {1'b0, depth_i};
  assign count_o = count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else if (!enable_i) count_q <= depth_i;
    else count_q <= count_d[Width-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && enable_i) assert (Width'(take_i) <= count_q);
  end
endmodule
