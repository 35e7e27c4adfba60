// Interlace: what becomes of each frame: sessions, hellos, cycles, refusals, repetition (docs/hil-protocol.md, sections 2 to 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// A frame's payload is taken a byte a cycle. An answer repeats the numbers of its question, which are written into it as they pass.
`include "il_assert.svh"
module il_shell_execute #(
  parameter int unsigned Nodes = 1,
  parameter int unsigned Slots = 2,            // of the nodes' tables
  parameter int unsigned AnswerW = 10,         // bits of an answer's length
  parameter logic [8*il_shell_pkg::WelcomeBytes-1:0] Welcome = '0,  // behind the check of *hello*, the first byte highest
  localparam int unsigned SlotW = $clog2(Slots),
  localparam int unsigned NodeW = Nodes > 1 ? $clog2(Nodes) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               frame_i,
  input  logic               long_i,
  input  logic [7:0]         type_i,
  input  logic [31:0]        sequence_i,
  output logic               done_o,
  input  logic [7:0]         data_i,
  input  logic               end_i,
  output logic               next_o,
  // The bytes of a record to the input pins, a rising edge, and what the output pins show then.
  output logic               clear_o,
  output logic               take_o,
  input  logic               last_i,
  input  logic               wrong_i,
  input  logic               unlike_i,  // the pins write a register that the nodes have otherwise
  output logic [NodeW-1:0]   node_o,
  output logic               edge_o,    // node_o has one
  output logic               walk_o,
  input  logic               output_valid_i,
  input  logic [7:0]         output_i,
  input  logic               output_last_i,
  // All nodes begin anew: first they are reset, then a slot a cycle is 0.
  output logic               anew_o,
  output logic               reset_o,
  output logic [SlotW-1:0]   slot_o,
  // The answer, which can be sent again.
  output logic               write_o,
  output logic [7:0]         data_o,
  output logic [7:0]         type_o,
  output logic [31:0]        sequence_o,
  output logic [AnswerW-1:0] length_o,  // so far
  output logic               send_o,
  input  logic               busy_i
);
  typedef enum logic [4:0] {
    StateIdle,
    // hello
    StateSession,   // whose it is
    StateSizes,
    StateCount,     // of nodes
    StateNumber,    // of each node
    StateSettings,  // their number
    StateSetting,   // each
    StateKinds,
    StateCheck,
    StateAnew,
    // cycles
    StateCycles,    // their number
    StateRecords,   // their number
    StateNext,      // is there one
    StateNode,
    StateRecord,
    StateEdge,
    StateOutput,
    // an answer without a number of the question's
    StateSay
  } state_e;

  localparam int unsigned AtW = 6;
  // What a state takes of the payload, in bytes.
  function automatic logic [AtW-1:0] bytes_of(input state_e state);
    case (state)
      StateSession:                            bytes_of = AtW'(8);
      StateSizes:                              bytes_of = AtW'(40);
      StateSetting:                            bytes_of = AtW'(6);
      StateSettings, StateCycles:              bytes_of = AtW'(2);
      StateCount, StateNumber, StateCheck, StateRecords, StateNode: bytes_of = AtW'(4);
      default:                                 bytes_of = AtW'(1);
    endcase
  endfunction

  state_e state_q, state_d;
  logic [AtW-1:0] at_q;         // byte of what the state takes or says
  logic [23:0] value_q;         // the last bytes ...
  logic [31:0] value;           // ... with the one that comes: a number
  logic [15:0] times_q;         // to come of what there is several of
  logic [63:0] session_q;
  logic met_q, same_q, same;    // met_q: there is a session; same: so far this hello has the same
  logic serving_q;              // there was a welcome, and no goodbye
  logic [Nodes-1:0] seen_q;     // in this cycle
  il_shell_pkg::say_e say_q, why;
  logic [7:0] said;
  logic [AtW-1:0] said_length;
  logic hello, is_next, is_last, parses, take, last, begins, refuse, answered, dropped;
  logic too_many;  // nodes, or records

  // By its number a question is the next one, or the last one once more.
  assign hello = type_i == il_shell_pkg::TypeHello && sequence_i == 32'd1;
  assign is_next = sequence_i - sequence_o == 32'd1;
  assign is_last = sequence_i == sequence_o && type_o != il_shell_pkg::TypeNone;
  assign same = (same_q || at_q == '0) && data_i == session_q[7:0];

  assign parses = state_q != StateIdle && state_q != StateAnew && state_q != StateNext && state_q != StateEdge && state_q != StateOutput &&
      state_q != StateSay;
  assign take = parses && end_i == (state_q == StateCheck);
  assign last = at_q == bytes_of(state_q) - AtW'(1);
  assign value = {data_i, value_q};
  assign too_many = value[31:NodeW+1] != '0 || value[NodeW:0] > (NodeW+1)'(Nodes);

  always_comb begin
    state_d = state_q;
    begins = 1'b0;
    refuse = parses && !take;
    why = il_shell_pkg::SayBroken;
    answered = 1'b0;
    dropped = 1'b0;
    case (state_q)
      StateIdle: if (frame_i && !busy_i) begin
        if (hello && !long_i) begin
          state_d = StateSession;
        end else if (hello || is_next) begin
          begins = 1'b1;
          refuse = 1'b1;
          why = il_shell_pkg::SayQuestion;
          if (long_i) begin
            why = il_shell_pkg::SayLong;
          end else if (type_i == il_shell_pkg::TypeGoodbye) begin
            why = il_shell_pkg::SayBroken;
            refuse = !end_i;
            answered = end_i;
          end else if (type_i == il_shell_pkg::TypeHello || type_i == il_shell_pkg::TypeCycles) begin
            why = il_shell_pkg::SayHello;
            refuse = type_i == il_shell_pkg::TypeHello || !serving_q;
            state_d = StateCycles;
          end
        end else begin
          answered = is_last;
          dropped = !is_last;
        end
      end
      StateSession: begin
        begins = !take;
        if (last && take) begin
          begins = !same || !met_q;
          state_d = StateSizes;
          if (!begins) begin
            answered = is_last;
            dropped = !is_last;
          end
        end
      end
      StateSizes: if (last) state_d = StateCount;
      StateCount: if (last) begin
        state_d = value == '0 ? StateSettings : StateNumber;
        if (too_many) begin
          refuse = 1'b1;
          why = il_shell_pkg::SayNodes;
        end
      end
      StateNumber: if (last && times_q == 16'd1) state_d = StateSettings;
      StateSettings: if (last) state_d = value[31:16] == '0 ? StateKinds : StateSetting;
      StateSetting: if (last && times_q == 16'd1) state_d = StateKinds;
      StateKinds: state_d = StateCheck;
      StateCheck: if (last) state_d = StateAnew;
      StateAnew: if (times_q == '0) state_d = StateSay;
      StateCycles: if (last) begin
        state_d = StateRecords;
        if (value[31:16] != 16'd1) begin
          refuse = 1'b1;
          why = il_shell_pkg::SayCycles;
        end
      end
      StateRecords: if (last) begin
        state_d = StateNext;
        if (too_many) refuse = 1'b1;
      end
      StateNext: if (times_q != '0) begin
        state_d = StateNode;
      end else begin
        answered = end_i;
        refuse = !end_i;
      end
      StateNode: if (last) begin
        state_d = StateRecord;
        if (too_many || value[NodeW:0] == (NodeW+1)'(Nodes) || seen_q[value[NodeW-1:0]]) refuse = 1'b1;
      end
      StateRecord: begin
        if (last_i) state_d = StateEdge;
        if (wrong_i) refuse = 1'b1;
      end
      StateEdge: begin
        state_d = StateOutput;
        refuse = unlike_i;
        why = il_shell_pkg::SayRegisters;
      end
      StateOutput: if (output_last_i) state_d = StateNext;
      StateSay: answered = at_q == said_length;
      default: ;
    endcase
    if (answered || dropped) state_d = StateIdle;
    if (refuse) state_d = StateSay;
  end

  assign next_o = take;
  assign done_o = answered || dropped;
  assign send_o = answered;
  assign clear_o = state_q == StateNode || state_q == StateCheck;
  assign take_o = take && state_q == StateRecord;
  assign edge_o = state_q == StateEdge;
  assign walk_o = state_q == StateOutput;
  assign anew_o = state_q == StateAnew;
  assign reset_o = times_q == 16'(Slots);
  assign slot_o = times_q[SlotW-1:0];

  always_comb begin
    write_o = 1'b0;
    data_o = data_i;
    case (state_q)
      StateCheck, StateCycles, StateRecords, StateNode: write_o = take;
      StateOutput: {write_o, data_o} = {output_valid_i, output_i};
      StateSay: {write_o, data_o} = {at_q != '0, said};
      default: ;
    endcase
  end

  il_shell_sentences #(.Welcome(Welcome)) i_sentences (
    .clk_i,
    .say_i   (say_q),
    .at_i    (at_q),
    .data_o  (said),
    .length_o(said_length)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= StateIdle;
      at_q       <= '0;
      met_q      <= 1'b0;
      serving_q  <= 1'b0;
      type_o     <= il_shell_pkg::TypeNone;
      sequence_o <= '0;
    end else begin
      state_q <= state_d;
      if (state_d == StateIdle || refuse || (parses && last)) at_q <= '0;
      else if (parses || state_q == StateSay) at_q <= at_q + AtW'(1);
      if (begins) begin
        sequence_o <= sequence_i;
        type_o <= hello ? il_shell_pkg::TypeWelcome : type_i;
        if (hello) met_q <= 1'b1;
        if (hello || type_i == il_shell_pkg::TypeGoodbye) serving_q <= 1'b0;
      end
      if (anew_o) serving_q <= 1'b1;
      if (refuse) type_o <= il_shell_pkg::TypeRefusal;
    end
  end

  always_ff @(posedge clk_i) begin
    if (begins || refuse) length_o <= '0;
    else if (write_o) length_o <= length_o + AnswerW'(1);
    if (take) value_q <= value[31:8];
    if (state_q == StateSession && take) begin
      same_q <= same;
      session_q <= {data_i, session_q[63:8]};
    end
    if (refuse) say_q <= why;
    else if (anew_o) say_q <= il_shell_pkg::SayWelcome;
    case (state_q)
      StateCount, StateRecords: times_q <= value[15:0];
      StateSettings: times_q <= value[31:16];
      StateCheck: times_q <= 16'(Slots);
      StateNumber, StateSetting: if (last) times_q <= times_q - 16'd1;
      StateAnew: times_q <= times_q - 16'd1;
      StateOutput: if (output_last_i) times_q <= times_q - 16'd1;
      default: ;
    endcase
    if (state_q == StateRecords) seen_q <= '0;
    if (state_q == StateNode && last) begin
      node_o <= value[NodeW-1:0];
      if (!refuse) seen_q[value[NodeW-1:0]] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (write_o) `IL_ASSERT(answer_fits, length_o != '1, "an answer is longer than its memory");
      `IL_ASSERT(refusal_goes_on, !refuse || !done_o, "a question is refused and done with in one cycle");
      if (send_o) `IL_ASSERT(send_is_idle, !busy_i, "an answer is sent while another one is under way");
    end
  end
endmodule
