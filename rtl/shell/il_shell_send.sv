// Interlace: an answer becomes a frame: header, payload, checks (docs/hil-protocol.md, section 2)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
module il_shell_send #(
  parameter int unsigned LengthW = 10  // bits of a payload's length
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               start_i,
  output logic               busy_o,
  // What is sent: it stays as it is while busy_o.
  input  logic [7:0]         type_i,
  input  logic [31:0]        sequence_i,
  input  logic [LengthW-1:0] length_i,
  output logic [LengthW-1:0] address_o,
  input  logic [7:0]         data_i,    // of the payload, at the address of the cycle before
  output logic               valid_o,
  output logic [7:0]         data_o,
  input  logic               ready_i
);
  typedef enum logic [1:0] {
    StateIdle,
    StateHeader,
    StatePayload,
    StateCheck
  } state_e;

  state_e state_q;
  logic [LengthW-1:0] at_q;  // byte of that part
  logic [31:0] crc_q;        // all ones after the check, which leaves it
  logic [31:0] length;
  logic sent, check, last;

  assign length = 32'(length_i);
  assign busy_o = state_q != StateIdle;
  assign valid_o = busy_o;
  assign sent = busy_o && ready_i;
  assign check = state_q == StateCheck || (state_q == StateHeader && at_q[4:2] == 3'd4);
  assign address_o = state_q == StatePayload ? at_q + LengthW'(sent) : '0;

  always_comb begin
    data_o = data_i;
    last = LengthW'(at_q + LengthW'(1)) == length_i;
    if (check) data_o = ~crc_q[7:0];
    if (state_q == StateCheck) last = at_q[1:0] == 2'd3;
    if (state_q == StateHeader) begin
      last = 32'(at_q) == il_shell_pkg::HeaderBytes - 1;
      case (at_q[4:2])
        3'd0: data_o = il_shell_pkg::Magic[8*at_q[1:0] +: 8];
        3'd1: data_o = at_q[1:0] == 2'd0 ? il_shell_pkg::Version : at_q[1:0] == 2'd1 ? type_i : '0;
        3'd2: data_o = sequence_i[8*at_q[1:0] +: 8];
        3'd3: data_o = length[8*at_q[1:0] +: 8];
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StateIdle;
      at_q    <= '0;
      crc_q   <= '1;
    end else if (start_i) begin
      state_q <= StateHeader;
    end else if (sent) begin
      at_q  <= last ? '0 : at_q + LengthW'(1);
      crc_q <= check ? {8'hff, crc_q[31:8]} : il_shell_pkg::crc32(crc_q, data_o);
      if (last) begin
        case (state_q)
          StateHeader:  state_q <= length_i == '0 ? StateCheck : StatePayload;
          StatePayload: state_q <= StateCheck;
          default:      state_q <= StateIdle;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && start_i)
      `IL_ASSERT(start_is_idle, !busy_o && crc_q == '1 && at_q == '0, "an answer starts while another one is under way");
  end
endmodule
