// Interlace: the queues that packets leave by any number of branches (docs/node.md, sections 4 to 6)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
`include "il_parameters.svh"
module il_sources #(
  `IL_QUEUES,
  parameter logic [il_pkg::LengthW-1:0] LengthBits = {il_pkg::LengthW{1'b1}},  // of packets' lengths, those that can be 1
  parameter bit CountsHops = 1'b1,  // packets can count the links that they have crossed
  `IL_SOURCES_AND_SINKS,
  `IL_PIN_WIDTHS,
  localparam int unsigned PortIndexW = il_pkg::PortIndexW,
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1,  // of a port's index
  localparam int unsigned HopsW = il_pkg::HopsW,
  localparam int unsigned PacketW = il_pkg::packet_width(Vcs, Sinks)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       clk_en_i,
  input  logic                       store_and_forward_i,
  input  logic                       by_fullness_i,
  input  logic                       by_hops_i,
  input  logic [PtrW-1:0]            vc_depth_i,
  input  logic [PtrW-1:0]            injection_depth_i,
  // The flits that arrive by each input: whether their queue is full, which are kept and which refused; the sources for which
  // one is a head, and the head's packet: {adaptive, hops, enters, escape, high, several branches, length, channels, route}.
  input  logic [Inputs-1:0]          valid_i,
  input  logic [Ports*VcW-1:0]       link_vc_i,
  output logic [Inputs-1:0]          full_o,
  input  logic [Inputs-1:0]          keep_i,
  input  logic [Inputs-1:0]          refuse_i,
  input  logic [Sources-1:0]         head_i,
  input  logic [Inputs*PacketW-1:0]  packet_i,
  // Flits to come of the youngest packet of each source's channel, and whether they are refused.
  input  logic [Sources*LengthW-1:0] missing_i,
  input  logic [Sources-1:0]         refusing_i,
  // The head packets.
  output logic [Sinks*Sources-1:0]   want_o,      // [sink][source]: a branch may start
  output logic [Sources-1:0]         high_o,
  output logic [2*Sources-1:0]       level_o,     // [bit][source]: of the queues' fullness, or hops; 0 where nobody asks; pipelined: in the last cycle
  output logic [Sources*LengthW-1:0] length_o,
  output logic [Vcs*Sources-1:0]     channels_o,  // [channel][source]
  output logic [Sources*PtrW-1:0]    read_o,      // the oldest flit kept: where a branch that starts begins
  output logic [Sources*PtrW-1:0]    write_o,
  output logic [Sources-1:0]         escape_o,    // it asks for the escape channel ...
  output logic [Sources-1:0]         enters_o,    // ... and enters a ring
  // Adaptive packets: link sinks that are free and have room for one of any size; the channels that they choose from and
  // escape by, and what a packet counts for in the latter.
  input  logic [Ports-1:0]           open_i,
  input  logic [2*Ports-1:0]         free_i,      // of open ones: the most credits, in levels; 0: all are alike
  input  logic [Vcs-1:0]             dynamic_i,
  input  logic [Vcs-1:0]             escape_i,
  input  logic [LengthW-1:0]         slot_flits_i,
  input  logic [Vcs-1:0]             priority_i,  // by which those of high priority escape, if there is one
  // Pipelined: what sources ask sinks for: the head packets, and those behind packets that will have left in the next cycle.
  output logic [Sinks*Sources-1:0]   asks_o,      // [sink][source]
  output logic [Vcs*Sources-1:0]     asks_channels_o,
  output logic [Sources-1:0]         asks_escape_o,
  output logic [Sources-1:0]         asks_enters_o,
  output logic [Sources-1:0]         asked_high_o,   // of who asked in the last cycle
  output logic [7*Sources-1:0]       rank_o,         // [{asked_high_o, level_o} - 1][source]: the same, one-hot
  output logic [Sources-1:0]         gone_o,         // an adaptive packet started in the last cycle: what it asks other sinks is void
  output logic [Sources*LengthW-1:0] missing_o,      // flits of the head packet that will not have come in the next cycle
  // What the sinks do with them.
  input  logic [Sinks-1:0]           move_i,      // a flit moves ...
  input  logic [Sinks-1:0]           start_i,     // ... the branch's first
  input  logic [Sinks-1:0]           finish_i,    // ... the branch's last
  input  logic [Sinks*SourceW-1:0]   source_i,    // of the branch
  // The same of pipelined ones, [sink][source].
  input  logic [Sinks*Sources-1:0]   moves_i,
  input  logic [Sinks*Sources-1:0]   starts_i,
  input  logic [Sinks*Sources-1:0]   ends_i,
  input  logic [Sinks*Sources-1:0]   closes_i,    // a branch that started before will have ended in the next cycle
  output logic [Sources*LengthW-1:0] freed_o,
  output logic                       empty_o      // no packet, no flit
);
  if (VcDepth < 2 || (VcDepth & (VcDepth - 1)) != 0) begin : gen_bad_vc_depth
    $error("il_sources: VcDepth is %0d, expected a power of two, at least 2", VcDepth);
  end
  if (InjectionDepth < 2 || (InjectionDepth & (InjectionDepth - 1)) != 0) begin : gen_bad_injection_depth
    $error("il_sources: InjectionDepth is %0d, expected a power of two, at least 2", InjectionDepth);
  end
  if (PtrW <= $clog2(VcDepth) || PtrW <= $clog2(InjectionDepth)) begin : gen_bad_ptr_w
    $error("il_sources: PtrW is %0d, expected more than $clog2 of VcDepth and of InjectionDepth", PtrW);
  end

  // [sink][source]: all but sinks and sources whose packets never go there; neither memories nor what sinks say of
  // their sources shows synthesis that.
  function automatic logic [Sinks*Sources-1:0] takers();
    takers = {(Sinks*Sources){1'b1}};  // '1 is 1 to Yosys 0.23 in a constant function
    for (int unsigned s = 0; s < Links; s++) takers[s / Vcs * Sources + s] = TurnBack;
    for (int unsigned r = 0; r < Receptions; r++) begin
      for (int unsigned s = 0; s < Sources; s++)
        takers[(Ports+r)*Sources + s] = s < Links && il_pkg::takes(Ports, r, s / Vcs, Layout);
    end
  endfunction
  // [source][bit of its packet]: what can be 1.
  function automatic logic [Sources*PacketW-1:0] kept();
    kept = {(Sources*PacketW){1'b1}};
    for (int unsigned s = 0; s < Sources; s++) begin
      for (int unsigned k = 0; k < Sinks; k++) kept[s*PacketW + k] = Takers[k*Sources + s];
      kept[s*PacketW + Sinks + Vcs +: LengthW] = LengthBits;
      for (int unsigned b = PortBits; b < PortIndexW; b++) kept[s*PacketW + Sinks + Vcs + LengthW + 2 + b] = 1'b0;
      kept[(s+1)*PacketW - 1 - HopsW +: HopsW] = {HopsW{CountsHops}};
    end
  endfunction
  // Bits of numbers of flits that are short of a packet, and that are freed at once.
  localparam int unsigned MissingW = LengthBits[LengthW-1] ? LengthW : LengthBits == '0 ? 1 : $clog2(32'(LengthBits) + 1);
  localparam int unsigned FreedW = MissingW < LengthW ? MissingW + 1 : LengthW;
  localparam logic [Sinks*Sources-1:0] Takers = takers();
  localparam logic [Sources*PacketW-1:0] Kept = kept();

  logic [Sources-1:0] valid_q, moved, started, ended, done, waits, load, queue_push, queue_pop;
  logic [Sources-1:0] direct;                     // who arrives becomes the head packet at once
  logic [Sources*PacketW-1:0] waiting;
  logic changes;                                  // some source's head packet, or what it wants
  // [source][sink]: of a packet with several branches those that have not ended; of an adaptive one that has not started its choices;
  // of others it is not read.
  logic [Sources*Sinks-1:0] left_q, left_of_head;
  logic [Sinks*Sources-1:0] want_q, want;         // branches that have not started
  logic [Sinks*Sources-1:0] granted, ends;        // those that start, and that end
  logic [Sources*PtrW-1:0] read_q, read_d;
  logic [Sources*LengthW-1:0] freed_q, freed_d;
  logic [Sinks-1:0] left;
  logic [LengthW-1:0] length, amount, slot_and_one, freed_bits;
  // Adaptive head packets that have not started; the port that each takes in this cycle, one-hot, and whether by choice.
  logic [Sources-1:0] asking_q, chooses, enters_q, several_q;
  logic [Sources*PortIndexW-1:0] escape_q;
  logic [Sources*Vcs-1:0] channels_q;
  logic [Sources*Ports-1:0] taken;
  // What they ask for: that, or, pipelined, that of the last cycle; whether they asked by choice for what they may start now.
  logic [Sources*Ports-1:0] asked;
  logic [Sources-1:0] asks_by_choice, started_by_choice;
  logic [Sources-1:0] part;                          // of a packet that is to be stored as a whole first
  logic [Sources-1:0] closing;                       // pipelined: the head packet will have left in the next cycle
  logic [2*Sources-1:0] level;
  logic [HopsW*Sources-1:0] hops_q;                  // [bit][source]
  logic [PortIndexW-1:0] turn_q;
  logic [Ports-1:0] from_turn, choices;
  logic [Ports*Ports-1:0] ahead;  // [port]: those that are taken rather than it, where both are open
  logic chosen;

  // An adaptive packet takes one sink: its first open choice from the turn on, of those with the most credits, or its escape.
  always_comb begin
    chooses = '0;
    taken = '0;
    choices = '0;
    from_turn = '0;
    ahead = '0;
    if (il_pkg::Synthesis || asking_q != '0) begin
      from_turn = '1 << turn_q;
      for (int unsigned k = 1; k < Ports; k++) begin
        for (int unsigned j = 0; j < k; j++) begin
          ahead[k*Ports + j] = free_i[2*j +: 2] > free_i[2*k +: 2] ||
              (free_i[2*j +: 2] == free_i[2*k +: 2] && (from_turn[j] || !from_turn[k]));
          ahead[j*Ports + k] = !ahead[k*Ports + j];
        end
      end
      for (int unsigned s = 0; s < Sources; s++) begin
        if ((il_pkg::Synthesis && Pipelined) || asking_q[s]) begin  // pipelined, what others take is not read
          choices = left_q[s*Sinks +: Ports] & open_i;
          chooses[s] = asking_q[s] && choices != '0;
          for (int unsigned k = 0; k < Ports; k++)
            taken[s*Ports + k] = (choices[k] && (choices & ahead[k*Ports +: Ports]) == '0) ||
                                 (choices == '0 && escape_q[s*PortIndexW +: PortIndexW] == PortIndexW'(k));
        end
      end
    end
  end

  function automatic int unsigned input_of(input int unsigned source);
    input_of = source < Links ? source / Vcs : source - Links + Ports;
  endfunction

  // Links wait for whole packets that are to be stored first.
  always_comb begin
    part = '0;
    if (store_and_forward_i) begin
      for (int unsigned s = 0; s < Links; s++) begin
        part[s] = valid_q[s] && 32'(PtrW'(write_o[s*PtrW +: PtrW] - read_q[s*PtrW +: PtrW])) < 32'(length_o[s*LengthW +: LengthW]);
      end
    end
    want = want_q;
    if (il_pkg::Synthesis || asking_q != '0) begin
      for (int unsigned s = 0; s < Sources; s++) begin
        for (int unsigned k = 0; k < Ports; k++) begin
          if (asked[s*Ports + k] && Takers[k*Sources + s]) want[k*Sources + s] = 1'b1;
        end
      end
    end
    if (part != '0) begin
      for (int unsigned k = 0; k < Ports; k++) want[k*Sources +: Sources] = want[k*Sources +: Sources] & ~part;
    end
  end

  always_comb begin
    level = '0;
    if (by_hops_i) begin
      level = hops_q;
    end else if (by_fullness_i) begin
      for (int unsigned s = 0; s < Sources; s++) begin
        if (il_pkg::Synthesis || Pipelined || valid_q[s])  // pipelined, it is read in the next cycle
          {level[Sources+s], level[s]} = il_pkg::level(32'(PtrW'(write_o[s*PtrW +: PtrW] - read_q[s*PtrW +: PtrW])),
                                                           s < Links ? 32'(vc_depth_i) : 32'(injection_depth_i));
      end
    end
  end

  assign escape_o = asking_q & ~started_by_choice;
  assign enters_o = enters_q;
  always_comb begin
    channels_o = channels_q;
    if (il_pkg::Synthesis || asking_q != '0) begin
      for (int unsigned s = 0; s < Sources; s++) begin
        if (asking_q[s]) begin
          for (int unsigned v = 0; v < Vcs; v++)
            channels_o[v*Sources + s] = started_by_choice[s] ? dynamic_i[v] : (high_o[s] && priority_i != '0 ? priority_i[v] : escape_i[v]);
        end
      end
    end
  end

  if (Pipelined) begin : gen_moves
    always_comb begin
      granted = starts_i & Takers;
      ends = ends_i & Takers;
      moved = '0;
      started = '0;
      ended = '0;
      for (int unsigned k = 0; k < Sinks; k++) begin
        moved = moved | (moves_i[k*Sources +: Sources] & Takers[k*Sources +: Sources]);
        started = started | granted[k*Sources +: Sources];
        ended = ended | ends[k*Sources +: Sources];
      end
    end
    logic unused;
    assign unused = move_i != '0 || start_i != '0 || finish_i != '0 || source_i != '0;
  end else begin : gen_decoded
    always_comb begin
      moved = '0;
      started = '0;
      ended = '0;
      granted = '0;
      ends = '0;
      for (int unsigned k = 0; k < Sinks; k++)
        moved = moved | (Sources'(move_i[k]) << source_i[k*SourceW +: SourceW] & Takers[k*Sources +: Sources]);
      if (start_i != '0) begin
        for (int unsigned k = 0; k < Sinks; k++) begin
          granted[k*Sources +: Sources] = Sources'(start_i[k]) << source_i[k*SourceW +: SourceW] & Takers[k*Sources +: Sources];
          started = started | granted[k*Sources +: Sources];
        end
      end
      if (finish_i != '0) begin
        for (int unsigned k = 0; k < Sinks; k++) begin
          ends[k*Sources +: Sources] = Sources'(finish_i[k]) << source_i[k*SourceW +: SourceW] & Takers[k*Sources +: Sources];
          ended = ended | ends[k*Sources +: Sources];
        end
      end
    end
    logic unused;
    assign unused = moves_i != '0 || starts_i != '0 || ends_i != '0 || closes_i != '0;
  end

  assign slot_and_one = slot_flits_i + LengthW'(1);
  // Pipelined, no packet is longer than slot_flits_i: bits of what is freed, and of a flit refused beside, that are never 1 are no logic
  // where that is a constant.
  for (genvar b = 0; b < LengthW; b++) begin : gen_freed_bit
    assign freed_bits[b] = !Pipelined || ((LengthW+1)'(slot_flits_i) + (LengthW+1)'(1)) >> b != '0;
  end
  // What a packet with one branch leaves free, and what one with several.
  always_comb begin
    done = '0;
    left_of_head = left_q;
    read_d = read_q;
    freed_d = '0;
    left = '0;
    length = '0;
    amount = '0;
    chosen = 1'b0;
    if (il_pkg::Synthesis || moved != '0) begin
      for (int unsigned s = 0; s < Sources; s++) begin
        if (il_pkg::Synthesis || moved[s]) begin
          length = length_o[s*LengthW +: LengthW];
          if (moved[s] && asking_q[s] && started_by_choice[s]) chosen = 1'b1;
          if (il_pkg::Synthesis || ended[s]) begin
            left = left_q[s*Sinks +: Sinks];
            for (int unsigned k = 0; k < Sinks; k++) left[k] = left[k] && !ends[k*Sources + s];
            left_of_head[s*Sinks +: Sinks] = left;
            done[s] = ended[s] && (!several_q[s] || left == '0);
          end
          amount = several_q[s] ? (done[s] ? length : '0) : LengthW'(moved[s]);
          read_d[s*PtrW +: PtrW] = read_q[s*PtrW +: PtrW] + PtrW'(amount);
          freed_d[s*LengthW +: LengthW] = amount;
          // In an escape channel a packet counts for more than its flits.
          if (s < Links && (escape_i[s % Vcs] || priority_i[s % Vcs]) && done[s] && !several_q[s])
            freed_d[s*LengthW +: LengthW] = (slot_and_one - length) & freed_bits;
        end
      end
    end
  end

  // The head packet gives way to the next: the oldest that waits, or else the one that arrives.
  assign queue_pop = done & waits;
  assign queue_push = head_i & valid_q & (waits | ~done);
  assign direct = head_i & (~valid_q | (done & ~waits));
  assign load = done | direct;
  assign changes = il_pkg::Synthesis || (load | started) != '0;

  il_waiting #(
    .Ports         (Ports),
    .Vcs           (Vcs),
    .Injections    (Injections),
    .Width         (PacketW),
    .Kept          (Kept),
    .VcDepth       (VcDepth),
    .InjectionDepth(InjectionDepth)
  ) i_waiting (
    .clk_i,
    .rst_ni,
    .clk_en_i,
    .push_i (queue_push),
    .data_i (packet_i),
    .pop_i  (queue_pop),
    .show_i (queue_pop | (closing & waits)),
    .valid_o(waits),
    .data_o (waiting)
  );

  // Of sources' next packets, the one that waits or the one that arrives. Functions, so that a simulation works it out where it is stored,
  // and not whenever something on the pins changes; of their arguments, because Yosys takes one that reads signals for a constant.
  function automatic logic [PacketW-1:0] next(input logic pops, input logic [PacketW-1:0] oldest, input logic [PacketW-1:0] arriving);
    next = pops ? oldest : arriving;
  endfunction
  function automatic logic [Sources-1:0] adaptive_of_next(input logic [Sources-1:0] pops, input logic [Sources-1:0] comes,
                                                          input logic [Sources*PacketW-1:0] oldest, input logic [Inputs*PacketW-1:0] arriving);
    adaptive_of_next = '0;
    for (int unsigned s = 0; s < Sources; s++) begin
      if (il_pkg::Synthesis || pops[s] || comes[s])
        adaptive_of_next[s] = (pops[s] && oldest[(s+1)*PacketW - 1]) || (comes[s] && arriving[(input_of(s)+1)*PacketW - 1]);
    end
  endfunction
  // The branches of those that are not adaptive. The others are left out by source, not bit by bit, which takes fewer LUTs.
  function automatic logic [Sinks*Sources-1:0] want_of_next(input logic [Sources-1:0] pops, input logic [Sources-1:0] comes,
                                                            input logic [Sources*PacketW-1:0] oldest, input logic [Inputs*PacketW-1:0] arriving);
    logic waited, came;
    want_of_next = '0;
    for (int unsigned s = 0; s < Sources; s++) begin
      if (il_pkg::Synthesis || pops[s] || comes[s]) begin
        waited = pops[s] && !oldest[(s+1)*PacketW - 1];
        came = comes[s] && !arriving[(input_of(s)+1)*PacketW - 1];
        for (int unsigned k = 0; k < Sinks; k++)
          want_of_next[k*Sources + s] = (waited && oldest[s*PacketW + k]) || (came && arriving[input_of(s)*PacketW + k] && Kept[s*PacketW + k]);
      end
    end
  endfunction

  if (Pipelined) begin : gen_requests
    logic [Sources-1:0] asks_high, early;  // early: of the packet behind the head packet
    logic [2*Sources-1:0] asks_level;
    logic [7*Sources-1:0] rank;
    logic [Sinks-1:0] closes;
    logic [2*Sources-1:0] chose_q;         // two cycles of asks_by_choice, the younger first
    logic [Sources-1:0] still_q;           // asked in the last cycle, too
    logic [Sources*Ports-1:0] asked_q;

    // When all branches have started, and have ended or will have in the next cycle.
    always_comb begin
      closing = '0;
      closes = '0;
      if (il_pkg::Synthesis || closes_i != '0) begin
        for (int unsigned s = 0; s < Sources; s++) begin
          for (int unsigned k = 0; k < Sinks; k++) closes[k] = closes_i[k*Sources + s] && Takers[k*Sources + s];
          closing[s] = closes != '0 && (!several_q[s] || (left_q[s*Sinks +: Sinks] & ~closes) == '0);
        end
      end
    end

    // The packet behind asks, unless it has to choose, or to be whole.
    always_comb begin
      early = '0;
      asks_o = want;
      asks_channels_o = channels_q;
      asks_escape_o = asking_q & ~asks_by_choice;
      asks_high = high_o;
      asks_level = level;
      for (int unsigned s = 0; s < Sources; s++) begin
        early[s] = closing[s] && waits[s] && !waiting[(s+1)*PacketW - 1];
        if (asking_q[s]) begin
          for (int unsigned v = 0; v < Vcs; v++)
            asks_channels_o[v*Sources + s] = asks_by_choice[s] ? dynamic_i[v] : (high_o[s] && priority_i != '0 ? priority_i[v] : escape_i[v]);
        end
        if (early[s]) begin
          for (int unsigned k = 0; k < Sinks; k++)
            asks_o[k*Sources + s] = waiting[s*PacketW + k] && !(store_and_forward_i && s < Links && k < Ports);
          for (int unsigned v = 0; v < Vcs; v++) asks_channels_o[v*Sources + s] = waiting[s*PacketW + Sinks + v];
          asks_high[s] = waiting[s*PacketW + Sinks + Vcs + LengthW + 1];
          if (by_hops_i) {asks_level[Sources+s], asks_level[s]} = waiting[(s+1)*PacketW - 1 - HopsW +: HopsW];
        end
      end
    end

    for (genvar c = 1; c < 8; c++) begin : gen_rank
      assign rank[(c-1)*Sources +: Sources] = (c / 4 != 0 ? asks_high : ~asks_high) &
          (c / 2 % 2 != 0 ? asks_level[Sources +: Sources] : ~asks_level[Sources +: Sources]) & (c % 2 != 0 ? asks_level[0 +: Sources] : ~asks_level[0 +: Sources]);
    end

    for (genvar s = 0; s < Sources; s++) begin : gen_asked
      assign asked[s*Ports +: Ports] = still_q[s] ? asked_q[s*Ports +: Ports] : '0;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        level_o      <= '0;
        asked_high_o <= '0;
        rank_o       <= '0;
        gone_o       <= '0;
        still_q      <= '0;
        {started_by_choice, chose_q} <= '0;
        asked_q      <= '0;
      end else if (clk_en_i) begin
        level_o      <= asks_level;
        asked_high_o <= asks_high;
        rank_o       <= rank;
        gone_o       <= started & asking_q;
        still_q      <= asking_q & ~started;
        {started_by_choice, chose_q} <= {chose_q, chooses};
        for (int unsigned s = 0; s < Sources; s++) asked_q[s*Ports +: Ports] <= part[s] ? '0 : taken[s*Ports +: Ports];
      end
    end
    assign asks_by_choice = chose_q[0 +: Sources];
    assign asks_enters_o = enters_q;
    // Where no other is behind it the head packet is the youngest.
    logic arrives;
    logic [MissingW-1:0] missing_bits;  // of packets that are kept those that can be 1: a constant where slot_flits_i is
    for (genvar b = 0; b < MissingW; b++) begin : gen_missing_bit
      assign missing_bits[b] = slot_flits_i > LengthW'(1 << b);
    end
    always_comb begin
      missing_o = '0;
      arrives = 1'b0;
      for (int unsigned s = 0; s < Sources; s++) begin
        if (!waits[s] && !refusing_i[s] && missing_i[s*LengthW +: LengthW] != '0) begin
          arrives = keep_i[input_of(s)] && (s >= Links || link_vc_i[input_of(s) % Ports * VcW +: VcW] == VcW'(s % Vcs));
          missing_o[s*LengthW +: MissingW] = (missing_i[s*LengthW +: MissingW] - MissingW'(arrives)) & missing_bits;
        end
      end
    end
  end else begin : gen_at_once
    assign asked = taken;
    assign asks_by_choice = chooses;
    assign started_by_choice = chooses;
    assign level_o = level;
    assign asks_o = '0;
    assign asks_channels_o = '0;
    assign asks_escape_o = '0;
    assign asks_enters_o = '0;
    assign asked_high_o = '0;
    assign rank_o = '0;
    assign gone_o = '0;
    assign missing_o = '0;
    assign closing = '0;
    logic unused_choice;
    assign unused_choice = asks_by_choice != '0 || missing_i != '0 || refusing_i != '0;
  end

  // Who is loaded has started all branches of its last packet: they are not cleared.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      asking_q <= '0;
      want_q   <= '0;
    end else if (clk_en_i && changes) begin
      valid_q  <= (valid_q & ~done) | queue_pop | direct;
      asking_q <= (asking_q & ~started) | adaptive_of_next(queue_pop, direct, waiting, packet_i);
      want_q   <= (want_q & ~granted) | want_of_next(queue_pop, direct, waiting, packet_i);
      `IL_ASSERT(choice_is_made, (asking_q & ~started & (queue_pop | direct)) == '0, "a packet takes the place of one that has not chosen its port");
      for (int unsigned k = 0; k < Sinks; k++)
        `IL_ASSERT(branches_have_started, (want_q[k*Sources +: Sources] & ~granted[k*Sources +: Sources] & (queue_pop | direct)) == '0,
                   "a packet takes the place of one of which a branch has not started");
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      high_o     <= '0;
      hops_q     <= '0;
      length_o   <= '0;
      several_q  <= '0;
      enters_q   <= '0;
      escape_q   <= '0;
      channels_q <= '0;
    end else if (clk_en_i && (il_pkg::Synthesis || (queue_pop | direct) != '0)) begin
      for (int unsigned s = 0; s < Sources; s++) begin
        if (queue_pop[s] || direct[s]) begin
          {enters_q[s], escape_q[s*PortIndexW +: PortIndexW], high_o[s], several_q[s], length_o[s*LengthW +: LengthW]} <=
              il_pkg::HeadW'(next(queue_pop[s], waiting[s*PacketW +: PacketW], packet_i[input_of(s)*PacketW +: PacketW] & Kept[s*PacketW +: PacketW]) >> (Sinks + Vcs));
          {hops_q[Sources+s], hops_q[s]} <= {HopsW{CountsHops}} &
              (queue_pop[s] ? waiting[(s+1)*PacketW - 1 - HopsW +: HopsW] : packet_i[(input_of(s)+1)*PacketW - 1 - HopsW +: HopsW]);
          for (int unsigned v = 0; v < Vcs; v++)
            channels_q[v*Sources + s] <= queue_pop[s] ? waiting[s*PacketW + Sinks + v] : packet_i[input_of(s)*PacketW + Sinks + v];
        end
      end
    end
  end

  always_comb begin
    full_o = '0;
    if (valid_i != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (valid_i[p]) begin
          for (int unsigned v = 0; v < Vcs; v++) begin
            if (link_vc_i[p*VcW +: VcW] == VcW'(v))
              full_o[p] = PtrW'(write_o[(p*Vcs+v)*PtrW +: PtrW] - read_q[(p*Vcs+v)*PtrW +: PtrW]) >= vc_depth_i;
          end
        end
      end
      for (int unsigned s = Links; s < Sources; s++)
        full_o[input_of(s)] = valid_i[input_of(s)] && PtrW'(write_o[s*PtrW +: PtrW] - read_q[s*PtrW +: PtrW]) >= injection_depth_i;
    end
  end

  // What arrives makes queues longer.
  for (genvar p = 0; p < Inputs; p++) begin : gen_input
    localparam bit FromLink = p < Ports;
    localparam int unsigned OwnVcs = FromLink ? Vcs : 1;
    localparam int unsigned First = FromLink ? p * Vcs : Links + (p - Ports);
    logic [VcW-1:0] vc;

    if (FromLink) begin : gen_link
      assign vc = link_vc_i[p*VcW +: VcW];
    end else begin : gen_injection
      assign vc = '0;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        write_o[First*PtrW +: OwnVcs*PtrW] <= '0;
      end else if (clk_en_i && keep_i[p]) begin
        for (int unsigned v = 0; v < OwnVcs; v++) begin
          if (vc == VcW'(v)) write_o[(First+v)*PtrW +: PtrW] <= write_o[(First+v)*PtrW +: PtrW] + PtrW'(1);
        end
      end
    end
  end

  assign read_o = read_q;
  assign empty_o = valid_q == '0 && write_o == read_q;

`ifdef IL_DEFECTS
  int unsigned defect;
  initial if (!$value$plusargs("il_defect=%d", defect)) defect = 0;
  assign freed_o = defect == 1 ? (freed_q << 1) : freed_q;  // a credit returned twice
  // Branches one after the other.
  logic [Sources-1:0] lower;
  always_comb begin
    lower = '0;
    want_o = want;
    if (defect == 3) begin
      for (int unsigned k = 0; k < Sinks; k++) begin
        want_o[k*Sources +: Sources] = want[k*Sources +: Sources] & ~lower;
        lower = lower | want[k*Sources +: Sources];
      end
    end
  end
`else
  assign freed_o = freed_q;
  assign want_o = want;
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q  <= '0;
      turn_q  <= '0;
      read_q  <= '0;
      freed_q <= '0;
    end else if (clk_en_i) begin
      if (il_pkg::Synthesis || (ended | load) != '0) begin
        left_q <= left_of_head;
        for (int unsigned s = 0; s < Sources; s++) begin
          if (queue_pop[s] || direct[s])
            left_q[s*Sinks +: Sinks] <= Sinks'(next(queue_pop[s], waiting[s*PacketW +: PacketW], packet_i[input_of(s)*PacketW +: PacketW] & Kept[s*PacketW +: PacketW]));
        end
      end
      if (chosen) turn_q <= 32'(turn_q) + 1 == Ports ? '0 : turn_q + PortIndexW'(1);
      if (il_pkg::Synthesis || moved != '0) begin
        read_q <= read_d;
        `IL_ASSERT(mover_has_packet, (moved & ~valid_q) == '0, "a flit leaves a source that has no packet");
      end
      if (start_i != '0 && !Pipelined)
        `IL_ASSERT(start_is_wanted, (granted & ~want_o) == '0, "a branch starts that no packet wants");
      if (done != '0) begin
        for (int unsigned s = 0; s < Sources; s++) begin
          if (done[s])
            `IL_ASSERT(leaves_what_came,
                       PtrW'(read_d[s*PtrW +: PtrW] - read_q[s*PtrW +: PtrW]) <= PtrW'(write_o[s*PtrW +: PtrW] - read_q[s*PtrW +: PtrW]),
                       "more flits leave a queue than are in it");
        end
      end
      freed_q <= freed_d;
      if (il_pkg::Synthesis || refuse_i != '0) begin
        for (int unsigned s = 0; s < Sources; s++) begin
          if (refuse_i[input_of(s)] && (s >= Links || link_vc_i[input_of(s) % Ports * VcW +: VcW] == VcW'(s % Vcs)))
            freed_q[s*LengthW +: FreedW] <= (freed_d[s*LengthW +: FreedW] + FreedW'(1)) & freed_bits[FreedW-1:0];
        end
      end
    end
  end
endmodule
