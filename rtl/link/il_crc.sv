// Interlace: CRC-32 of Ethernet and zlib over all bits of a word at once (docs/links.md, section 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_crc #(
  parameter int unsigned Width = 96
) (
  input  logic [Width-1:0] data_i,  // bit 0 first
  output logic [31:0]      crc_o
);
  function automatic logic [31:0] step(input logic [31:0] crc);
    step = (crc >> 1) ^ (crc[0] ? 32'hEDB8_8320 : 32'd0);
  endfunction

  // The CRC is linear: for each of its bits the bits of the word that it is the parity of, and its value for a word of zeros.
  function automatic logic [32*Width-1:0] masks();
    logic [31:0] crc;
    masks = '0;
    crc = 32'd1;
    for (int unsigned b = Width; b > 0; b--) begin
      crc = step(crc);
      for (int unsigned i = 0; i < 32; i++) masks[i*Width + b - 1] = crc[i];
    end
  endfunction
  function automatic logic [31:0] crc_of_zeros();
    crc_of_zeros = '1;
    for (int unsigned b = 0; b < Width; b++) crc_of_zeros = step(crc_of_zeros);
    crc_of_zeros = ~crc_of_zeros;
  endfunction
  localparam logic [32*Width-1:0] Masks = masks();
  localparam logic [31:0] CrcOfZeros = crc_of_zeros();

  for (genvar i = 0; i < 32; i++) begin : gen_bit
    assign crc_o[i] = CrcOfZeros[i] ^ (^(data_i & Masks[i*Width +: Width]));
  end
endmodule
