// Interlace: where a packet goes from here: its sinks and channels (docs/node.md, section 4)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
`include "il_assert.svh"
`include "il_parameters.svh"
module il_route #(
  `IL_ROUTE
) (
  input  logic                              valid_i,       // else nothing is said
  input  il_pkg::header_t                   header_i,
  input  logic [il_pkg::LengthW-1:0]        length_i,
  input  logic [Vcs-1:0]                    came_i,        // the link's channel that it came by
  input  logic [EntryW-1:0]                 entry_i,       // of the table, for the header's slot
  input  logic                              wormhole_i,
  input  logic [Vcs-1:0]                    vcs_i,
  input  logic [DepthW-1:0]                 own_depth_i,   // of the queue that it comes into
  input  logic [DepthW-1:0]                 vc_depth_i,
  input  logic [DepthW-1:0]                 reception_depth_i,
  input  logic [Ports-1:0]                  ports_i,
  input  logic [2:0]                        receptions_i,
  input  logic [il_pkg::RoutingW-1:0]       routing_i,
  input  logic [Vcs-1:0]                    dynamic_i,
  input  logic [Vcs-1:0]                    escape_i,
  input  logic [il_pkg::LengthW-1:0]        slot_flits_i,
  input  logic [Vcs-1:0]                    priority_i,
  input  logic [2*Vcs-1:0]                  classes_i,
  input  logic [Dimensions*CoordinateW-1:0] here_i,
  input  logic [Dimensions*CoordinateW-1:0] size_i,
  input  logic [Ports*il_pkg::PortW-1:0]    port_i,
  output logic [Sinks-1:0]                  sinks_o,       // of an adaptive packet: its choices
  output logic [Vcs-1:0]                    vcs_o,
  output logic                              several_o,     // several branches
  output logic                              adaptive_o,
  output logic [il_pkg::PortIndexW-1:0]     escape_o,      // of an adaptive packet: the port to escape by ...
  output logic                              enters_o,      // ... and whether it enters that one's ring
  // Why it cannot be carried: one of them, or none.
  output logic                              malformed_o,
  output logic                              misrouted_o,
  output logic                              too_long_o
);
  localparam int unsigned FieldW = 32 / Dimensions > CoordinateW ? CoordinateW : 32 / Dimensions;

  logic [Ports-1:0] links, reaches, next_port;  // reaches: without overshooting
  logic local_branch, is_table, is_unicast, is_deposit, adaptive, arrived, beyond, several;
  logic by_coordinates, in_escape, downwards, either, tie;  // tie: both ways round are as long
  logic [1:0] hint;
  logic [Vcs-1:0] escape;  // the channel to escape by
  logic [Ports-1:0] choices;
  logic [il_pkg::LengthW-1:0] asked;
  int unsigned queue;
  int unsigned per_group;
  logic [Receptions-1:0] reception_branches;

  // Dimension order: the first dimension with a way to go, which way, and to which half of the ring.
  logic minus, lower_half;
  logic [2:0] dimension;
  logic [CoordinateW-1:0] target;
  logic [CoordinateBits-1:0] to, here, size, up, down, left, distance;
  il_pkg::port_t candidate, entered;
  logic [CoordinateW-1:0] other;  // length of another port's hop

  // Most queues never take a packet of this port, whatever the layout: no logic for them.
  for (genvar r = 0; r < Receptions; r++) begin : gen_reception
    if (FromLink && il_pkg::takes(Ports, r, Port, Layout)) begin : gen_reachable
      assign reception_branches[r] = local_branch && queue == r;
    end else begin : gen_never
      assign reception_branches[r] = 1'b0;
    end
  end

  always_comb begin
    is_table = 1'b0;
    is_unicast = 1'b0;
    is_deposit = 1'b0;
    adaptive = 1'b0;
    adaptive_o = 1'b0;
    escape_o = '0;
    enters_o = 1'b0;
    entered = '0;
    arrived = 1'b1;
    minus = 1'b0;
    lower_half = 1'b0;
    dimension = '0;
    target = '0;
    to = '0;
    here = '0;
    size = '0;
    up = '0;
    down = '0;
    left = '0;
    reaches = '0;
    other = '0;
    distance = '0;
    by_coordinates = 1'b0;
    in_escape = 1'b0;
    downwards = 1'b0;
    either = 1'b0;
    tie = 1'b0;
    hint = '0;
    escape = '0;
    choices = '0;
    next_port = '0;
    candidate = '0;
    local_branch = 1'b0;
    links = '0;
    vcs_o = '0;
    per_group = 0;
    queue = 0;
    malformed_o = 1'b0;
    misrouted_o = 1'b0;
    too_long_o = 1'b0;
    asked = '0;
    beyond = 1'b0;
    several = 1'b0;
    if (il_pkg::Synthesis || valid_i) begin
      entered = port_i[Port*il_pkg::PortW +: il_pkg::PortW];
      is_table = header_i.kind == il_pkg::KindTable;
      is_unicast = header_i.kind == il_pkg::KindUnicast;
      is_deposit = header_i.kind == il_pkg::KindDeposit;
      adaptive = routing_i[il_pkg::RoutingAdaptive];
      by_coordinates = adaptive && routing_i[il_pkg::RoutingByCoordinates];
      escape = header_i.high && priority_i != '0 ? priority_i : escape_i;
      in_escape = adaptive && (came_i & (escape_i | priority_i)) != '0;
      local_branch = FromLink;
      links = FromLink ? '0 : header_i.slot[Ports-1:0];
      vcs_o = '1;
      if (is_table) begin
        local_branch = FromLink && entry_i[Ports];
        links = entry_i[Ports-1:0];
        if (entry_i[Ports+1 +: Vcs] != '0) vcs_o = entry_i[Ports+1 +: Vcs];
      end
      // Straight on until the coordinate is the destination's.
      if (FromLink && is_deposit) begin
        for (int unsigned d = 0; d < Dimensions; d++) begin
          if (entered.dimension == 3'(d)) begin
            target = CoordinateW'(header_i.destination[d*FieldW +: FieldW]);
            here = here_i[d*CoordinateW +: CoordinateBits];
            beyond = target != CoordinateW'(here) && target >= size_i[d*CoordinateW +: CoordinateW];
          end
        end
        for (int unsigned p = 0; p < Ports; p++) begin
          candidate = port_i[p*il_pkg::PortW +: il_pkg::PortW];
          if (target != CoordinateW'(here) && links == '0 && ports_i[p] && candidate.dimension == entered.dimension &&
              candidate.length == entered.length && candidate.minus != entered.minus) links[p] = 1'b1;
        end
      end
      if (adaptive) vcs_o = vcs_o & dynamic_i;
      if (is_unicast) begin
        for (int unsigned d = 0; d < Dimensions; d++) begin
          target = CoordinateW'(header_i.destination[d*FieldW +: FieldW]);
          to = target[CoordinateBits-1:0];
          here = here_i[d*CoordinateW +: CoordinateBits];
          if (target != CoordinateW'(here) && target >= size_i[d*CoordinateW +: CoordinateW]) beyond = 1'b1;
          if (target != CoordinateW'(here) && (arrived || by_coordinates)) begin
            size = size_i[d*CoordinateW +: CoordinateBits];
            up = to - here;
            downwards = to < here;
            distance = downwards ? here - to : up;
            either = 1'b0;
            if (routing_i[il_pkg::RoutingWraps]) begin
              if (to < here) up = up + size;
              down = size - up;
              hint = by_coordinates ? header_i.slot[2*d +: 2] : 2'd0;
              either = up == down && hint[0] == hint[1];
              tie = up == down && !adaptive;
              downwards = hint[0] != hint[1] ? hint[1] : up > down || (tie && header_i.slot[d]);
              distance = downwards ? down : up;
            end
            if (arrived) begin
              arrived = 1'b0;
              dimension = 3'(d);
              lower_half = to < size >> 1;
              minus = downwards;
              left = distance;
            end
            for (int unsigned p = 0; p < Ports; p++) begin
              candidate = port_i[p*il_pkg::PortW +: il_pkg::PortW];
              if (by_coordinates && candidate.dimension == 3'(d) && (either || candidate.minus == downwards) &&
                  candidate.length != '0 && 32'(candidate.length) <= 32'(distance)) choices[p] = 1'b1;
            end
          end
        end
        // The longest hop that does not overshoot, of two equal ways one of half the ring whichever way it counts; to
        // escape, one of length 1.
        if (adaptive && !arrived) left = CoordinateBits'(1);
        for (int unsigned p = 0; p < Ports; p++) begin
          candidate = port_i[p*il_pkg::PortW +: il_pkg::PortW];
          reaches[p] = !arrived && ports_i[p] && candidate.dimension == dimension && candidate.length != '0 && 32'(candidate.length) <= 32'(left) &&
              (candidate.minus == minus || (tie && 32'(candidate.length) == 32'(left)));
        end
        for (int unsigned p = 0; p < Ports; p++) begin
          candidate = port_i[p*il_pkg::PortW +: il_pkg::PortW];
          next_port[p] = reaches[p];
          for (int unsigned q = 0; q < Ports; q++) begin
            other = port_i[q*il_pkg::PortW +: CoordinateW];
            if (reaches[q] && (other > candidate.length || (other == candidate.length && q < p))) next_port[p] = 1'b0;
          end
          if (next_port[p]) escape_o = escape_o | il_pkg::PortIndexW'(p);
        end
        local_branch = FromLink && arrived;
        links = next_port;
        vcs_o = lower_half ? classes_i[Vcs-1:0] : classes_i[2*Vcs-1:Vcs];
        if (adaptive && next_port != '0) begin
          adaptive_o = 1'b1;
          if (!by_coordinates) choices = entry_i[Ports-1:0];
          if (FromLink && routing_i[il_pkg::RoutingOnward]) choices[Port] = 1'b0;
          links = choices & ports_i;
          // Those that came by an escape channel, that may not choose or have a channel of their own go by dimension order.
          if (in_escape || (by_coordinates && !header_i.slot[il_pkg::SlotDynamic]) || (header_i.high && priority_i != '0))
            links = '0;
          enters_o = routing_i[il_pkg::RoutingWraps] &&
              !((came_i & escape) != '0 && entered.length == CoordinateW'(1) && entered.dimension == dimension && entered.minus != minus);
        end
      end
      per_group = Ports + (receptions_i[1] ? 1 : 0);
      if (receptions_i[0]) begin
        queue = (receptions_i[1] && header_i.high) ? Ports : Port;
        if (receptions_i[2] && header_i.group) queue = queue + per_group;
      end
      malformed_o = il_pkg::fold(header_i) != il_pkg::ChecksumSeed ||
          ((is_unicast || is_deposit) && !routing_i[il_pkg::RoutingCoordinates]);
      // Branches to several sinks keep the whole packet; one asks for room for all of it, or, under wormhole, for a flit.
      several = !adaptive_o && (local_branch ? links != '0 : (links & (links - Ports'(1))) != '0);
      misrouted_o = !malformed_o && ((links == '0 && !local_branch && !adaptive_o) || (links & ~ports_i) != '0 || beyond ||
          (FromLink && routing_i[il_pkg::RoutingOnward] && (adaptive_o ? next_port[Port] : links[Port])) ||
          (!FromLink && (header_i.kind == il_pkg::KindExplicit || is_deposit) && (header_i.slot >> Ports) != '0) ||
          ((is_table || (adaptive_o && !by_coordinates)) && (header_i.slot >> SlotW) != '0) || (local_branch && queue >= Receptions) ||
          ((links != '0 || adaptive_o) && ((adaptive_o ? escape : vcs_o) & vcs_i) == '0) ||
          (wormhole_i && several) || (in_escape && !is_unicast));
      asked = Pipelined ? slot_flits_i : length_i;
      too_long_o = !malformed_o && !misrouted_o &&
          ((Pipelined && length_i > slot_flits_i) ||
           (!wormhole_i && ((links != '0 && 32'(asked) > 32'(vc_depth_i)) ||
                            (local_branch && 32'(asked) > 32'(reception_depth_i)) ||
                            (several && 32'(length_i) > 32'(own_depth_i)))) ||
           (adaptive_o && (length_i > slot_flits_i || 32'({slot_flits_i, 1'b0}) > 32'(vc_depth_i))) ||
           (in_escape && length_i > slot_flits_i));
    end
  end

  always_comb begin
    if (valid_i) `IL_ASSERT(next_port_is_one, (next_port & (next_port - Ports'(1))) == '0, "dimension order leads to two ports");
  end

  assign sinks_o = {reception_branches, links};
  assign several_o = several;
endmodule
