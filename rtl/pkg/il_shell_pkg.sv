// Interlace: the frames of docs/hil-protocol.md, section 2, and what a device says in them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
package il_shell_pkg;
  localparam logic [31:0] Magic = 32'h4948_6c69;  // "ilHI", the first letter lowest
  localparam logic [7:0] Version = 8'd2;
  localparam int unsigned HeaderBytes = 20;
  localparam int unsigned CheckBytes = 4;
  localparam logic [31:0] MostOfAnyone = 32'd1 << 28;  // bytes of a payload

  typedef enum logic [7:0] {
    TypeNone    = 8'd0,
    TypeHello   = 8'd1,
    TypeWelcome = 8'd2,
    TypeRefusal = 8'd3,
    TypeCycles  = 8'd4,
    TypeGoodbye = 8'd5
  } type_e;

  // Kinds of items; their bytes in an output record.
  localparam logic [7:0] ItemLink = 8'd1;
  localparam logic [7:0] ItemCredit = 8'd2;
  localparam logic [7:0] ItemQueue = 8'd3;
  localparam logic [7:0] ItemInjectionCredit = 8'd4;
  localparam int unsigned FlitBits = 128;
  localparam int unsigned FlitW = FlitBits + 2;
  localparam int unsigned FlitBytes = 1 + FlitBits / 8;

  // One byte more under the check: Ethernet's CRC-32, low bit first, which begins with all ones and is sent inverted. What has its check
  // behind it comes to Residue.
  localparam logic [31:0] Residue = 32'hdebb_20e3;
  function automatic logic [31:0] crc32(input logic [31:0] crc, input logic [7:0] data);
    crc32 = crc ^ 32'(data);
    for (int unsigned b = 0; b < 8; b++) crc32 = {1'b0, crc32[31:1]} ^ (crc32[0] ? 32'hedb8_8320 : 32'd0);
  endfunction

  localparam int unsigned WelcomeBytes = 52;  // behind the check of *hello*

  // What a device says: that it is welcome, or why it refuses.
  typedef enum logic [2:0] {
    SayWelcome   = 3'd0,
    SayBroken    = 3'd1,
    SayNodes     = 3'd2,
    SayCycles    = 3'd3,
    SayLong      = 3'd4,
    SayHello     = 3'd5,
    SayQuestion  = 3'd6,
    SayRegisters = 3'd7
  } say_e;
endpackage
