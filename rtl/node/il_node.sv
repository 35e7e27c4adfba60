// Interlace: the node: an all-port router and its node interface (docs/node.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
`include "il_parameters.svh"
module il_node #(
  `IL_NODE_SIZES,
  `IL_FIXED,
  `IL_SOURCES_AND_SINKS,
  `IL_PIN_WIDTHS,
  localparam int unsigned FlitW = FlitBits + 2,
  localparam int unsigned CountW = il_pkg::CountW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           clk_en_i,
  input  logic                           cfg_valid_i,
  input  logic                           cfg_read_i,
  input  logic [il_pkg::AddressW-1:0]    cfg_addr_i,
  input  logic [31:0]                    cfg_data_i,
  output logic [31:0]                    cfg_data_o,
  input  logic [Ports-1:0]               link_valid_i,
  input  logic [Ports*VcW-1:0]           link_vc_i,
  input  logic [Ports*FlitW-1:0]         link_flit_i,
  input  logic [Ports*Vcs*LengthW-1:0]   credit_i,
  output logic [Ports-1:0]               link_valid_o,
  output logic [Ports*VcW-1:0]           link_vc_o,
  output logic [Ports*FlitW-1:0]         link_flit_o,
  output logic [Ports*Vcs*LengthW-1:0]   credit_o,
  input  logic [Injections-1:0]          inj_valid_i,
  input  logic [Injections*FlitW-1:0]    inj_flit_i,
  output logic [Injections*LengthW-1:0]  inj_credit_o,
  input  logic [Receptions-1:0]          rx_ready_i,
  output logic [Receptions-1:0]          rx_valid_o,
  output logic [Receptions*FlitW-1:0]    rx_flit_o,
  output logic [Receptions*CountW-1:0]   rx_count_o,
  output logic [Ports+Receptions-1:0]    stall_o,
  output logic [il_pkg::StatusW-1:0]     status_o
);
  localparam bit Pipelined = Pipeline != 1;
  localparam int unsigned FlitsIn = Pipelined ? il_pkg::FlitsIn : 0;
  localparam int unsigned CreditsIn = Pipelined ? il_pkg::CreditsIn : 0;
  localparam int unsigned FlitsOut = Pipelined ? il_pkg::FlitsOut : 0;
  localparam int unsigned CreditsOut = Pipelined ? il_pkg::CreditsOut : 0;
  localparam int unsigned FlitsReceived = Pipelined ? il_pkg::FlitsReceived : 0;
  localparam int unsigned DepthW = $clog2(il_pkg::greater(il_pkg::greater(VcDepth, InjectionDepth), ReceptionDepth)) + 1;
  localparam int unsigned PtrW = DepthW;
  localparam int unsigned SlotW = $clog2(Slots);
  localparam int unsigned EntryW = il_pkg::entry_width(Ports, Vcs);
  localparam int unsigned PacketW = il_pkg::packet_width(Vcs, Sinks);
  localparam bit TurnBack = FixedConfig == 0 || !FixedRouting[il_pkg::RoutingOnward];
  localparam bit CountsHops = FixedConfig == 0 || FixedAdaptive[22];
  localparam int unsigned Layout = FixedConfig != 0 ? 32'(FixedReceptions[2:0]) : il_pkg::AnyLayout;
  // Of lengths, the bits that can be 1: pipelined, longer packets than register `adaptive` says are refused.
  function automatic logic [LengthW-1:0] length_bits();
    for (int unsigned b = 0; b < LengthW; b++) length_bits[b] = !Pipelined || FixedConfig == 0 || FixedAdaptive[8 +: LengthW] >> b != '0;
  endfunction
  localparam logic [LengthW-1:0] LengthBits = length_bits();
  // Bits of round_robin_every; of 0 one.
  localparam int unsigned EveryW = FixedConfig != 0 ? $clog2({1'b0, FixedAdaptive[31:25], 1'b1} + 9'd1) : 8;
  // The link of which alone packets go to a reception queue; Ports: there are several.
  function automatic int unsigned only_link(input int unsigned queue);
    int unsigned links;
    links = 0;
    only_link = Ports;
    for (int unsigned link = 0; link < Ports; link++) begin
      if (il_pkg::takes(Ports, queue, link, Layout)) begin
        links = links + 1;
        only_link = link;
      end
    end
    if (links != 1) only_link = Ports;
  endfunction
  localparam int unsigned Dimensions = il_pkg::dimensions(Ports);
  localparam int unsigned CoordinateW = il_pkg::CoordinateW;
  // Of fixed coordinates as many as the longest dimension takes, and one to calculate with.
  function automatic int unsigned coordinate_bits();
    coordinate_bits = 2;
    for (int unsigned d = 0; d < Dimensions; d++) begin
      for (int unsigned bits = 2; bits <= CoordinateW; bits++)
        if (coordinate_bits < bits && 32'(FixedSizes[d*CoordinateW +: CoordinateW]) > 32'd1 << (bits - 2)) coordinate_bits = bits;
    end
  endfunction
  localparam int unsigned CoordinateBits = FixedConfig != 0 && FixedCoordinates != 0 ? coordinate_bits() : CoordinateW;

  if (Ports < 1 || Ports > 10) begin : gen_bad_ports
    $error("il_node: Ports is %0d, expected 1 to 10", Ports);
  end
  if (Vcs < 1 || Vcs > 4) begin : gen_bad_vcs
    $error("il_node: Vcs is %0d, expected 1 to 4", Vcs);
  end
  if (Injections < 1 || Injections > Ports + 2) begin : gen_bad_injections
    $error("il_node: Injections is %0d, expected 1 to Ports + 2", Injections);
  end
  if (Receptions != 1 && Receptions != Ports && Receptions != Ports + 1 && Receptions != 2 * Ports && Receptions != 2 * (Ports + 1)) begin : gen_bad_receptions
    $error("il_node: Receptions is %0d, expected 1, Ports, Ports + 1, 2 Ports or 2 (Ports + 1)", Receptions);
  end
  if (FlitBits < 64 || FlitBits > 16320 || FlitBits % 64 != 0) begin : gen_bad_flit_bits
    $error("il_node: FlitBits is %0d, expected a multiple of 64, at most 16320", FlitBits);
  end
  if (VcDepth < 2 || VcDepth > 32768 || (VcDepth & (VcDepth - 1)) != 0) begin : gen_bad_vc_depth
    $error("il_node: VcDepth is %0d, expected a power of two, 2 to 32768", VcDepth);
  end
  if (InjectionDepth < 2 || InjectionDepth > 32768 || (InjectionDepth & (InjectionDepth - 1)) != 0) begin : gen_bad_injection_depth
    $error("il_node: InjectionDepth is %0d, expected a power of two, 2 to 32768", InjectionDepth);
  end
  if (ReceptionDepth < 2 || ReceptionDepth > 32768 || (ReceptionDepth & (ReceptionDepth - 1)) != 0) begin : gen_bad_reception_depth
    $error("il_node: ReceptionDepth is %0d, expected a power of two, 2 to 32768", ReceptionDepth);
  end
  if (Pipeline != 1 && Pipeline != 7) begin : gen_bad_pipeline
    $error("il_node: Pipeline is %0d, expected 1 or 7", Pipeline);
  end
  if (Slots < 2 || Slots > 4096 || (Slots & (Slots - 1)) != 0) begin : gen_bad_slots
    $error("il_node: Slots is %0d, expected a power of two, 2 to 4096", Slots);
  end

  logic enable;
  logic [1:0] switching;
  logic [Vcs-1:0] vcs_used;
  logic [DepthW-1:0] vc_depth, injection_depth, reception_depth;
  logic [Ports-1:0] ports_used;
  logic [2:0] reception_layout;
  logic [il_pkg::RoutingW-1:0] routing_register, routing;
  logic wormhole;
  logic [2*Vcs-1:0] classes;
  logic [il_pkg::CyclesW-1:0] cycles_per_flit;
  logic [Vcs-1:0] dynamic_channels, escape_channel, priority_channel;
  logic [LengthW-1:0] slot_flits;
  logic by_credits, by_fullness, by_hops, by_level;
  logic [7:0] round_robin_every;
  logic [Dimensions*CoordinateW-1:0] here, size;
  logic [Ports*il_pkg::PortW-1:0] port;
  logic [Inputs-1:0] lookup;
  logic [Inputs*SlotW-1:0] slot;
  logic [Inputs*EntryW-1:0] entry;

  // Source by source: its head packet.
  logic [Sinks*Sources-1:0] want;  // [sink][source]
  logic [Sources-1:0] high, escapes, enters, asks_escape, asks_enters, asked_high, gone, refusing;
  logic [Sinks*Sources-1:0] asks;
  logic [Sources*Vcs-1:0] asks_channels;
  logic [Sources*Vcs-1:0] channels;
  logic [Sources*LengthW-1:0] length, freed;
  logic [Sources*PtrW-1:0] read_pointer, write_pointer;
  logic [Sources*LengthW-1:0] missing_of_input, missing;

  // Input by input: the flit that arrives.
  logic [Inputs*PacketW-1:0] packet;
  logic [Inputs-1:0] valid, full, keep, refuse, begins;
  logic [Inputs*il_pkg::HopsW-1:0] hops_change;
  logic [Sources-1:0] head;

  // Sink by sink: the flit that moves.
  logic [Sinks-1:0] moves, starts, finishes, open;
  logic [Sinks*Sources-1:0] whose_moves, whose_starts, whose_ends, whose_closes;  // pipelined: [sink][source]
  logic [2*Sinks-1:0] free;
  logic [2*Sources-1:0] level;  // [bit][source]
  logic [7*Sources-1:0] rank;
  logic [Ports*VcW-1:0] move_vc;
  logic [Sinks*SourceW-1:0] move_source;
  logic [Sinks*PtrW-1:0] move_pointer;
  logic [Receptions*FlitBits-1:0] received_data;
  logic [Sinks-1:0] credit_error;
  logic config_error, disabled_error;
  logic [il_pkg::StatusW-1:0] clear;
  logic [Ports-1:0] quiesce;
  logic [Inputs-1:0] between;  // packets
  logic [Sinks-1:0] all_credits;
  logic empty;
  logic [Ports-1:0] link_head;
  logic [1:0] idle;

  logic [Receptions-1:0] reception_pop;
  logic [Receptions*LengthW-1:0] reception_freed;

  il_config #(
    `IL_PASS_NODE_SIZES,
    `IL_PASS_FIXED,
    .Lookups(Inputs),
    .DepthW(DepthW),
    .CoordinateBits(CoordinateBits)
  ) i_config (
    .clk_i,
    .rst_ni,
    .clk_en_i,
    .cfg_valid_i,
    .cfg_read_i,
    .cfg_addr_i,
    .cfg_data_i,
    .cfg_data_o,
    .enable_o         (enable),
    .switching_o      (switching),
    .vcs_o            (vcs_used),
    .vc_depth_o       (vc_depth),
    .injection_depth_o(injection_depth),
    .reception_depth_o(reception_depth),
    .ports_o          (ports_used),
    .receptions_o     (reception_layout),
    .routing_o        (routing_register),
    .classes_o        (classes),
    .cycles_per_flit_o(cycles_per_flit),
    .dynamic_o        (dynamic_channels),
    .escape_o         (escape_channel),
    .slot_flits_o     (slot_flits),
    .priority_o       (priority_channel),
    .by_credits_o     (by_credits),
    .by_fullness_o    (by_fullness),
    .by_hops_o        (by_hops),
    .round_robin_every_o(round_robin_every),
    .here_o           (here),
    .size_o           (size),
    .port_o           (port),
    .lookup_i         (lookup),
    .slot_i           (slot),
    .entry_o          (entry),
    .valid_i          (link_valid_o),
    .head_i           (link_head),
    .stall_i          (stall_o[Ports-1:0]),
    .idle_i           (idle),
    .status_i         (status_o),
    .clear_o          (clear),
    .quiesce_o        (quiesce),
    .error_o          (config_error)
  );

  // What the core has on its pins.
  logic [Ports-1:0] link_valid, ahead_link_valid;
  logic [Ports*VcW-1:0] link_vc, ahead_link_vc;
  logic [Ports*FlitW-1:0] link_flit, ahead_link_flit, kept_flit;
  logic [Ports*Vcs*LengthW-1:0] credit_back;
  logic [Injections-1:0] inj_valid, ahead_inj_valid;
  logic [Injections*FlitW-1:0] inj_flit, ahead_inj_flit;
  logic [Sources*LengthW-1:0] freed_shown;
  logic [Sinks-1:0] reads;  // of the flit store
  logic [Ports-1:0] leaves, leaving_head, leaving_tail;
  logic [Ports*VcW-1:0] leaves_by;
  logic [Receptions-1:0] received, received_head, received_tail, counted;
  logic [Sinks*SourceW-1:0] read_source;
  logic [Sinks*PtrW-1:0] read_flit;
  logic [Receptions-1:0] returned;
  logic in_flight;  // something between pins and core

  il_delay #(.Width(Inputs * (FlitW + 1) + Ports * VcW), .Cycles(Pipelined ? FlitsIn - 1 : 0)) i_flits_ahead (
    .clk_i, .rst_ni, .clk_en_i,
    .data_i({inj_valid_i, link_valid_i, link_vc_i, inj_flit_i, link_flit_i}),
    .data_o({ahead_inj_valid, ahead_link_valid, ahead_link_vc, ahead_inj_flit, ahead_link_flit})
  );
  il_delay #(.Width(Inputs * (FlitW + 1) + Ports * VcW), .Cycles(Pipelined ? 1 : 0)) i_flits_in (
    .clk_i, .rst_ni, .clk_en_i,
    .data_i({ahead_inj_valid, ahead_link_valid, ahead_link_vc, ahead_inj_flit, ahead_link_flit}),
    .data_o({inj_valid, link_valid, link_vc, inj_flit, link_flit})
  );
  il_delay #(.Width(Ports * Vcs * LengthW + Receptions), .Cycles(CreditsIn)) i_credits_in (
    .clk_i, .rst_ni, .clk_en_i,
    .data_i({reception_pop, credit_i}),
    .data_o({returned, credit_back})
  );
  il_delay #(.Width(Sources * LengthW), .Cycles(CreditsOut)) i_credits_out (
    .clk_i, .rst_ni, .clk_en_i,
    .data_i(freed),
    .data_o(freed_shown)
  );
  // Pipelined, the flit store takes a cycle to read, and another one to what shows it.
  il_delay #(.Width(Sinks * (1 + SourceW + PtrW)), .Cycles(Pipelined ? 1 : 0)) i_reads (
    .clk_i, .rst_ni, .clk_en_i,
    .data_i({moves, move_source, move_pointer}),
    .data_o({reads, read_source, read_flit})
  );
  il_delay #(.Width(Ports * (3 + VcW)), .Cycles(FlitsOut)) i_flits_out (
    .clk_i, .rst_ni, .clk_en_i,
    .data_i({moves[Ports-1:0], starts[Ports-1:0], finishes[Ports-1:0], move_vc}),
    .data_o({leaves, leaving_head, leaving_tail, leaves_by})
  );
  il_delay #(.Width(3 * Receptions), .Cycles(Pipelined ? FlitsReceived - 1 : 0)) i_flits_received (
    .clk_i, .rst_ni, .clk_en_i,
    .data_i({moves[Sinks-1:Ports], starts[Sinks-1:Ports], finishes[Sinks-1:Ports]}),
    .data_o({received, received_head, received_tail})
  );
  il_delay #(.Width(Receptions), .Cycles(Pipelined ? 1 : 0)) i_flits_counted (
    .clk_i, .rst_ni, .clk_en_i,
    .data_i(received),
    .data_o(counted)
  );

  // Cycles that something takes from pin to core, or from core to pin.
  if (Pipelined) begin : gen_under_way
    logic [1:0] still_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) still_q <= '0;
      else if (clk_en_i) still_q <= link_valid_i != '0 || inj_valid_i != '0 || moves != '0 ? 2'd3 : still_q - 2'(still_q != '0);
    end
    assign in_flight = still_q != '0;
  end else begin : gen_at_once
    assign in_flight = 1'b0;
  end

  // A worm is never adaptive.
  assign wormhole = switching == il_pkg::Wormhole && !Pipelined;
  assign by_level = by_hops || (by_fullness && !wormhole);
  always_comb begin
    routing = routing_register;
    if (wormhole) routing[il_pkg::RoutingAdaptive] = 1'b0;
  end

  assign valid = {inj_valid, link_valid};

  // For which source a packet begins.
  always_comb begin
    head = '0;
    if (il_pkg::Synthesis || begins != '0) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        for (int unsigned v = 0; v < Vcs; v++) head[p*Vcs + v] = begins[p] && link_vc[p*VcW +: VcW] == VcW'(v);
      end
      head[Sources-1:Links] = begins[Inputs-1:Ports];
    end
  end

  for (genvar p = 0; p < Inputs; p++) begin : gen_input
    localparam bit FromLink = p < Ports;
    localparam int unsigned OwnVcs = FromLink ? Vcs : 1;
    localparam int unsigned First = FromLink ? p * Vcs : Links + (p - Ports);  // source
    logic [VcW-1:0] vc, ahead_vc;
    logic [FlitW-1:0] pins, ahead;
    logic [il_pkg::StatusW-1:0] own_status, status;  // this input's; that of all up to it

    if (FromLink) begin : gen_link
      assign vc = link_vc[p*VcW +: VcW];
      assign pins = link_flit[p*FlitW +: FlitW];
      assign ahead_vc = ahead_link_vc[p*VcW +: VcW];
      assign ahead = ahead_link_flit[p*FlitW +: FlitW];
      assign credit_o[p*Vcs*LengthW +: Vcs*LengthW] = freed_shown[First*LengthW +: Vcs*LengthW];
    end else begin : gen_injection
      assign vc = '0;
      assign pins = inj_flit[(p-Ports)*FlitW +: FlitW];
      assign ahead_vc = '0;
      assign ahead = ahead_inj_flit[(p-Ports)*FlitW +: FlitW];
      assign inj_credit_o[(p-Ports)*LengthW +: LengthW] = freed_shown[First*LengthW +: LengthW];
    end

    il_input #(
      .Ports     (Ports),
      .Vcs       (Vcs),
      .OwnVcs    (OwnVcs),
      .Receptions(Receptions),
      .Port      (FromLink ? p : 0),
      .SlotW     (SlotW),
      .DepthW    (DepthW),
      .FromLink  (FromLink),
      .Pipelined (Pipelined),
      .Layout    (Layout),
      .CoordinateBits(CoordinateBits)
    ) i_input (
      .clk_i,
      .rst_ni,
      .clk_en_i,
      .enable_i     (enable),
      .clear_i      (clear),
      .wormhole_i   (wormhole),
      .vcs_i        (vcs_used),
      .own_depth_i  (FromLink ? vc_depth : injection_depth),
      .vc_depth_i   (vc_depth),
      .reception_depth_i(reception_depth),
      .ports_i      (ports_used),
      .receptions_i (reception_layout),
      .routing_i    (routing),
      .dynamic_i    (dynamic_channels),
      .escape_i     (escape_channel),
      .slot_flits_i (slot_flits),
      .priority_i   (priority_channel),
      .classes_i    (classes),
      .here_i       (here),
      .size_i       (size),
      .port_i       (port),
      .ahead_valid_i(p < Ports ? ahead_link_valid[p % Ports] : ahead_inj_valid[p < Ports ? 0 : p - Ports]),
      .ahead_head_i (ahead[FlitBits]),
      .ahead_vc_i   (ahead_vc),
      .ahead_header_i(ahead[63:0]),
      .valid_i      (valid[p]),
      .vc_i         (vc),
      .full_i       (full[p]),
      .head_i       (pins[FlitBits]),
      .tail_i       (pins[FlitBits+1]),
      .by_hops_i    (by_hops),
      .hops_i       (pins[63:62]),
      .hops_change_o(hops_change[p*il_pkg::HopsW +: il_pkg::HopsW]),
      .keep_o       (keep[p]),
      .begins_o     (begins[p]),
      .refuse_o     (refuse[p]),
      .lookup_o     (lookup[p]),
      .slot_o       (slot[p*SlotW +: SlotW]),
      .entry_i      (entry[p*EntryW +: EntryW]),
      .packet_o     (packet[p*PacketW +: PacketW]),
      .between_o    (between[p]),
      .missing_o    (missing_of_input[First*LengthW +: OwnVcs*LengthW]),
      .refusing_o   (refusing[First +: OwnVcs]),
      .status_o     (own_status)
    );

    if (p == 0) begin : gen_first
      assign status = own_status;
    end else begin : gen_rest
      assign status = gen_input[p-1].status | own_status;
    end
  end

  il_sources #(
    `IL_PASS_QUEUES,
    .LengthBits(LengthBits),
    .CountsHops(CountsHops)
  ) i_sources (
    .clk_i,
    .rst_ni,
    .clk_en_i,
    .store_and_forward_i(switching == il_pkg::StoreAndForward),
    .by_fullness_i      (by_fullness && !wormhole),
    .by_hops_i          (by_hops),
    .vc_depth_i         (vc_depth),
    .injection_depth_i  (injection_depth),
    .valid_i            (valid),
    .link_vc_i          (link_vc),
    .full_o             (full),
    .keep_i             (keep),
    .refuse_i           (refuse),
    .head_i             (head),
    .packet_i           (packet),
    .missing_i          (missing_of_input),
    .refusing_i         (refusing),
    .want_o             (want),
    .high_o             (high),
    .level_o            (level),
    .length_o           (length),
    .channels_o         (channels),
    .escape_o           (escapes),
    .enters_o           (enters),
    .open_i             (open[Ports-1:0]),
    .free_i             (free[2*Ports-1:0]),
    .dynamic_i          (dynamic_channels),
    .escape_i           (routing[il_pkg::RoutingAdaptive] ? escape_channel : '0),
    .priority_i         (routing[il_pkg::RoutingAdaptive] ? priority_channel : '0),
    .slot_flits_i       (slot_flits),
    .asks_o             (asks),
    .asks_channels_o    (asks_channels),
    .asks_escape_o      (asks_escape),
    .asks_enters_o      (asks_enters),
    .asked_high_o       (asked_high),
    .rank_o             (rank),
    .gone_o             (gone),
    .missing_o          (missing),
    .read_o             (read_pointer),
    .write_o            (write_pointer),
    .move_i             (moves),
    .start_i            (starts),
    .finish_i           (finishes),
    .source_i           (move_source),
    .moves_i            (whose_moves),
    .starts_i           (whose_starts),
    .ends_i             (whose_ends),
    .closes_i           (whose_closes),
    .freed_o            (freed),
    .empty_o            (empty)
  );

  for (genvar k = 0; k < Sinks; k++) begin : gen_sink
    localparam bit IsLink = k < Ports;
    localparam int unsigned OwnVcs = IsLink ? Vcs : 1;
    // To reception queues go packets of links, to many those of one link alone.
    localparam int unsigned OnlyLink = IsLink || Vcs == 1 ? Ports : only_link(k - Ports);
    localparam int unsigned First = OnlyLink < Ports ? OnlyLink * Vcs : 0;
    localparam int unsigned OwnSources = OnlyLink < Ports ? Vcs : IsLink || Links == 1 ? Sources : Links;
    localparam int unsigned OwnSourceW = $clog2(OwnSources);
    logic [OwnVcs-1:0] vcs_k, dynamic_k, escape_channels_k;
    logic [OwnSources*OwnVcs-1:0] channels_k, asks_channels_k;
    logic [OwnSourceW-1:0] source;
    logic [OwnVcs*LengthW-1:0] give;
    logic [VcW-1:0] vc;
    logic quiet, open_k;  // quiet: starts nothing

    if (IsLink) begin : gen_link
      assign quiet = quiesce[k];
      assign vcs_k = vcs_used;
      assign dynamic_k = dynamic_channels;
      assign escape_channels_k = escape_channel | priority_channel;
      assign channels_k = channels;
      assign asks_channels_k = asks_channels;
      assign give = credit_back[k*Vcs*LengthW +: Vcs*LengthW];
      assign move_vc[k*VcW +: VcW] = vc;
      assign link_head[k] = link_flit_o[k*FlitW + FlitBits];
    end else begin : gen_reception
      assign quiet = 1'b0;
      assign vcs_k = 1'b1;
      assign dynamic_k = 1'b0;
      assign escape_channels_k = 1'b0;
      assign channels_k = '1;
      assign asks_channels_k = '1;
      assign give = reception_freed[(k-Ports)*LengthW +: LengthW];
      logic unused_vc;
      assign unused_vc = vc != '0;
    end

    if (Pipelined) begin : gen_pipelined
      logic [7*OwnSources-1:0] rank_k;
      logic [OwnSources-1:0] moves_k, starts_k, ends_k, closes_k;
      for (genvar c = 0; c < 7; c++) begin : gen_rank
        assign rank_k[c*OwnSources +: OwnSources] = rank[c*Sources+First +: OwnSources];
      end
      assign whose_moves[k*Sources +: Sources] = Sources'(moves_k) << First;
      assign whose_starts[k*Sources +: Sources] = Sources'(starts_k) << First;
      assign whose_ends[k*Sources +: Sources] = Sources'(ends_k) << First;
      assign whose_closes[k*Sources +: Sources] = Sources'(closes_k) << First;
      il_pipelined_sink #(
        .Sources(OwnSources),
        .Vcs    (OwnVcs),
        .PtrW   (PtrW),
        .CreditW(DepthW),
        .EveryW (EveryW),
        .Trusted(!IsLink),
        .LengthBits(LengthBits)
      ) i_sink (
        .clk_i,
        .rst_ni,
        .clk_en_i,
        .enable_i      (enable),
        .clear_i       (clear[il_pkg::ErrorCredit]),
        .vcs_i         (vcs_k),
        .depth_i       (IsLink ? vc_depth : reception_depth),
        .cycles_per_flit_i(IsLink ? cycles_per_flit : '0),
        .dynamic_i     (dynamic_k),
        .escape_channels_i(escape_channels_k),
        .slot_flits_i  (slot_flits),
        .by_credits_i  (by_credits),
        .by_level_i    (by_level),
        .round_robin_every_i(round_robin_every),
        .give_i        (give),
        .asks_i        (quiet ? '0 : asks[k*Sources+First +: OwnSources]),
        .asks_channels_i(asks_channels_k),
        .asks_escape_i (IsLink ? asks_escape[First +: OwnSources] : '0),
        .asks_enters_i (IsLink ? asks_enters[First +: OwnSources] : '0),
        .high_i        (asked_high[First +: OwnSources]),
        .level_i       ({level[Sources+First +: OwnSources], level[First +: OwnSources]}),
        .rank_i        (rank_k),
        .gone_i        (IsLink ? gone[First +: OwnSources] : '0),
        .channels_i    (channels_k),
        .escape_i      (IsLink ? escapes[First +: OwnSources] : '0),
        .enters_i      (IsLink ? enters[First +: OwnSources] : '0),
        .length_i      (length[First*LengthW +: OwnSources*LengthW]),
        .read_i        (read_pointer[First*PtrW +: OwnSources*PtrW]),
        .missing_i     (missing[First*LengthW +: OwnSources*LengthW]),
        .valid_o       (moves[k]),
        .start_o       (starts[k]),
        .finish_o      (finishes[k]),
        .moves_o       (moves_k),
        .starts_o      (starts_k),
        .ends_o        (ends_k),
        .closes_o      (closes_k),
        .vc_o          (vc),
        .source_o      (source),
        .pointer_o     (move_pointer[k*PtrW +: PtrW]),
        .open_o        (open_k),
        .free_o        (free[2*k +: 2]),
        .stall_o       (stall_o[k]),
        .credit_error_o(credit_error[k]),
        .all_credits_o (all_credits[k])
      );
      logic unused;
      assign unused = want[k*Sources +: Sources] != '0 || asks[k*Sources +: Sources] != '0 || high != '0;
    end else begin : gen_at_once
      il_sink #(
        .Sources(OwnSources),
        .Vcs    (OwnVcs),
        .PtrW   (PtrW),
        .CreditW(DepthW),
        .EveryW (EveryW),
        .Trusted(!IsLink)
      ) i_sink (
        .clk_i,
        .rst_ni,
        .clk_en_i,
        .enable_i      (enable),
        .clear_i       (clear[il_pkg::ErrorCredit]),
        .wormhole_i    (wormhole),
        .vcs_i         (vcs_k),
        .depth_i       (IsLink ? vc_depth : reception_depth),
        .cycles_per_flit_i(IsLink ? cycles_per_flit : '0),
        .dynamic_i     (dynamic_k),
        .slot_flits_i  (slot_flits),
        .by_credits_i  (by_credits && !wormhole),
        .by_level_i    (by_level),
        .round_robin_every_i(round_robin_every),
        .give_i        (give),
        .want_i        (quiet ? '0 : want[k*Sources+First +: OwnSources]),
        .high_i        (high[First +: OwnSources]),
        .level_i       ({level[Sources+First +: OwnSources], level[First +: OwnSources]}),
        .length_i      (length[First*LengthW +: OwnSources*LengthW]),
        .channels_i    (channels_k),
        .escape_i      (IsLink ? escapes[First +: OwnSources] : '0),
        .enters_i      (IsLink ? enters[First +: OwnSources] : '0),
        .read_i        (read_pointer[First*PtrW +: OwnSources*PtrW]),
        .write_i       (write_pointer[First*PtrW +: OwnSources*PtrW]),
        .valid_o       (moves[k]),
        .start_o       (starts[k]),
        .finish_o      (finishes[k]),
        .vc_o          (vc),
        .source_o      (source),
        .pointer_o     (move_pointer[k*PtrW +: PtrW]),
        .open_o        (open_k),
        .free_o        (free[2*k +: 2]),
        .stall_o       (stall_o[k]),
        .credit_error_o(credit_error[k]),
        .all_credits_o (all_credits[k])
      );
      assign whose_moves[k*Sources +: Sources] = '0;
      assign whose_starts[k*Sources +: Sources] = '0;
      assign whose_ends[k*Sources +: Sources] = '0;
      assign whose_closes[k*Sources +: Sources] = '0;
      logic unused;
      assign unused = escape_channels_k != '0 || want[k*Sources +: Sources] != '0 || asks[k*Sources +: Sources] != '0 || asks_channels_k != '0 || asks_escape != '0 || asks_enters != '0 ||
          asked_high != '0 || rank != '0 || gone != '0 || missing != '0;
    end
    assign move_source[k*SourceW +: SourceW] = SourceW'(First) + SourceW'(source);
    assign open[k] = open_k && !quiet;
  end

  // What links bring, as it is kept: heads with the links that they have crossed, and the checksum of that.
  always_comb begin
    kept_flit = link_flit;
    if (il_pkg::Synthesis || by_hops) begin
      for (int unsigned p = 0; p < Ports; p++)
        kept_flit[p*FlitW + 60 +: 4] = link_flit[p*FlitW + 60 +: 4] ^ {2{hops_change[p*il_pkg::HopsW +: il_pkg::HopsW]}};
    end
  end

  il_flit_store #(
    `IL_PASS_QUEUES,
    .Width(FlitBits)
  ) i_store (
    .clk_i,
    .rst_ni,
    .clk_en_i,
    .link_valid_i   (keep[Ports-1:0]),
    .link_vc_i      (link_vc),
    .link_flit_i    (kept_flit),
    .inj_valid_i    (keep[Inputs-1:Ports]),
    .inj_flit_i     (inj_flit),
    .write_pointer_i(write_pointer),
    .read_i         (reads),
    .source_i       (read_source),
    .pointer_i      (read_flit),
    .leaves_i       (leaves),
    .head_i         (leaving_head),
    .tail_i         (leaving_tail),
    .shows_i        (link_valid_o),
    .link_flit_o    (link_flit_o),
    .reception_flit_o(received_data)
  );

  for (genvar r = 0; r < Receptions; r++) begin : gen_reception
    logic [FlitW-1:0] oldest;
    localparam int unsigned OwnCountW = $clog2(ReceptionDepth) + 1;
    logic [OwnCountW-1:0] count_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else if (clk_en_i && counted[r] != reception_pop[r]) count_q <= count_q + (counted[r] ? OwnCountW'(1) : '1);
    end
    assign rx_count_o[r*CountW +: CountW] = CountW'(count_q);
    if (Pipelined) begin : gen_memory
      il_memory_fifo #(
        .Width(FlitW),
        .Depth(ReceptionDepth)
      ) i_fifo (
        .clk_i,
        .rst_ni,
        .clk_en_i,
        .push_i (received[r]),
        .data_i ({received_tail[r], received_head[r], received_data[r*FlitBits +: FlitBits]}),
        .pop_i  (reception_pop[r]),
        .valid_o(rx_valid_o[r]),
        .data_o (oldest)
      );
    end else begin : gen_at_once
      il_fifo #(
        .Width(FlitW),
        .Depth(ReceptionDepth)
      ) i_fifo (
        .clk_i,
        .rst_ni,
        .clk_en_i,
        .push_i (received[r]),
        .data_i ({received_tail[r], received_head[r], received_data[r*FlitBits +: FlitBits]}),
        .pop_i  (reception_pop[r]),
        .valid_o(rx_valid_o[r]),
        .data_o (oldest)
      );
    end
    assign reception_pop[r] = rx_valid_o[r] && rx_ready_i[r];
    assign rx_flit_o[r*FlitW +: FlitW] = oldest;
    assign reception_freed[r*LengthW +: LengthW] = LengthW'(returned[r]);
  end

  // Nothing in the node nor on its way in or out; nothing in the channels behind.
  assign idle = {all_credits[Ports-1:0] == '1, empty && between == '1 && rx_valid_o == '0 && link_valid_o == '0 && !in_flight};

  // A reception sink is never chosen.
  logic unused_open;
  assign unused_open = open[Sinks-1:Ports] != '0 || free[2*Sinks-1:2*Ports] != '0 || all_credits[Sinks-1:Ports] != '0;

  always_comb begin
    status_o = gen_input[Inputs-1].status;
    if (config_error || disabled_error) status_o[il_pkg::ErrorConfig] = 1'b1;
    if (credit_error != '0) status_o[il_pkg::ErrorCredit] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      disabled_error <= 1'b0;
    end else if (clk_en_i) begin
      if (clear[il_pkg::ErrorConfig]) disabled_error <= 1'b0;
      if (!enable) begin
        if (link_valid != '0 || inj_valid != '0 || credit_back != '0) disabled_error <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      link_valid_o <= '0;
      link_vc_o    <= '0;
    end else if (clk_en_i && (il_pkg::Synthesis || (leaves | link_valid_o) != '0)) begin
      link_valid_o <= leaves;
      link_vc_o    <= leaves_by;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && clk_en_i) begin
      for (int unsigned p = 0; p < Ports; p++)
        if (link_valid_o[p]) `IL_ASSERT(link_channel_exists, 32'(link_vc_o[p*VcW +: VcW]) < Vcs, "a flit leaves by a channel that does not exist");
      for (int unsigned r = 0; r < Receptions; r++) begin
        `IL_ASSERT(count_is_of_the_queue, rx_valid_o[r] == (rx_count_o[r*CountW +: CountW] != '0),
                   "a reception queue has flits and counts none, or has none and counts some");
        `IL_ASSERT(reception_has_room, 32'(rx_count_o[r*CountW +: CountW]) <= ReceptionDepth, "more flits are received than the queue holds");
      end
      `IL_ASSERT_KNOWN(links_are_known, {link_valid_o, link_vc_o, credit_o}, "a link has unknown bits");
      `IL_ASSERT_KNOWN(host_pins_are_known, {inj_credit_o, rx_valid_o, rx_count_o}, "a pin of the host has unknown bits");
      `IL_ASSERT_KNOWN(status_is_known, {stall_o, status_o, cfg_data_o}, "the status has unknown bits");
    end
  end
endmodule
