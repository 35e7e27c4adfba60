// Interlace: what cut.v makes of memories, at least as wide as any
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
(* blackbox *) module mem_read (input [15:0] ADDR, output [129:0] DATA); endmodule
(* blackbox *) module mem_write (input [129:0] EN, input [15:0] ADDR, input [129:0] DATA); endmodule
