// Interlace: what docs/node.md says of routes, section 4, and of those that cannot be, section 8, as points that a test comes to or does not
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
module il_route_cover #(
  parameter int unsigned Ports = 4,
  parameter int unsigned Vcs = 4,
  parameter bit FromLink = 1'b1
) (
  input logic                   valid_i,
  input il_pkg::header_t        header_i,
  input logic                   is_table,
  input logic                   is_unicast,
  input logic                   is_deposit,
  input logic                   adaptive,
  input logic                   adaptive_o,
  input logic                   arrived,
  input logic                   beyond,
  input logic                   several,
  input logic                   by_coordinates,
  input logic                   in_escape,
  input logic                   tie,
  input logic                   minus,
  input logic                   lower_half,
  input logic                   local_branch,
  input logic [Ports-1:0]       links,
  input logic [Ports-1:0]       choices,
  input logic [Vcs-1:0]         priority_i,
  input logic [Ports*il_pkg::PortW-1:0] port_i,
  input logic                   enters_o,
  input logic [1:0]             hint,
  input logic                   malformed_o,
  input logic                   misrouted_o,
  input logic                   too_long_o
);
  logic fine;
  assign fine = valid_i && !malformed_o && !misrouted_o && !too_long_o;
  localparam bit Injected = !FromLink;

  logic [Ports-1:0] other_way;  // ports whose hop counts against the way round that the packet goes
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) other_way[p] = port_i[(p+1)*il_pkg::PortW-1] != minus;
  end

  always_comb begin
    s4_explicit:            cover (fine && header_i.kind == il_pkg::KindExplicit);
    s4_table:               cover (fine && is_table);
    s4_deposit:             cover (fine && is_deposit);
    s4_unicast_by_order:    cover (fine && is_unicast && !adaptive);
    s4_downwards:           cover (fine && is_unicast && !arrived && minus);
    s4_tie_other_way:       cover (fine && is_unicast && !arrived && tie && (links & other_way) != '0);
    s4_upper_half:          cover (fine && is_unicast && !arrived && !adaptive && !lower_half);
    s4_lower_half:          cover (fine && is_unicast && !arrived && !adaptive && lower_half);
    s4_adaptive_by_table:   cover (fine && adaptive_o && !by_coordinates && choices != '0);
    s4_adaptive_choices:    cover (fine && adaptive_o && by_coordinates && (links & (links - Ports'(1))) != '0);
    s4_not_dynamic:         cover (fine && adaptive_o && by_coordinates && !header_i.slot[il_pkg::SlotDynamic]);
    s4_hint_up:             cover (fine && adaptive_o && hint == 2'd1);
    s4_hint_down:           cover (fine && adaptive_o && hint == 2'd2);
    s4_priority_channel:    cover (fine && adaptive_o && header_i.high && priority_i != '0);
    s4_enters_a_ring:       cover (fine && adaptive_o && enters_o);
    s4_several_branches:    cover (fine && several);
    s8_checksum:            cover (valid_i && il_pkg::fold(header_i) != il_pkg::ChecksumSeed);
    s8_malformed:           cover (valid_i && malformed_o);
    s8_beyond:              cover (misrouted_o && beyond);
    s8_no_way:              cover (misrouted_o && links == '0 && !local_branch);
    s8_too_long:            cover (too_long_o);
  end
  if (FromLink) begin : gen_link
    always_comb begin
      s4_arrived:             cover (fine && is_unicast && arrived);
      s4_deposit_goes_on:     cover (fine && is_deposit && local_branch && links != '0);
      s4_deposit_ends:        cover (fine && is_deposit && local_branch && links == '0);
      s4_stays_on_escape:     cover (fine && adaptive_o && in_escape);
      s4_goes_on_in_its_ring: cover (fine && adaptive_o && in_escape && !enters_o);
      s8_not_unicast_by_escape: cover (misrouted_o && in_escape && !is_unicast);
    end
  end
  if (Injected) begin : gen_injection
    always_comb begin
      s8_unicast_to_itself: cover (misrouted_o && is_unicast && arrived);
    end
  end
endmodule

bind il_route il_route_cover #(.Ports(Ports), .Vcs(Vcs), .FromLink(FromLink)) i_cover (.*);
