// Interlace: memories become modules of which nothing is known, for mutants.sh
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
(* techmap_celltype = "$memrd" *)
module cut_read #(parameter MEMID = "", ABITS = 1, WIDTH = 1, CLK_ENABLE = 0, CLK_POLARITY = 0, TRANSPARENT = 0)
  (input CLK, EN, input [ABITS-1:0] ADDR, output [WIDTH-1:0] DATA);
  (* keep *) mem_read _TECHMAP_REPLACE_ (.ADDR(ADDR), .DATA(DATA));
endmodule
(* techmap_celltype = "$memwr_v2" *)
module cut_write #(parameter MEMID = "", ABITS = 1, WIDTH = 1, CLK_ENABLE = 0, CLK_POLARITY = 0, PORTID = 0, PRIORITY_MASK = 0)
  (input CLK, input [WIDTH-1:0] EN, input [ABITS-1:0] ADDR, input [WIDTH-1:0] DATA);
  (* keep *) mem_write _TECHMAP_REPLACE_ (.EN(EN), .ADDR(ADDR & {ABITS{|EN}}), .DATA(DATA & EN));  // else of no effect
endmodule
(* techmap_celltype = "$meminit_v2" *)
module cut_init #(parameter MEMID = "", ABITS = 1, WIDTH = 1, WORDS = 1, PRIORITY = 0)
  (input [ABITS-1:0] ADDR, input [WIDTH*WORDS-1:0] DATA, input [WIDTH-1:0] EN);
endmodule
