// Interlace: what packets of a pipelined node leave through: requests, arbitration, channels and credits, each in a cycle of its
// own (docs/node.md, section 14)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
`include "il_parameters.svh"
module il_pipelined_sink #(
  `IL_SINK,
  parameter logic [il_pkg::LengthW-1:0] LengthBits = {il_pkg::LengthW{1'b1}}  // of packets' lengths, those that can be 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       clk_en_i,
  input  logic                       enable_i,
  input  logic                       clear_i,      // credit_error_o, unless there is another
  input  logic [Vcs-1:0]             vcs_i,
  input  logic [CreditW-1:0]         depth_i,
  input  logic [il_pkg::CyclesW-1:0] cycles_per_flit_i,
  input  logic [Vcs-1:0]             dynamic_i,
  input  logic [Vcs-1:0]             escape_channels_i,  // by which packets escape
  input  logic [LengthW-1:0]         slot_flits_i,
  input  logic                       by_credits_i,   // channels are chosen by credits ...
  input  logic                       by_level_i,     // ... and sources served by level, ...
  input  logic [7:0]                 round_robin_every_i,  // ... but of so many winners one, if not 0
  input  logic [Vcs*LengthW-1:0]     give_i,
  // The first cycle: who asks, and for what.
  input  logic [Sources-1:0]         asks_i,
  input  logic [Vcs*Sources-1:0]     asks_channels_i,  // [channel][source]
  input  logic [Sources-1:0]         asks_escape_i,    // counts for a slot, whatever its length, ...
  input  logic [Sources-1:0]         asks_enters_i,    // ... and asks for two
  // The second: of those who asked in the last one.
  input  logic [Sources-1:0]         high_i,
  input  logic [2*Sources-1:0]       level_i,          // [bit][source]: of them or of their queues
  input  logic [7*Sources-1:0]       rank_i,           // [{high, level} - 1][source]: the same, one-hot
  input  logic [Sources-1:0]         gone_i,           // it has started elsewhere: an adaptive packet asks for one sink after the other
  // The third: the sources' head packets, as they asked two cycles ago.
  input  logic [Vcs*Sources-1:0]     channels_i,
  input  logic [Sources-1:0]         escape_i,
  input  logic [Sources-1:0]         enters_i,
  input  logic [Sources*LengthW-1:0] length_i,
  input  logic [Sources*PtrW-1:0]    read_i,
  input  logic [Sources*LengthW-1:0] missing_i,        // flits of the packet that will not have come in the next cycle
  // The flit that moves in this cycle, and whose: one-hot.
  output logic                       valid_o,
  output logic                       start_o,
  output logic                       finish_o,
  output logic [Sources-1:0]         moves_o,
  output logic [Sources-1:0]         starts_o,    // the first of its branch
  output logic [Sources-1:0]         ends_o,      // the last
  output logic [Sources-1:0]         closes_o,    // a branch that started before will have ended in the next cycle
  output logic [VcW-1:0]             vc_o,
  output logic [SourceW-1:0]         source_o,
  output logic [PtrW-1:0]            pointer_o,
  output logic                       open_o,         // free, with room for a slot in a dynamic channel; 0 where slot_flits_i is
  output logic [1:0]                 free_o,         // by_credits_i: level of the most credits of such a channel
  output logic                       stall_o,        // in the last cycle something waited for room alone
  output logic                       credit_error_o, // since reset or clear_i
  output logic                       all_credits_o   // nothing is behind the sink
);
  if (Vcs < 1 || Vcs > 4) begin : gen_bad_vcs
    $error("il_pipelined_sink: Vcs is %0d, expected 1 to 4", Vcs);
  end
  if (EveryW < 1 || EveryW > 8) begin : gen_bad_every_w
    $error("il_pipelined_sink: EveryW is %0d, expected 1 to 8", EveryW);
  end

  // The branch that holds the sink; whose it is, or who was nominated for a sink that is free.
  logic held_q, held_d;
  logic [Sources-1:0] who_q, grant;
  logic [SourceW-1:0] source_q, nominee;
  logic [VcW-1:0] vc_q;
  logic [PtrW-1:0] pointer_q;            // its next flit
  logic [LengthW-1:0] left_q, missing_q; // its flits that have not moved; those of them that have not come
  logic [il_pkg::CyclesW-1:0] busy_q;    // cycles until the link can take another flit
  logic [EveryW-1:0] winners_q;          // that started since the last by round robin

  logic [Sources-1:0] asks_q, request_d, request_q, candidate;
  logic [Sources-1:0] last_q;            // who started in the last cycle
  logic started_q, waits_q, by_level;

  logic [Vcs*CreditW-1:0] credits;
  logic [Vcs*LengthW-1:0] take;
  logic [Vcs-1:0] slot_fits, two_fit, allowed, channel;  // channel: the winner's
  logic [2*Vcs-1:0] level;
  logic ready, free, start, ends, escapes, enters;
  logic [LengthW-1:0] length, missing;
  logic [PtrW-1:0] read;
  logic [EveryW:0] winners, every;
  logic [1:0] most;

  for (genvar v = 0; v < Vcs; v++) begin : gen_room
    assign slot_fits[v] = vcs_i[v] && 32'(credits[v*CreditW +: CreditW]) >= 32'(slot_flits_i);
    assign two_fit[v] = vcs_i[v] && escape_channels_i[v] && 32'(credits[v*CreditW +: CreditW]) >= 32'({slot_flits_i, 1'b0});
    assign level[2*v +: 2] = by_credits_i ? il_pkg::level(32'(credits[v*CreditW +: CreditW]), 32'(depth_i)) : '0;
  end

  // Who asks requests if one of the channels has room for a packet of any size.
  always_comb begin
    request_d = '0;
    if (il_pkg::Synthesis || asks_i != '0) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (two_fit[v] || (slot_fits[v] && !escape_channels_i[v])) request_d = request_d | (asks_i & asks_channels_i[v*Sources +: Sources]);
        else if (slot_fits[v]) request_d = request_d | (asks_i & asks_channels_i[v*Sources +: Sources] & ~(asks_escape_i & asks_enters_i));
      end
    end
  end

  // Of those who requested in the last cycle one is nominated, unless it has started meanwhile.
  assign candidate = request_q & ~last_q & ~gone_i;
  assign every = (EveryW+1)'(9'(round_robin_every_i));
  assign winners = (EveryW+1)'(winners_q) + (EveryW+1)'(1);
  assign by_level = by_level_i && winners != every;
  il_ranked_arbiter #(.Requests(Sources)) i_arbiter (
    .clk_i,
    .rst_ni,
    .clk_en_i,
    .by_level_i(by_level),
    .request_i (candidate),
    .high_i,
    .level_i,
    .rank_i,
    .grant_o   (grant),
    .index_o   (nominee),
    .wins_i    (start),
    .winner_i  (source_q)
  );

  assign ready = held_q && left_q != missing_q && busy_q == '0;
  assign free = !held_q && busy_q == '0 && !started_q;

  // Of who holds the sink, or was nominated.
  il_select #(.Width(LengthW), .Words(Sources)) i_length (.words_i(length_i), .index_i(source_q), .word_o(length));
  il_select #(.Width(PtrW), .Words(Sources)) i_read (.words_i(read_i), .index_i(source_q), .word_o(read));
  il_select #(.Width(LengthW), .Words(Sources)) i_missing (.words_i(missing_i), .index_i(source_q), .word_o(missing));

  // The nominee starts on the lowest channel with room, or the lowest of those with the most credits.
  always_comb begin
    allowed = '0;
    channel = '0;
    most = '0;
    escapes = 1'b0;
    enters = 1'b0;
    start = 1'b0;
    if (il_pkg::Synthesis || (free && who_q != '0)) begin
      escapes = escape_i[source_q];
      enters = escape_i[source_q] && enters_i[source_q];
      for (int unsigned v = 0; v < Vcs; v++)
        allowed[v] = channels_i[v*Sources + 32'(source_q)] && (enters && escape_channels_i[v] ? two_fit[v] : slot_fits[v]);
      for (int unsigned v = 0; v < Vcs; v++) if (allowed[v] && level[2*v + 1]) most[1] = 1'b1;
      for (int unsigned v = 0; v < Vcs; v++) if (allowed[v] && level[2*v + 1] == most[1] && level[2*v]) most[0] = 1'b1;
      for (int unsigned v = 0; v < Vcs; v++) channel[v] = allowed[v] && level[2*v +: 2] == most && channel == '0;
      start = free && who_q != '0 && allowed != '0 && !gone_i[source_q];
    end
  end

  always_comb begin
    take = '0;
    vc_o = '0;
    pointer_o = '0;
    ends = 1'b0;
    if (start) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (channel[v]) begin
          vc_o = vc_o | VcW'(v);
          take[v*LengthW +: LengthW] = escapes ? slot_flits_i : length;
        end
      end
      pointer_o = read;
      ends = length == LengthW'(1);
    end else if (ready) begin
      vc_o = vc_q;
      pointer_o = pointer_q;
      ends = left_q == LengthW'(1);
    end
  end
  assign source_o = source_q;
  assign valid_o = start || ready;
  assign held_d = valid_o ? !ends : held_q;
  assign start_o = start;
  assign finish_o = ends;
  assign starts_o = start ? who_q : '0;
  assign moves_o = valid_o ? who_q : '0;
  assign ends_o = ends ? moves_o : '0;
  assign closes_o = ready && (left_q == LengthW'(1) ||
                              (left_q == LengthW'(2) && missing_q == '0 && cycles_per_flit_i <= il_pkg::CyclesW'(1))) ? who_q : '0;

  always_comb begin
    open_o = 1'b0;
    free_o = '0;
    if (slot_flits_i != '0 && !held_q && busy_q == '0) begin
      open_o = (slot_fits & dynamic_i) != '0;
      for (int unsigned v = 0; v < Vcs; v++) if (slot_fits[v] && dynamic_i[v] && level[2*v + 1]) free_o[1] = 1'b1;
      for (int unsigned v = 0; v < Vcs; v++)
        if (slot_fits[v] && dynamic_i[v] && level[2*v + 1] == free_o[1] && level[2*v]) free_o[0] = 1'b1;
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

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asks_q    <= '0;
      request_q <= '0;
      last_q    <= '0;
      waits_q   <= 1'b0;
      started_q <= 1'b0;
      stall_o   <= 1'b0;
    end else if (clk_en_i) begin
      asks_q    <= asks_i;
      request_q <= request_d;
      last_q    <= starts_o;
      waits_q   <= (asks_q & ~last_q & ~gone_i) != '0;
      started_q <= start;
      stall_o   <= free && waits_q && !start;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q    <= 1'b0;
      who_q     <= '0;
      source_q  <= '0;
      vc_q      <= '0;
      pointer_q <= '0;
      left_q    <= '0;
      missing_q <= '0;
      busy_q    <= '0;
      winners_q <= '0;
    end else if (clk_en_i) begin
      held_q <= held_d;
      if (!held_d) begin
        who_q    <= grant;
        source_q <= nominee;
      end
      if (valid_o) begin
        pointer_q <= pointer_o + PtrW'(1);
        left_q    <= ((start ? length : left_q) - LengthW'(1)) & LengthBits;
      end
      if (cycles_per_flit_i <= il_pkg::CyclesW'(1)) busy_q <= '0;
      else if (valid_o) busy_q <= cycles_per_flit_i - il_pkg::CyclesW'(1);
      else if (busy_q != '0) busy_q <= busy_q - il_pkg::CyclesW'(1);
      if (start) begin
        vc_q <= vc_o;
        if (by_level_i) winners_q <= winners >= every ? '0 : winners[EveryW-1:0];
      end
      if (start || held_q) missing_q <= missing;
      `IL_ASSERT(start_is_free, !(start && held_q), "a branch starts while another one is under way");
      `IL_ASSERT(source_is_who, who_q == '0 || who_q == Sources'(1) << source_q, "who was granted and its index are two sources");
    end
  end
endmodule
