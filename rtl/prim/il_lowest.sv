// Interlace: the lowest of ones
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_lowest #(
  parameter int unsigned Width = 4,
  parameter bit Groups = il_pkg::Synthesis  // bits by fours: in hardware fewer LUTs and levels than a subtraction, in simulation more work
) (
  input  logic [Width-1:0] ones_i,
  output logic [Width-1:0] lowest_o
);
  if (Groups) begin : gen_groups
    localparam int unsigned Count = (Width + 3) / 4;
    logic [Count-1:0] any;
    for (genvar g = 0; g < Count; g++) begin : gen_group
      localparam int unsigned Own = Width - 4 * g < 4 ? Width - 4 * g : 4;  // bits
      logic lower;                                                         // there is one in a lower group
      assign any[g] = ones_i[4*g +: Own] != '0;
      if (g == 0) begin : gen_first
        assign lower = 1'b0;
      end else begin : gen_rest
        assign lower = any[g-1:0] != '0;
      end
      assign lowest_o[4*g +: Own] = lower ? '0 : ones_i[4*g +: Own] & (~ones_i[4*g +: Own] + Own'(1));
    end
  end else begin : gen_subtraction
    assign lowest_o = ones_i & (~ones_i + Width'(1));
  end
endmodule
