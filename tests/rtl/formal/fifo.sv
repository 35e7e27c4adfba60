// Interlace: no flit is lost, doubled or overtaken in il_fifo: a marked entry comes out, once, in its turn
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module fifo_proof (
  input logic       clk_i,
  input logic       push_i,
  input logic [1:0] data_i,
  input logic       pop_i,
  input logic       mark_i   // the entry pushed in this cycle is watched
);
  localparam int unsigned Depth = 4;  // two bits of address
  logic rst_q, valid, watching_q;
  logic [1:0] data, marked_q;
  logic [2:0] count_q, before_q;  // entries in the queue; those in front of the marked one
  initial rst_q = 1'b0;
  initial count_q = '0;
  initial watching_q = 1'b0;

  il_fifo #(.Width(2), .Depth(Depth)) dut (
    .clk_i, .rst_ni(rst_q), .clk_en_i(1'b1), .push_i(push_i && rst_q), .data_i, .pop_i(pop_i && rst_q), .valid_o(valid), .data_o(data)
  );

  always_ff @(posedge clk_i) begin
    rst_q <= 1'b1;
    if (rst_q) begin
      assume (!(pop_i && count_q == '0));
      assume (!(push_i && count_q == 3'(Depth)));
      count_q <= count_q + 3'(push_i) - 3'(pop_i);
      assert (valid == (count_q != '0));
      if (watching_q) begin
        assert (before_q < count_q);
        if (before_q == '0) assert (data == marked_q);
        if (pop_i) begin
          if (before_q == '0) watching_q <= 1'b0;
          before_q <= before_q - 3'd1;
        end
      end else if (push_i && mark_i) begin
        watching_q <= 1'b1;
        marked_q <= data_i;
        before_q <= count_q - 3'(pop_i);
      end
    end
  end
endmodule
