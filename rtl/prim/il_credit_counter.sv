// Interlace: how much room is left in queues elsewhere
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
module il_credit_counter #(
  parameter int unsigned Counters = 1,
  parameter int unsigned Width = 10,
  parameter int unsigned AmountW = 7,
  parameter bit Guarded = 1'b0,  // writes counts only where they change, as simulations do (il_pkg::Synthesis)
  parameter bit Trusted = 1'b0   // never more comes back than was taken: it is not looked for
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clk_en_i,
  input  logic                        enable_i,  // 0: the counts take the depth
  input  logic                        clear_i,   // error_o, unless there is another
  input  logic [Width-1:0]            depth_i,
  input  logic [Counters*AmountW-1:0] take_i,    // never more than count_o
  input  logic [Counters*AmountW-1:0] give_i,
  output logic [Counters*Width-1:0]   count_o,
  output logic                        error_o    // since reset or clear_i, more came back than was taken: the count is the depth
);
  localparam int unsigned SumW = (Width > AmountW ? Width : AmountW) + 1;
  function automatic logic [SumW-1:0] sum(input logic [Width-1:0] count, input logic [AmountW-1:0] taken, input logic [AmountW-1:0] given);
    sum = SumW'(count) - SumW'(taken) + SumW'(given);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_o <= '0;
      error_o <= 1'b0;
    end else if (clk_en_i) begin
      if (clear_i) error_o <= 1'b0;
      if (!enable_i) begin
        count_o <= {Counters{depth_i}};
      end else if (!Guarded || take_i != give_i) begin
        for (int unsigned c = 0; c < Counters; c++) begin
          if (!Guarded || take_i[c*AmountW +: AmountW] != give_i[c*AmountW +: AmountW]) begin
            `IL_ASSERT(take_is_covered, Width'(take_i[c*AmountW +: AmountW]) <= count_o[c*Width +: Width], "more credits are taken than there are");
            if (Trusted) begin
              `IL_ASSERT(give_was_taken,
                         sum(count_o[c*Width +: Width], take_i[c*AmountW +: AmountW], give_i[c*AmountW +: AmountW]) <= SumW'(depth_i),
                         "more credits come back than were taken");
              count_o[c*Width +: Width] <= count_o[c*Width +: Width] - Width'(take_i[c*AmountW +: AmountW]) + Width'(give_i[c*AmountW +: AmountW]);
            end else if (sum(count_o[c*Width +: Width], take_i[c*AmountW +: AmountW], give_i[c*AmountW +: AmountW]) > SumW'(depth_i)) begin
              error_o <= 1'b1;
              count_o[c*Width +: Width] <= depth_i;
            end else begin
              count_o[c*Width +: Width] <= Width'(sum(count_o[c*Width +: Width], take_i[c*AmountW +: AmountW], give_i[c*AmountW +: AmountW]));
            end
          end
        end
      end
    end
  end
endmodule
