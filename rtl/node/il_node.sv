// Interlace: the node: an all-port router and its node interface (docs/node.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_node #(
  parameter int unsigned Ports = 6,
  parameter int unsigned Vcs = 4,
  parameter int unsigned Injections = 8,
  parameter int unsigned Receptions = 14,
  parameter int unsigned FlitBits = 128,
  parameter int unsigned VcDepth = 512,
  parameter int unsigned InjectionDepth = 512,
  parameter int unsigned ReceptionDepth = 512,
  parameter int unsigned Slots = 1024,
  localparam int unsigned FlitW = FlitBits + 2,
  localparam int unsigned LengthW = il_pkg::LengthW,
  localparam int unsigned VcW = il_pkg::VcW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           cfg_valid_i,
  input  logic [il_pkg::AddressW-1:0]    cfg_addr_i,
  input  logic [31:0]                    cfg_data_i,
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
  output logic [il_pkg::StatusW-1:0]     status_o
);
  localparam int unsigned Inputs = Ports + Injections;
  localparam int unsigned Sinks = Ports + Receptions;
  localparam int unsigned Sources = Ports * Vcs + Injections;
  localparam int unsigned SourceW = $clog2(Sources);
  localparam int unsigned SourceDepth = VcDepth > InjectionDepth ? VcDepth : InjectionDepth;
  localparam int unsigned MostDepth = SourceDepth > ReceptionDepth ? SourceDepth : ReceptionDepth;
  localparam int unsigned DepthW = $clog2(MostDepth) + 1;
  localparam int unsigned PtrW = DepthW;
  localparam int unsigned SlotW = $clog2(Slots);
  localparam int unsigned BankDepth = Vcs * VcDepth > InjectionDepth ? Vcs * VcDepth : InjectionDepth;
  localparam int unsigned AddressW = $clog2(BankDepth);
  localparam int unsigned InputW = $clog2(Inputs);
  localparam int unsigned Dimensions = Ports / 2 > 0 ? Ports / 2 : 1;
  localparam int unsigned CoordinateW = il_pkg::CoordinateW;

  logic enable;
  logic [1:0] switching;
  logic [Vcs-1:0] vcs;
  logic [DepthW-1:0] vc_depth, injection_depth, reception_depth;
  logic [Ports-1:0] ports;
  logic [2:0] receptions;
  logic [1:0] routing;
  logic [2*Vcs-1:0] classes;
  logic [Dimensions*CoordinateW-1:0] here, size;
  logic [Ports*il_pkg::PortW-1:0] port;
  logic [Inputs-1:0] lookup;
  logic [Inputs*SlotW-1:0] slot;
  logic [Inputs*(Ports+1)-1:0] entry;

  // Source by source: what its head packet wants, and what the sinks do with it.
  logic [Sources*Sinks-1:0] want, grant, move, finish;
  logic [Sources-1:0] high;
  logic [Sources*Vcs-1:0] allowed;
  logic [Sources*LengthW-1:0] length, freed;
  logic [Sources*PtrW-1:0] read_pointer, write_pointer;

  // Input by input: the flit that arrives.
  logic [Inputs-1:0] arrives;
  logic [Inputs*FlitW-1:0] arriving;
  logic [Inputs*AddressW-1:0] write_address;

  // Sink by sink: the flit that moves.
  logic [Sinks-1:0] moves;
  logic [Ports*VcW-1:0] move_vc;
  logic [Sinks*SourceW-1:0] move_source;
  logic [Sinks*PtrW-1:0] move_pointer;
  logic [Sinks*InputW-1:0] move_input;
  logic [Sinks*AddressW-1:0] read_address;
  logic [Sinks*FlitW-1:0] flit;
  logic [Sinks-1:0] credit_error;

  logic [Inputs-1:0] overflow, malformed, misrouted;
  logic [Receptions-1:0] reception_pop;
  logic [Receptions*LengthW-1:0] reception_freed;
  logic [il_pkg::StatusW-1:0] status_d;

  il_config #(
    .Ports  (Ports),
    .Vcs    (Vcs),
    .Slots  (Slots),
    .Lookups(Inputs),
    .DepthW (DepthW)
  ) i_config (
    .clk_i,
    .rst_ni,
    .cfg_valid_i,
    .cfg_addr_i,
    .cfg_data_i,
    .enable_o         (enable),
    .switching_o      (switching),
    .vcs_o            (vcs),
    .vc_depth_o       (vc_depth),
    .injection_depth_o(injection_depth),
    .reception_depth_o(reception_depth),
    .ports_o          (ports),
    .receptions_o     (receptions),
    .routing_o        (routing),
    .classes_o        (classes),
    .here_o           (here),
    .size_o           (size),
    .port_o           (port),
    .lookup_i         (lookup),
    .slot_i           (slot),
    .entry_o          (entry)
  );

  for (genvar p = 0; p < Inputs; p++) begin : gen_input
    localparam bit FromLink = p < Ports;
    localparam int unsigned OwnVcs = FromLink ? Vcs : 1;
    localparam int unsigned Depth = FromLink ? VcDepth : InjectionDepth;
    localparam int unsigned First = FromLink ? p * Vcs : Ports * Vcs + (p - Ports);  // source
    localparam int unsigned OwnAddressW = $clog2(OwnVcs * Depth);
    logic [VcW-1:0] vc;
    logic [OwnAddressW-1:0] own_address;

    if (FromLink) begin : gen_link
      assign arrives[p] = link_valid_i[p];
      assign vc = link_vc_i[p*VcW +: VcW];
      assign arriving[p*FlitW +: FlitW] = link_flit_i[p*FlitW +: FlitW];
      assign credit_o[p*Vcs*LengthW +: Vcs*LengthW] = freed[First*LengthW +: Vcs*LengthW];
    end else begin : gen_injection
      assign arrives[p] = inj_valid_i[p-Ports];
      assign vc = '0;
      assign arriving[p*FlitW +: FlitW] = inj_flit_i[(p-Ports)*FlitW +: FlitW];
      assign inj_credit_o[(p-Ports)*LengthW +: LengthW] = freed[First*LengthW +: LengthW];
    end

    assign write_address[p*AddressW +: AddressW] = AddressW'(own_address);

    il_input #(
      .Ports     (Ports),
      .Receptions(Receptions),
      .Port      (FromLink ? p : 0),
      .Vcs       (OwnVcs),
      .LinkVcs   (Vcs),
      .Depth     (Depth),
      .PtrW      (PtrW),
      .SlotW     (SlotW),
      .FlitBits  (FlitBits),
      .FromLink  (FromLink)
    ) i_input (
      .clk_i,
      .rst_ni,
      .store_and_forward_i(switching == il_pkg::StoreAndForward),
      .depth_i            (FromLink ? vc_depth : injection_depth),
      .ports_i            (ports),
      .receptions_i       (receptions),
      .routing_i          (routing),
      .classes_i          (classes),
      .here_i             (here),
      .size_i             (size),
      .port_i             (port),
      .valid_i            (arrives[p]),
      .vc_i               (vc),
      .flit_i             (arriving[p*FlitW +: FlitW]),
      .lookup_o           (lookup[p]),
      .slot_o             (slot[p*SlotW +: SlotW]),
      .entry_i            (entry[p*(Ports+1) +: Ports+1]),
      .want_o             (want[First*Sinks +: OwnVcs*Sinks]),
      .high_o             (high[First +: OwnVcs]),
      .allowed_o          (allowed[First*Vcs +: OwnVcs*Vcs]),
      .length_o           (length[First*LengthW +: OwnVcs*LengthW]),
      .read_o             (read_pointer[First*PtrW +: OwnVcs*PtrW]),
      .write_o            (write_pointer[First*PtrW +: OwnVcs*PtrW]),
      .grant_i            (grant[First*Sinks +: OwnVcs*Sinks]),
      .move_i             (move[First*Sinks +: OwnVcs*Sinks]),
      .finish_i           (finish[First*Sinks +: OwnVcs*Sinks]),
      .freed_o            (freed[First*LengthW +: OwnVcs*LengthW]),
      .write_address_o    (own_address),
      .overflow_o         (overflow[p]),
      .malformed_o        (malformed[p]),
      .misrouted_o        (misrouted[p])
    );
  end

  for (genvar k = 0; k < Sinks; k++) begin : gen_sink
    localparam bit IsLink = k < Ports;
    localparam int unsigned OwnVcs = IsLink ? Vcs : 1;
    logic [Sources-1:0] want_k, grant_k, move_k, finish_k;
    logic [OwnVcs-1:0] vcs_k;
    logic [Sources*OwnVcs-1:0] allowed_k;
    logic [OwnVcs*LengthW-1:0] give;
    logic [VcW-1:0] vc;

    for (genvar s = 0; s < Sources; s++) begin : gen_source
      assign want_k[s] = want[s*Sinks + k];
      assign grant[s*Sinks + k] = grant_k[s];
      assign move[s*Sinks + k] = move_k[s];
      assign finish[s*Sinks + k] = finish_k[s];
    end

    if (IsLink) begin : gen_link
      assign vcs_k = vcs;
      assign allowed_k = allowed;
      assign give = credit_i[k*Vcs*LengthW +: Vcs*LengthW];
      assign move_vc[k*VcW +: VcW] = vc;
    end else begin : gen_reception
      assign vcs_k = 1'b1;
      assign allowed_k = '1;
      assign give = reception_freed[(k-Ports)*LengthW +: LengthW];
      logic unused_vc;
      assign unused_vc = vc != '0;
    end

    il_sink #(
      .Sources(Sources),
      .Vcs    (OwnVcs),
      .PtrW   (PtrW),
      .CreditW(DepthW)
    ) i_sink (
      .clk_i,
      .rst_ni,
      .enable_i      (enable),
      .wormhole_i    (switching == il_pkg::Wormhole),
      .vcs_i         (vcs_k),
      .depth_i       (IsLink ? vc_depth : reception_depth),
      .give_i        (give),
      .want_i        (want_k),
      .high_i        (high),
      .length_i      (length),
      .allowed_i     (allowed_k),
      .read_i        (read_pointer),
      .write_i       (write_pointer),
      .grant_o       (grant_k),
      .move_o        (move_k),
      .finish_o      (finish_k),
      .valid_o       (moves[k]),
      .vc_o          (vc),
      .source_o      (move_source[k*SourceW +: SourceW]),
      .pointer_o     (move_pointer[k*PtrW +: PtrW]),
      .credit_error_o(credit_error[k])
    );

    // Which bank, and where in it.
    always_comb begin
      move_input[k*InputW +: InputW] = '0;
      read_address[k*AddressW +: AddressW] = '0;
      if (moves[k]) begin
        if (32'(move_source[k*SourceW +: SourceW]) < Ports * Vcs) begin
          move_input[k*InputW +: InputW] = InputW'(32'(move_source[k*SourceW +: SourceW]) / Vcs);
          read_address[k*AddressW +: AddressW] =
              AddressW'(32'(move_source[k*SourceW +: SourceW]) % Vcs * VcDepth) |
              AddressW'(move_pointer[k*PtrW +: $clog2(VcDepth)]);
        end else begin
          move_input[k*InputW +: InputW] =
              InputW'(32'(move_source[k*SourceW +: SourceW]) - Ports * Vcs + Ports);
          read_address[k*AddressW +: AddressW] = AddressW'(move_pointer[k*PtrW +: $clog2(InjectionDepth)]);
        end
      end
    end
  end

  il_flit_store #(
    .Inputs(Inputs),
    .Reads (Sinks),
    .Width (FlitW),
    .Depth (BankDepth)
  ) i_store (
    .clk_i,
    .write_i        (arrives),
    .write_address_i(write_address),
    .data_i         (arriving),
    .read_i         (moves),
    .read_input_i   (move_input),
    .read_address_i (read_address),
    .data_o         (flit)
  );

  for (genvar r = 0; r < Receptions; r++) begin : gen_reception
    logic [FlitW-1:0] oldest;
    il_fifo #(
      .Width(FlitW),
      .Depth(ReceptionDepth)
    ) i_fifo (
      .clk_i,
      .rst_ni,
      .push_i (moves[Ports+r]),
      .data_i (flit[(Ports+r)*FlitW +: FlitW]),
      .pop_i  (reception_pop[r]),
      .valid_o(rx_valid_o[r]),
      .data_o (oldest)
    );
    assign reception_pop[r] = rx_valid_o[r] && rx_ready_i[r];
    assign rx_flit_o[r*FlitW +: FlitW] = rx_valid_o[r] ? oldest : '0;
    assign reception_freed[r*LengthW +: LengthW] = LengthW'(reception_pop[r]);
  end

  always_comb begin
    status_d = status_o;
    if (overflow != '0) status_d[il_pkg::ErrorOverflow] = 1'b1;
    if (malformed != '0) status_d[il_pkg::ErrorMalformed] = 1'b1;
    if (misrouted != '0) status_d[il_pkg::ErrorMisrouted] = 1'b1;
    if (credit_error != '0) status_d[il_pkg::ErrorCredit] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      link_valid_o <= '0;
      link_vc_o    <= '0;
      link_flit_o  <= '0;
      status_o     <= '0;
    end else begin
      link_valid_o <= moves[Ports-1:0];
      link_vc_o    <= move_vc[Ports*VcW-1:0];
      link_flit_o  <= flit[Ports*FlitW-1:0];
      status_o     <= status_d;
    end
  end
endmodule
