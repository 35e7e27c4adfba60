// Interlace: what packets leave through: arbitration, channels and credits (docs/node.md, section 5)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_parameters.svh"
module il_sink #(
  `IL_SINK
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       clk_en_i,
  input  logic                       enable_i,
  input  logic                       clear_i,      // credit_error_o, unless there is another
  input  logic                       wormhole_i,
  input  logic [Vcs-1:0]             vcs_i,
  input  logic [CreditW-1:0]         depth_i,
  input  logic [il_pkg::CyclesW-1:0] cycles_per_flit_i,
  input  logic [Vcs-1:0]             dynamic_i,
  input  logic [LengthW-1:0]         slot_flits_i,
  input  logic                       by_credits_i,   // channels are chosen by credits ...
  input  logic                       by_level_i,     // ... and sources served by level, ...
  input  logic [7:0]                 round_robin_every_i,  // ... but of so many winners one, if not 0
  input  logic [Vcs*LengthW-1:0]     give_i,
  // The sources' head packets.
  input  logic [Sources-1:0]         want_i,
  input  logic [Sources-1:0]         high_i,
  input  logic [2*Sources-1:0]       level_i,     // [bit][source]: of them or of their queues
  input  logic [Sources*LengthW-1:0] length_i,
  input  logic [Vcs*Sources-1:0]     channels_i,  // [channel][source]
  input  logic [Sources-1:0]         escape_i,    // counts for a slot, whatever its length, ...
  input  logic [Sources-1:0]         enters_i,    // ... and asks for two
  input  logic [Sources*PtrW-1:0]    read_i,
  input  logic [Sources*PtrW-1:0]    write_i,
  // The flit that moves in this cycle.
  output logic                       valid_o,
  output logic                       start_o,     // the first of its branch
  output logic                       finish_o,    // the last
  output logic [VcW-1:0]             vc_o,
  output logic [SourceW-1:0]         source_o,
  output logic [PtrW-1:0]            pointer_o,
  output logic                       open_o,         // free, with room for a slot in a dynamic channel; 0 where slot_flits_i is
  output logic [1:0]                 free_o,         // by_credits_i: level of the most credits of such a channel
  output logic                       stall_o,        // in the last cycle something waited for room alone
  output logic                       credit_error_o, // since reset or clear_i
  output logic                       all_credits_o   // nothing is behind the sink
);
  if (Sources < 2) begin : gen_bad_sources
    $error("il_sink: Sources is %0d, expected 2 or more", Sources);
  end
  if (Vcs < 1 || Vcs > 4) begin : gen_bad_vcs
    $error("il_sink: Vcs is %0d, expected 1 to 4", Vcs);
  end
  if (EveryW < 1 || EveryW > 8) begin : gen_bad_every_w
    $error("il_sink: EveryW is %0d, expected 1 to 8", EveryW);
  end

  // Of all sources' pointers that of one. To Yosys a part-select is a multiplier and a shifter.
  function automatic logic [PtrW-1:0] pointer_of(input logic [Sources*PtrW-1:0] pointers, input logic [SourceW-1:0] source);
`ifdef SYNTHESIS
    pointer_of = '0;
    for (int unsigned s = 0; s < Sources; s++) begin
      if (source == SourceW'(s)) pointer_of = pointer_of | pointers[s*PtrW +: PtrW];
    end
`else
    pointer_of = pointers[32'(source)*PtrW +: PtrW];
`endif
  endfunction

  // The branch that holds a channel: one a channel, of which only worms need more than one.
  logic [Vcs-1:0] held_q;
  logic [Vcs*SourceW-1:0] source_q;
  logic [Vcs*PtrW-1:0] pointer_q;
  logic [Vcs*LengthW-1:0] left_q;

  logic [Vcs*CreditW-1:0] credits;
  logic [Vcs*LengthW-1:0] take;
  logic [Vcs-1:0] ready;
  logic [Sources-1:0] candidate, highest, own, starters, fits;  // fits: on one channel
  logic [Sources-1:0] winner;
  logic by_level;
  logic [LengthW-1:0] need, left;
  logic [LengthW:0] room, room_of_winner;
  logic room_for_one, waits, escapes;
  logic [EveryW-1:0] winners_q;  // that started since the last by round robin
  logic [EveryW:0] winners, every;
  logic [1:0] most, level, level_of_open;
  logic [il_pkg::CyclesW-1:0] busy_q;  // cycles until the link can take another flit

  // Who may move a flit. Nobody asks of most sinks in most cycles: they decide once.
  always_comb begin
    ready = '0;
    own = '0;
    waits = 1'b0;
    fits = '0;
    candidate = '0;
    room = '0;
    if ((held_q != '0 || want_i != '0) && busy_q == '0) begin
      // The channels whose holders can: the flit is in its queue, and paid for or to be paid from a credit.
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (held_q[v]) begin
          if (pointer_q[v*PtrW +: PtrW] != pointer_of(write_i, source_q[v*SourceW +: SourceW])) begin
            waits = 1'b1;
            ready[v] = !wormhole_i || credits[v*CreditW +: CreditW] != '0;
            if (wormhole_i && ready[v]) own[source_q[v*SourceW +: SourceW]] = 1'b1;
          end
        end
      end
      candidate = own;
      if (want_i != '0 && (wormhole_i || held_q == '0)) begin
        waits = 1'b1;
        for (int unsigned v = 0; v < Vcs; v++) begin
          if (vcs_i[v] && !held_q[v] && credits[v*CreditW +: CreditW] != '0) begin
            fits = want_i & channels_i[v*Sources +: Sources];
            // Room for a flit is known by now; for whole packets each has its own need.
            if (!room_for_one) begin
              for (int unsigned s = 0; s < Sources; s++) begin
                room = {1'b0, length_i[s*LengthW +: LengthW]};
                if (escape_i[s]) room = enters_i[s] ? {slot_flits_i, 1'b0} : {1'b0, slot_flits_i};
                if (32'(credits[v*CreditW +: CreditW]) < 32'(room)) fits[s] = 1'b0;
              end
            end
            candidate = candidate | fits;
          end
        end
      end
    end
  end

  always_comb begin
    every = '0;
    winners = '0;
    by_level = 1'b0;
    starters = '0;
    if (il_pkg::Synthesis || by_level_i) begin
      every = (EveryW+1)'(9'(round_robin_every_i));
      winners = (EveryW+1)'(winners_q) + (EveryW+1)'(1);
      starters = ((candidate & high_i) != '0 ? candidate & high_i : candidate) & ~own;
      by_level = by_level_i && (winners != every || starters == '0);
    end
  end

  il_highest #(.Requests(Sources)) i_highest (
    .request_i(by_level ? candidate : '0),
    .high_i,
    .level_i,
    .highest_o(highest)
  );

  // Each has its own last winner, so that round robin comes to everyone, whoever is on the highest level.
  il_arbiter #(.Requests(Sources), .Rounds(2), .Guarded(!il_pkg::Synthesis)) i_arbiter (
    .clk_i,
    .rst_ni,
    .clk_en_i,
    .round_i  (by_level),
    .request_i(by_level ? highest : by_level_i ? starters : candidate),
    .high_i,
    .grant_o  (winner)
  );

  always_comb begin
    valid_o = 1'b0;
    start_o = 1'b0;
    finish_o = 1'b0;
    vc_o = '0;
    source_o = '0;
    pointer_o = '0;
    left = '0;
    need = '0;
    room_of_winner = '0;
    most = '0;
    level = '0;
    escapes = 1'b0;
    take = '0;
    if (ready != '0 || winner != '0) begin
      // A branch that started before ...
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (ready[v] && (!wormhole_i || winner[source_q[v*SourceW +: SourceW]])) begin
          valid_o = 1'b1;
          vc_o = VcW'(v);
          source_o = source_q[v*SourceW +: SourceW];
          pointer_o = pointer_q[v*PtrW +: PtrW];
          left = left_q[v*LengthW +: LengthW];
          need = LengthW'(wormhole_i);
        end
      end
      // ... or one that starts, on the lowest channel, or the lowest of those with the most credits.
      if (!valid_o) begin
        for (int unsigned s = 0; s < Sources; s++) begin
          if (winner[s]) begin
            source_o = source_o | SourceW'(s);
            pointer_o = pointer_o | read_i[s*PtrW +: PtrW];
            left = left | length_i[s*LengthW +: LengthW];
          end
        end
        escapes = (escape_i & winner) != '0;
        need = wormhole_i ? LengthW'(1) : (escapes ? slot_flits_i : left);
        room_of_winner = {1'b0, need};
        if (!wormhole_i && escapes && (enters_i & winner) != '0) room_of_winner = {slot_flits_i, 1'b0};
        for (int unsigned v = 0; v < Vcs; v++) begin
          if (vcs_i[v] && (channels_i[v*Sources +: Sources] & winner) != '0 && !held_q[v] &&
              32'(credits[v*CreditW +: CreditW]) >= 32'(room_of_winner)) begin
            if (by_credits_i) level = il_pkg::level(32'(credits[v*CreditW +: CreditW]), 32'(depth_i));
            if (!valid_o || level > most) begin
              valid_o = 1'b1;
              start_o = 1'b1;
              vc_o = VcW'(v);
              most = level;
            end
          end
        end
      end
      finish_o = valid_o && left == LengthW'(1);
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (valid_o && vc_o == VcW'(v)) take[v*LengthW +: LengthW] = need;
      end
    end
  end

  always_comb begin
    open_o = 1'b0;
    free_o = '0;
    level_of_open = '0;
    if (slot_flits_i != '0) begin
      if (held_q == '0 && busy_q == '0) begin
        for (int unsigned v = 0; v < Vcs; v++) begin
          if (vcs_i[v] && dynamic_i[v] && 32'(credits[v*CreditW +: CreditW]) >= 32'(slot_flits_i)) begin
            open_o = 1'b1;
            if (by_credits_i) level_of_open = il_pkg::level(32'(credits[v*CreditW +: CreditW]), 32'(depth_i));
            if (level_of_open > free_o) free_o = level_of_open;
          end
        end
      end
    end
  end

  il_credit_counter #(
    .Counters(Vcs),
    .Width   (CreditW),
    .AmountW (LengthW),
    .Guarded(!il_pkg::Synthesis),
    .Trusted (Trusted)
  ) i_credits (
    .clk_i,
    .rst_ni,
    .clk_en_i,
    .enable_i,
    .clear_i,
    .depth_i,
    .take_i (take),
    .give_i,
    .count_o(credits),
    .error_o(credit_error_o)
  );

  assign all_credits_o = credits == {Vcs{depth_i}};

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
      busy_q    <= '0;
      winners_q <= '0;
      stall_o   <= 1'b0;
    end else if (clk_en_i) begin
      if (valid_o) begin
        for (int unsigned v = 0; v < Vcs; v++) begin
          if (vc_o == VcW'(v)) begin
            held_q[v] <= !finish_o;
            source_q[v*SourceW +: SourceW] <= source_o;
            pointer_q[v*PtrW +: PtrW] <= pointer_o + PtrW'(1);
            left_q[v*LengthW +: LengthW] <= left - LengthW'(1);
          end
        end
        busy_q <= cycles_per_flit_i - il_pkg::CyclesW'(cycles_per_flit_i != '0);
      end else if (busy_q != '0) begin
        busy_q <= busy_q - il_pkg::CyclesW'(1);
      end
      if (by_level_i && start_o) winners_q <= winners >= every ? '0 : winners[EveryW-1:0];
      stall_o <= waits && !valid_o;
    end
  end
endmodule
