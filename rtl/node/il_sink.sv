// Interlace: what packets leave through: arbitration, channels and credits (docs/node.md, section 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_sink #(
  parameter int unsigned Sources = 4,
  parameter int unsigned Vcs = 1,
  parameter int unsigned PtrW = 7,
  parameter int unsigned CreditW = 10,
  localparam int unsigned SourceW = $clog2(Sources),
  localparam int unsigned LengthW = il_pkg::LengthW,
  localparam int unsigned VcW = il_pkg::VcW
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       enable_i,
  input  logic                       wormhole_i,
  input  logic [Vcs-1:0]             vcs_i,
  input  logic [CreditW-1:0]         depth_i,
  input  logic [Vcs*LengthW-1:0]     give_i,
  // The sources' head packets.
  input  logic [Sources-1:0]         want_i,
  input  logic [Sources-1:0]         high_i,
  input  logic [Sources*LengthW-1:0] length_i,
  input  logic [Sources*Vcs-1:0]     allowed_i,  // channels
  input  logic [Sources*PtrW-1:0]    read_i,
  input  logic [Sources*PtrW-1:0]    write_i,
  output logic [Sources-1:0]         grant_o,    // a branch starts ...
  output logic [Sources-1:0]         move_o,     // ... moves a flit ...
  output logic [Sources-1:0]         finish_o,   // ... moves the tail
  // The flit that moves in this cycle.
  output logic                       valid_o,
  output logic [VcW-1:0]             vc_o,
  output logic [SourceW-1:0]         source_o,
  output logic [PtrW-1:0]            pointer_o,
  output logic                       credit_error_o
);
  // Per channel: the branch that holds it.
  logic [Vcs-1:0] held_q, held_d;
  logic [Vcs*SourceW-1:0] source_q, source_d;
  logic [Vcs*PtrW-1:0] pointer_q, pointer_d;
  logic [Vcs*LengthW-1:0] left_q, left_d;

  logic [Vcs*CreditW-1:0] credits;
  logic [Vcs*LengthW-1:0] take;
  logic [Vcs-1:0] credit_error, ready, usable;
  logic [Sources-1:0] candidate, winner, own;
  logic [SourceW-1:0] winner_index;
  logic [LengthW-1:0] need, left;
  logic found, continues, room_for_one;

  // A channel whose holder's next flit is in its queue.
  always_comb begin
    ready = '0;
    own = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (held_q[v]) begin
        ready[v] = pointer_q[v*PtrW +: PtrW] != write_i[32'(source_q[v*SourceW +: SourceW])*PtrW +: PtrW];
        if (wormhole_i && ready[v] && credits[v*CreditW +: CreditW] != '0)
          own[source_q[v*SourceW +: SourceW]] = 1'b1;
      end
    end
  end

  always_comb begin
    candidate = own;
    if (want_i != '0 && (wormhole_i || held_q == '0)) begin
      for (int unsigned s = 0; s < Sources; s++) begin
        if (want_i[s]) begin
          for (int unsigned v = 0; v < Vcs; v++) begin
            if (vcs_i[v] && allowed_i[s*Vcs + v] && !held_q[v] && credits[v*CreditW +: CreditW] >=
                (room_for_one ? CreditW'(1) : CreditW'(length_i[s*LengthW +: LengthW])))
              candidate[s] = 1'b1;
          end
        end
      end
    end
  end

  il_arbiter #(.Requests(Sources)) i_arbiter (
    .clk_i,
    .rst_ni,
    .request_i(candidate),
    .high_i,
    .grant_o  (winner)
  );

  always_comb begin
    winner_index = '0;
    if (winner != '0) begin
      for (int unsigned s = 0; s < Sources; s++) begin
        if (winner[s]) winner_index = SourceW'(s);
      end
    end
  end

  // The channel that moves a flit, and whether its branch is one that started before.
  always_comb begin
    found = 1'b0;
    continues = 1'b0;
    vc_o = '0;
    source_o = '0;
    pointer_o = '0;
    left = '0;
    need = '0;
    usable = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (ready[v] && (wormhole_i ? (winner != '0 && own[winner_index] &&
                                     source_q[v*SourceW +: SourceW] == winner_index) : 1'b1)) begin
        continues = 1'b1;
        found = 1'b1;
        vc_o = VcW'(v);
        source_o = source_q[v*SourceW +: SourceW];
        pointer_o = pointer_q[v*PtrW +: PtrW];
        left = left_q[v*LengthW +: LengthW] - LengthW'(1);
        need = wormhole_i ? LengthW'(1) : '0;
      end
    end
    if (!continues && winner != '0) begin
      source_o = winner_index;
      pointer_o = read_i[32'(winner_index)*PtrW +: PtrW];
      left = length_i[32'(winner_index)*LengthW +: LengthW] - LengthW'(1);
      need = wormhole_i ? LengthW'(1) : length_i[32'(winner_index)*LengthW +: LengthW];
      for (int unsigned v = 0; v < Vcs; v++) begin
        usable[v] = vcs_i[v] && allowed_i[32'(winner_index)*Vcs + v] && !held_q[v] && credits[v*CreditW +: CreditW] >= CreditW'(need);
        if (usable[v] && !found) begin
          found = 1'b1;
          vc_o = VcW'(v);
        end
      end
    end
  end

  always_comb begin
    held_d = held_q;
    source_d = source_q;
    pointer_d = pointer_q;
    left_d = left_q;
    take = '0;
    grant_o = '0;
    move_o = '0;
    finish_o = '0;
    if (found) begin
      move_o[source_o] = 1'b1;
      grant_o[source_o] = !continues;
      finish_o[source_o] = left == '0;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (VcW'(v) == vc_o) begin
          held_d[v] = left != '0;
          source_d[v*SourceW +: SourceW] = source_o;
          pointer_d[v*PtrW +: PtrW] = pointer_o + PtrW'(1);
          left_d[v*LengthW +: LengthW] = left;
          take[v*LengthW +: LengthW] = need;
        end
      end
    end
  end

  assign valid_o = found;
  assign credit_error_o = credit_error != '0;

  for (genvar v = 0; v < Vcs; v++) begin : gen_credits
    il_credit_counter #(
      .Width  (CreditW),
      .AmountW(LengthW)
    ) i_credits (
      .clk_i,
      .rst_ni,
      .enable_i,
      .depth_i,
      .take_i (take[v*LengthW +: LengthW]),
      .give_i (give_i[v*LengthW +: LengthW]),
      .count_o(credits[v*CreditW +: CreditW]),
      .error_o(credit_error[v])
    );
  end

`ifdef IL_DEFECTS
  int unsigned defect;
  initial if (!$value$plusargs("il_defect=%d", defect)) defect = 0;
  // A whole packet's room is not asked for, only a flit's.
  assign room_for_one = wormhole_i || defect == 5;
`else
  assign room_for_one = wormhole_i;
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q    <= '0;
      source_q  <= '0;
      pointer_q <= '0;
      left_q    <= '0;
    end else begin
      held_q    <= held_d;
      source_q  <= source_d;
      pointer_q <= pointer_d;
      left_q    <= left_d;
    end
  end
endmodule
