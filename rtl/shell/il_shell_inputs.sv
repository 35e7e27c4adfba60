// Interlace: an input record, byte by byte, becomes what the input pins of a node show (docs/hil-protocol.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_parameters.svh"
module il_shell_inputs #(
  `IL_NODE_PORTS,
  `IL_PIN_WIDTHS,
  localparam int unsigned FlitW = il_shell_pkg::FlitW
) (
  input  logic                         clk_i,
  input  logic                         clear_i,  // all pins show 0, and a record begins
  input  logic                         take_i,
  input  logic [7:0]                   data_i,
  output logic                         last_o,   // of the record's bytes
  output logic                         wrong_o,  // no record has this byte here
  output logic                         rst_no,
  output logic                         clk_en_o,
  output logic                         cfg_valid_o,
  output logic                         cfg_read_o,
  output logic [il_pkg::AddressW-1:0]  cfg_addr_o,
  output logic [31:0]                  cfg_data_o,
  output logic [Ports-1:0]             link_valid_o,
  output logic [Ports*VcW-1:0]         link_vc_o,
  output logic [Ports*FlitW-1:0]       link_flit_o,
  output logic [Ports*Vcs*LengthW-1:0] credit_o,
  output logic [Injections-1:0]        inj_valid_o,
  output logic [Injections*FlitW-1:0]  inj_flit_o,
  output logic [Receptions-1:0]        rx_ready_o
);
  typedef enum logic [2:0] {
    StateFlags,
    StateRegister,
    StateReady,
    StateItem,
    StatePlace,    // a port or a queue
    StateChannel,
    StateFlit,
    StateAmount
  } state_e;

  localparam logic [4:0] RegisterBytes = 5'd6;
  localparam logic [4:0] ReadyBytes = 5'd4;

  state_e state_q, state_d;
  logic [4:0] at_q, bytes;  // byte of what the state is about, and how many it has
  logic [7:0] item_q, channel_q;
  logic [3:0] place_q;
  logic [7:0] no_queue;     // bits of rx_ready_i beyond the last queue

  always_comb begin
    for (int unsigned b = 0; b < 8; b++) no_queue[b] = 8 * 32'(at_q) + b >= Receptions;
  end

  always_comb begin
    state_d = StateItem;
    bytes = 5'd1;
    wrong_o = 1'b0;
    case (state_q)
      StateFlags: begin
        state_d = data_i[3:2] != '0 ? StateRegister : StateReady;
        wrong_o = data_i[7:4] != '0;
      end
      StateRegister: begin
        state_d = StateReady;
        bytes = RegisterBytes;
      end
      StateReady: begin
        bytes = ReadyBytes;
        wrong_o = (data_i & no_queue) != '0;
      end
      StateItem: begin
        state_d = StatePlace;
        wrong_o = data_i > il_shell_pkg::ItemQueue;
      end
      StatePlace: begin
        state_d = item_q == il_shell_pkg::ItemQueue ? StateFlit : StateChannel;
        wrong_o = 32'(data_i) >= (item_q == il_shell_pkg::ItemQueue ? Injections : Ports);
      end
      StateChannel: begin
        state_d = item_q == il_shell_pkg::ItemLink ? StateFlit : StateAmount;
        wrong_o = 32'(data_i) >= (item_q == il_shell_pkg::ItemLink ? 1 << VcW : Vcs);
      end
      StateFlit: begin
        bytes = 5'(il_shell_pkg::FlitBytes);
        wrong_o = at_q == '0 && data_i[7:2] != '0;
      end
      StateAmount: wrong_o = data_i[7];
    endcase
  end
  assign last_o = state_q == StateItem && data_i == '0;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= StateFlags;
      at_q    <= '0;
    end else if (take_i) begin
      at_q <= at_q + 5'd1;
      if (at_q + 5'd1 == bytes) begin
        state_q <= state_d;
        at_q    <= '0;
      end
      if (state_q == StateItem) item_q <= data_i;
      if (state_q == StatePlace) place_q <= data_i[3:0];
      if (state_q == StateChannel) channel_q <= data_i;
    end
  end

  // The pins. What is longer than a byte is shifted in; a flit's marks come before its words, which they pass.
  function automatic logic [FlitW-1:0] shifted(input logic [FlitW-1:0] flit, input logic [7:0] data);
    logic [FlitW-1:0] words_and_marks;
    words_and_marks = {flit[FlitW-3:0], flit[FlitW-1:FlitW-2]};
    words_and_marks = {data, words_and_marks[FlitW-1:10], words_and_marks[3:2]};
    shifted = {words_and_marks[1:0], words_and_marks[FlitW-1:2]};
  endfunction

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {cfg_read_o, cfg_valid_o, clk_en_o, rst_no} <= '0;
      {cfg_data_o, cfg_addr_o} <= '0;
      rx_ready_o <= '0;
    end else if (take_i) begin
      if (state_q == StateFlags) {cfg_read_o, cfg_valid_o, clk_en_o, rst_no} <= data_i[3:0];
      if (state_q == StateRegister) {cfg_data_o, cfg_addr_o} <= {data_i, cfg_data_o, cfg_addr_o[15:8]};
      for (int unsigned r = 0; r < Receptions; r++) begin
        if (state_q == StateReady && 32'(at_q) == r / 8) rx_ready_o[r] <= data_i[r%8];
      end
    end
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        link_valid_o[p] <= 1'b0;
        link_vc_o[p*VcW +: VcW] <= '0;
        link_flit_o[p*FlitW +: FlitW] <= '0;
        credit_o[p*Vcs*LengthW +: Vcs*LengthW] <= '0;
      end else if (take_i && 32'(place_q) == p) begin
        if (state_q == StateFlit && item_q == il_shell_pkg::ItemLink) begin
          link_valid_o[p] <= 1'b1;
          link_vc_o[p*VcW +: VcW] <= channel_q[VcW-1:0];
          link_flit_o[p*FlitW +: FlitW] <= shifted(link_flit_o[p*FlitW +: FlitW], data_i);
        end
        for (int unsigned v = 0; v < Vcs; v++) begin
          if (state_q == StateAmount && 32'(channel_q) == v) credit_o[(p*Vcs+v)*LengthW +: LengthW] <= data_i[LengthW-1:0];
        end
      end
    end
  end

  for (genvar i = 0; i < Injections; i++) begin : gen_injection
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        inj_valid_o[i] <= 1'b0;
        inj_flit_o[i*FlitW +: FlitW] <= '0;
      end else if (take_i && 32'(place_q) == i && state_q == StateFlit && item_q == il_shell_pkg::ItemQueue) begin
        inj_valid_o[i] <= 1'b1;
        inj_flit_o[i*FlitW +: FlitW] <= shifted(inj_flit_o[i*FlitW +: FlitW], data_i);
      end
    end
  end
endmodule
