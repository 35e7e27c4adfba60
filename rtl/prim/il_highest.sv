// Interlace: of requests those of the highest level; of those of high priority, if there are any
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_highest #(
  parameter int unsigned Requests = 4
) (
  input  logic [Requests-1:0]   request_i,
  input  logic [Requests-1:0]   high_i,
  input  logic [2*Requests-1:0] level_i,   // [bit][request]
  output logic [Requests-1:0]   highest_o
);
  logic [Requests-1:0] eligible, upper, lower;  // upper: of levels 2 and 3; lower: the higher one of the two that are left

  always_comb begin
    highest_o = '0;
    eligible = '0;
    upper = '0;
    lower = '0;
    if (request_i != '0) begin
      eligible = (request_i & high_i) != '0 ? request_i & high_i : request_i;
      upper = eligible & level_i[Requests +: Requests];
      if (upper != '0) eligible = upper;
      lower = eligible & level_i[0 +: Requests];
      highest_o = lower != '0 ? lower : eligible;
    end
  end
endmodule
