// Interlace: a serial line: 8 bits, the low one first, no parity, one stop bit
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_uart #(
  parameter int unsigned ClocksPerBit = 104  // at least 4
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,
  output logic       tx_o,
  // What comes: a byte waits for as long as the next one takes.
  output logic       valid_o,
  output logic [7:0] data_o,
  input  logic       ready_i,
  // What goes.
  input  logic       valid_i,
  input  logic [7:0] data_i,
  output logic       ready_o
);
  localparam int unsigned CountW = $clog2(ClocksPerBit);
  localparam logic [CountW-1:0] Bit = CountW'(ClocksPerBit - 1);
  localparam logic [CountW-1:0] HalfBit = CountW'(ClocksPerBit / 2 - 1);
  if (ClocksPerBit < 4) begin : gen_bad_clocks_per_bit
    $error("il_uart: ClocksPerBit is %0d, expected at least 4", ClocksPerBit);
  end

  // The line, seen two cycles later: what is in the first flip-flop may not have settled.
  logic [1:0] rx_q;
  logic rx;
  assign rx = rx_q[1];

  // A falling edge begins a byte, of which each bit is looked at in its middle.
  logic [CountW-1:0] in_count_q, out_count_q;  // clocks until the next bit
  logic [3:0] in_left_q, out_left_q;           // bits to come: start, data, stop
  logic [7:0] in_q;
  logic [8:0] out_q;                           // data and stop behind the bit that the line shows

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rx_q       <= '1;
      in_left_q  <= '0;
      valid_o    <= 1'b0;
    end else begin
      rx_q <= {rx_q[0], rx_i};
      if (ready_i) valid_o <= 1'b0;
      if (in_left_q == '0) begin
        if (!rx) in_left_q <= 4'd10;
      end else if (in_count_q == '0) begin
        in_left_q <= in_left_q - 4'd1;
        if (in_left_q == 4'd10 && rx) in_left_q <= '0;  // no start bit after all
        if (in_left_q == 4'd1 && rx) valid_o <= 1'b1;   // without a stop bit it is none
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_left_q == '0) begin
      in_count_q <= HalfBit;
    end else if (in_count_q == '0) begin
      in_count_q <= Bit;
      in_q <= {rx, in_q[7:1]};
      if (in_left_q == 4'd1) data_o <= in_q;
    end else begin
      in_count_q <= in_count_q - CountW'(1);
    end
  end

  assign ready_o = out_left_q == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tx_o       <= 1'b1;
      out_left_q <= '0;
    end else if (ready_o) begin
      if (valid_i) begin
        tx_o       <= 1'b0;
        out_left_q <= 4'd10;
      end
    end else if (out_count_q == '0) begin
      out_left_q <= out_left_q - 4'd1;
      tx_o       <= out_q[0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (ready_o || out_count_q == '0) out_count_q <= Bit;
    else out_count_q <= out_count_q - CountW'(1);
    if (ready_o) out_q <= {1'b1, data_i};
    else if (out_count_q == '0) out_q <= {1'b1, out_q[8:1]};
  end
endmodule
