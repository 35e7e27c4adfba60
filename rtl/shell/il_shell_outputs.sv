// Interlace: what the output pins of a node show becomes an output record, byte by byte (docs/hil-protocol.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// The record with all items that there can be is a row of bytes; who walks along it passes over the items that show 0.
`include "il_parameters.svh"
module il_shell_outputs #(
  `IL_NODE_PORTS,
  `IL_PIN_WIDTHS,
  localparam int unsigned FlitW = il_shell_pkg::FlitW,
  localparam int unsigned CountW = il_pkg::CountW
) (
  input  logic                         clk_i,
  input  logic                         walk_i,   // else the record begins anew
  output logic                         valid_o,
  output logic [7:0]                   data_o,
  output logic                         last_o,
  input  logic [il_pkg::StatusW-1:0]   status_i,
  input  logic [Ports+Receptions-1:0]  stall_i,
  input  logic [31:0]                  cfg_data_i,
  input  logic [Ports-1:0]             link_valid_i,
  input  logic [Ports*VcW-1:0]         link_vc_i,
  input  logic [Ports*FlitW-1:0]       link_flit_i,
  input  logic [Ports*Vcs*LengthW-1:0] credit_i,
  input  logic [Injections*LengthW-1:0] inj_credit_i,
  input  logic [Receptions-1:0]        rx_valid_i,
  input  logic [Receptions*FlitW-1:0]  rx_flit_i,
  input  logic [Receptions*CountW-1:0] rx_count_i
);
  localparam int unsigned FlitBytes = il_shell_pkg::FlitBytes;
  localparam int unsigned LinkBytes = 3 + FlitBytes;
  localparam int unsigned CreditBytes = 4;
  localparam int unsigned QueueBytes = 5 + FlitBytes;
  localparam int unsigned InjectionBytes = 3;
  // Where the items of each kind begin, and how many bytes there are.
  localparam int unsigned Links = 9;
  localparam int unsigned Credits = Links + Ports * LinkBytes;
  localparam int unsigned Queues = Credits + Ports * Vcs * CreditBytes;
  localparam int unsigned InjectionCredits = Queues + Receptions * QueueBytes;
  localparam int unsigned End = InjectionCredits + Injections * InjectionBytes;
  localparam int unsigned Bytes = End + 1;
  localparam int unsigned AtW = $clog2(Bytes);

  // {words, marks}: the protocol has the marks first.
  function automatic logic [8*FlitBytes-1:0] flit_bytes(input logic [FlitW-1:0] flit);
    flit_bytes = {flit[FlitW-3:0], 6'd0, flit[FlitW-1:FlitW-2]};
  endfunction

  logic [8*Bytes-1:0] record;
  logic [AtW-1:0] at_q, step;  // byte, and bytes to the next one that there is

  always_comb begin
    record = '0;
    step = AtW'(1);
    record[0 +: 8*Links] = {cfg_data_i, 32'(stall_i), 8'(status_i)};
    for (int unsigned p = 0; p < Ports; p++) begin
      record[8*(Links+p*LinkBytes) +: 8*LinkBytes] =
          {flit_bytes(link_flit_i[p*FlitW +: FlitW]), 8'(link_vc_i[p*VcW +: VcW]), 8'(p), il_shell_pkg::ItemLink};
      if (at_q == AtW'(Links + p * LinkBytes) && !link_valid_i[p]) step = AtW'(LinkBytes);
    end
    for (int unsigned c = 0; c < Ports * Vcs; c++) begin
      record[8*(Credits+c*CreditBytes) +: 8*CreditBytes] =
          {8'(credit_i[c*LengthW +: LengthW]), 8'(c % Vcs), 8'(c / Vcs), il_shell_pkg::ItemCredit};
      if (at_q == AtW'(Credits + c * CreditBytes) && credit_i[c*LengthW +: LengthW] == '0) step = AtW'(CreditBytes);
    end
    for (int unsigned r = 0; r < Receptions; r++) begin
      record[8*(Queues+r*QueueBytes) +: 8*QueueBytes] =
          {flit_bytes(rx_flit_i[r*FlitW +: FlitW]), rx_count_i[r*CountW +: CountW], 8'(rx_valid_i[r]), 8'(r), il_shell_pkg::ItemQueue};
      if (at_q == AtW'(Queues + r * QueueBytes) && !rx_valid_i[r] && rx_count_i[r*CountW +: CountW] == '0) step = AtW'(QueueBytes);
    end
    for (int unsigned i = 0; i < Injections; i++) begin
      record[8*(InjectionCredits+i*InjectionBytes) +: 8*InjectionBytes] =
          {8'(inj_credit_i[i*LengthW +: LengthW]), 8'(i), il_shell_pkg::ItemInjectionCredit};
      if (at_q == AtW'(InjectionCredits + i * InjectionBytes) && inj_credit_i[i*LengthW +: LengthW] == '0) step = AtW'(InjectionBytes);
    end
  end

  assign valid_o = walk_i && step == AtW'(1);
  assign last_o = 32'(at_q) == End;
  il_select #(.Width(8), .Words(Bytes)) i_byte (.words_i(record), .index_i(at_q), .word_o(data_o));

  always_ff @(posedge clk_i) at_q <= walk_i ? at_q + step : '0;
endmodule
